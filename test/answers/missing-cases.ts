/** Data with holes: drawn along with the model, left out, or filled with means. */

import { predict, run } from "../../src/index.js";
import { mixedKinds } from "./column-cases.js";
import { type Family, regression, rowsOf, type Table, withHoles } from "./data.js";
import { type Case, fitted, kept } from "./kept.js";
import { plain } from "./plain.js";

const holed = (family: Family, rows = 120): Table =>
  withHoles(regression({ rows, columns: 6, family, seed: 9 }), ["x1", "x2", "x5"], 0.12);

export const missingCases: readonly Case[] = [
  ...(["gaussian", "binomial", "poisson"] as const).flatMap((family): Case[] => [
    {
      name: `holes-${family}`,
      /** The fit and its predictions of rows with and without holes. */
      async run() {
        const table = holed(family, 150);
        const fit = await run(rowsOf(table, 0, 120), { target: "y", family });
        const predictions = await predict(fit.details.predictor(), rowsOf(table, 120, 150));
        return { fit: kept(fit), predictions: plain(predictions) };
      },
    },
    { name: `holes-drop-${family}`, run: () => fitted(holed(family), { missing: "drop" }) },
    { name: `holes-mean-${family}`, run: () => fitted(holed(family), { missing: "mean" }) },
  ]),
  {
    name: "holes-categories",
    run: () => fitted(withHoles(mixedKinds(120), ["size", "colour", "open"], 0.1)),
  },
  {
    name: "holes-categories-mean",
    run: () => fitted(withHoles(mixedKinds(120), ["size", "colour"], 0.1), { missing: "mean" }),
  },
  {
    name: "holes-always",
    run: () => fitted(holed("gaussian"), { always: ["x5"], modelPrior: "beta-binomial" }),
  },
  {
    name: "holes-many-columns",
    run: () => {
      const table = regression({ rows: 300, columns: 25, seed: 12 });
      return fitted(withHoles(table, ["x1", "x3", "x20", "x21"], 0.05));
    },
  },
];
