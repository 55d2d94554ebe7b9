/** The screen and the ends of columns: one pass over all of them. */

import type { ColumnRange, ColumnSums } from "../../selection/data/screen.js";
import type { ExtremesInput } from "../../selection/expansion/column-shapes.js";
import type { Asked } from "../asking-pool.js";
import { extremesQueries, PURPOSES, screenedAtOnce, screenQueries } from "../plan/planned.js";
import { variableName } from "../question.js";

/** Σu, Σu² and Σuy of every column: as they follow from its description, or asked for. */
export async function answerScreen(
  { asker, variables, known, described }: Asked,
  inputs: readonly ColumnRange[],
): Promise<ColumnSums[]> {
  const { columns } = variables;
  const y = variableName(columns);
  const all = inputs.flatMap(({ first, last }) => range(first, last));
  const layers = [variables.stored([...all, columns])];
  const aggregatesOf = (some: readonly number[]) =>
    some.flatMap((j) => {
      const u = variableName(j);
      return [`sum(${u})`, `sum(${u} * ${u})`, `sum(${u} * ${y})`];
    });
  const found = all.filter((j) => !Number.isNaN(described[3 * j]));
  const open = all.filter((j) => Number.isNaN(described[3 * j]));
  const sums = described.slice();
  asker.knows(
    { layers, aggregates: aggregatesOf(found) },
    found.flatMap((j) => [...sums.subarray(3 * j, 3 * j + 3)]),
  );
  // What belongs to a column stays together, so that it is read once.
  const { limits } = asker.rows.engine;
  const width = screenedAtOnce(limits);
  const purpose = PURPOSES.screen;
  asker.plan(purpose, screenQueries(open.length, limits));
  for (let from = 0; from < open.length; from += width) {
    const some = open.slice(from, from + width);
    const answer = await asker.sums(purpose, { layers, aggregates: aggregatesOf(some) });
    some.forEach((j, i) => {
      sums.set(answer.subarray(3 * i, 3 * i + 3), 3 * j);
    });
  }
  for (const j of all) {
    const [sum, square, cross] = sums.subarray(3 * j, 3 * j + 3);
    known.setSum(j, sum);
    known.setProduct(j, j, square);
    known.setProduct(j, columns, cross);
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
    asker.plan(PURPOSES.extremes, extremesQueries(columns.length, asker.rows.engine.limits));
    answers.push(await asker.sums(PURPOSES.extremes, { layers: [variables.stored(columns)], aggregates }));
  }
  return answers;
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first }, (_, i) => first + i);
}
