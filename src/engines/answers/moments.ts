/** The screen and the ends of columns: one pass over all of them. */

import type { ColumnRange, ColumnSums } from "../../selection/data/screen.js";
import type { ExtremesInput } from "../../selection/expansion/column-shapes.js";
import type { Asked } from "../asking-pool.js";
import { variableName } from "../question.js";

/** Σu, Σu² and Σuy of every column. */
export async function answerScreen(
  { asker, variables }: Asked,
  inputs: readonly ColumnRange[],
): Promise<ColumnSums[]> {
  const { columns } = variables;
  const y = variableName(columns);
  const all = inputs.flatMap(({ first, last }) => range(first, last));
  const layers = [variables.stored([...all, columns])];
  // What belongs to a column stays together, so that it is read once.
  const width = Math.max(
    1,
    Math.floor(Math.min(asker.rows.engine.limits.aggregates / 3, asker.rows.engine.limits.columns - 1)),
  );
  const sums = new Float64Array(3 * (columns + 1));
  for (let from = 0; from < all.length; from += width) {
    const some = all.slice(from, from + width);
    const aggregates = some.flatMap((j) => {
      const u = variableName(j);
      return [`sum(${u})`, `sum(${u} * ${u})`, `sum(${u} * ${y})`];
    });
    const answer = await asker.sums("means, scales and correlations with the target", { layers, aggregates });
    some.forEach((j, i) => {
      sums.set(answer.subarray(3 * i, 3 * i + 3), 3 * j);
    });
  }
  return inputs.map(({ first, last }) => ({ first, sums: sums.slice(3 * first, 3 * last) }));
}

/** Least and largest stored number. */
export async function answerExtremes(
  { asker, variables }: Asked,
  inputs: readonly ExtremesInput[],
): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const { columns } of inputs) {
    const aggregates = columns.flatMap((j) => [`min(${variableName(j)})`, `max(${variableName(j)})`]);
    answers.push(
      await asker.sums("the ends of columns", { layers: [variables.stored(columns)], aggregates }),
    );
  }
  return answers;
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first }, (_, i) => first + i);
}
