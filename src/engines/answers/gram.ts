/** Sums and cross-products of some columns; those that an earlier question gave are not asked for again. */

import type { GramInput, GramSums } from "../../selection/posterior/gram.js";
import type { Asked } from "../asking-pool.js";
import { gramQueries, gramTiles, PURPOSES } from "../plan/planned.js";
import { tiled } from "../plan/products.js";
import { variableName } from "../question.js";

/** Σu_i (k numbers), then Σu_i·u_j (k × k). */
export async function answerGram(asked: Asked, inputs: readonly GramInput[]): Promise<GramSums[]> {
  const answers: GramSums[] = [];
  for (const { columns } of inputs) {
    await learn(asked, columns);
    const { known } = asked;
    const k = columns.length;
    const sums = new Float64Array(k + k * k);
    columns.forEach((a, i) => {
      sums[i] = known.sum(a)!;
      columns.forEach((b, j) => {
        sums[k + i * k + j] = known.product(a, b)!;
      });
    });
    answers.push(sums);
  }
  return answers;
}

/** Asks for what is not known yet of some columns. */
async function learn({ asker, variables, known }: Asked, columns: readonly number[]): Promise<void> {
  const unsummed = columns.filter((j) => known.sum(j) === undefined);
  const { old, fresh } = known.parted(columns);
  const { limits } = asker.rows.engine;
  const layers = [variables.stored(columns)];
  const purpose = PURPOSES.gram;
  asker.plan(purpose, gramQueries(fresh.length, old.length, limits, unsummed.length));
  if (unsummed.length > 0) {
    const aggregates = unsummed.map((j) => `sum(${variableName(j)})`);
    const sums = await asker.sums(purpose, { layers, aggregates });
    unsummed.forEach((j, i) => {
      known.setSum(j, sums[i]);
    });
  }
  const expression = (a: number, b: number) =>
    `${variableName(Math.min(a, b))} * ${variableName(Math.max(a, b))}`;
  await tiled(asker, { purpose, layers, expression }, gramTiles(fresh, old, limits), (a, b, sum) => {
    known.setProduct(a, b, sum);
  });
}
