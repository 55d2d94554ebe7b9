/** What families without a quadratic likelihood have in common: the supplement's settings, and those of the search. */

import type { PaperSettings, SearchSettings } from "./family.js";

/** The supplement's logistic example (S4.2). */
export const PAPER_GLM: PaperSettings = {
  batch: 300,
  stepSize: 1e-5,
  maxSize: 500,
  weights: "deviance",
  interceptWeight: Math.exp(-0.1),
  prior: { c0: 10, zeta: 0.5 },
};

/** A batch of this share of the rows lets a noise variable in by chance about once in a hundred tries. */
const BATCH_SHARE = 1 / 5;
const BATCH_ROWS = { least: 2000, most: 20_000 };

export const SEARCH_GLM: SearchSettings = {
  batch: (rows) => Math.min(rows, BATCH_ROWS.most, Math.max(BATCH_ROWS.least, Math.ceil(rows * BATCH_SHARE))),
  models: 5,
  moves: () => 3,
  maxSize: 100,
  births: "informed",
  refreshRows: 10_000,
};
