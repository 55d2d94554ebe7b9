/** Sums and cross-products of some columns. */

import type { GramInput, GramSums } from "../../selection/posterior/gram.js";
import type { Asked } from "../asking-pool.js";
import { tiled, triangleTiles } from "../products.js";
import { variableName } from "../question.js";

/** Σu_i (k numbers), then Σu_i·u_j (k × k). */
export async function answerGram(
  { asker, variables }: Asked,
  inputs: readonly GramInput[],
): Promise<GramSums[]> {
  const answers: GramSums[] = [];
  for (const { columns } of inputs) {
    const k = columns.length;
    const layers = [variables.stored(columns)];
    const names = columns.map(variableName);
    const sums = new Float64Array(k + k * k);
    const purpose = "products of the candidates";
    sums.set(await asker.sums(purpose, { layers, aggregates: names.map((name) => `sum(${name})`) }));
    await tiled(
      asker,
      { purpose, layers, expression: (a, b) => `${names[a]} * ${names[b]}` },
      triangleTiles(k, asker.rows.engine.limits),
      (a, b, sum) => {
        sums[k + a * k + b] = sums[k + b * k + a] = sum;
      },
    );
    answers.push(sums);
  }
  return answers;
}
