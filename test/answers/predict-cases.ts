/** Predictions of new rows and their scores. */

import { predict, run } from "../../src/index.js";
import { mixedKinds } from "./column-cases.js";
import { regression, rowsOf, type Table } from "./data.js";
import type { Case } from "./kept.js";
import { plain } from "./plain.js";

async function predicted(table: Table, options: object = {}): Promise<unknown> {
  const { details } = await run(rowsOf(table, 0, 150), { target: "y", ...options });
  const { y: _, ...unscored } = rowsOf(table, 150, 190);
  return plain({
    scored: await predict(details.predictor(), rowsOf(table, 150, 190)),
    unscored: await predict(details.predictor(), unscored),
  });
}

export const predictCases: readonly Case[] = [
  ...(["gaussian", "binomial", "poisson"] as const).flatMap((family): Case[] => {
    const table = () => regression({ rows: 190, columns: 6, family, seed: 17 });
    const paper = { preset: "paper", family, iterations: 300, batch: 50, stepSize: 1e-4 };
    return [
      { name: `predict-${family}`, run: () => predicted(table()) },
      { name: `predict-paper-${family}`, run: () => predicted(table(), paper) },
    ];
  }),
  { name: "predict-kinds", run: () => predicted(mixedKinds(190)) },
];
