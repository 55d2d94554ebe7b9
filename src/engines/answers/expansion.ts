/** The quadratic expansion of a likelihood at a point: ℓ, s = X'r and H = X'WX, with a column of ones in front. */

import type { ExpansionInput, ExpansionSums } from "../../selection/expansion/expansion.js";
import { seenName } from "../asked-variables.js";
import type { Asked } from "../asking-pool.js";
import { tiled, triangleTiles } from "../products.js";
import { LOG_LIKELIHOOD, likelihoodLayers, SCORE, WEIGHT } from "./likelihood.js";

export async function answerExpansion(asked: Asked, inputs: readonly ExpansionInput[]): Promise<ExpansionSums[]> {
  const answers: ExpansionSums[] = [];
  for (const input of inputs) answers.push(await expansionOf(asked, input));
  return answers;
}

async function expansionOf(asked: Asked, input: ExpansionInput): Promise<ExpansionSums> {
  const { asker } = asked;
  const { columns } = input.point;
  const size = columns.length + 1;
  const layers = likelihoodLayers(asked, input, columns);
  const names = columns.map(seenName);
  const purpose = "the likelihood at a point, its slope and its curvature";
  const sums = new Float64Array(1 + size + size * size);
  const aggregates = [
    `sum(${LOG_LIKELIHOOD})`,
    `sum(${SCORE})`,
    ...names.map((name) => `sum(${SCORE} * ${name})`),
  ];
  /** With the ones in front. */
  const weighted = (a: number, b: number): string =>
    [WEIGHT, ...[a, b].filter((i) => i > 0).map((i) => names[i - 1])].join(" * ");
  const put = (a: number, b: number, sum: number): void => {
    sums[1 + size + a * size + b] = sums[1 + size + b * size + a] = sum;
  };
  const { limits } = asker.rows.engine;
  const whole = triangleTiles(size, { ...limits, aggregates: limits.aggregates - aggregates.length });
  if (whole.length === 1) {
    // Small models are one query.
    const { pairs } = whole[0];
    const all = [...aggregates, ...pairs.map(([a, b]) => `sum(${weighted(a, b)})`)];
    const answer = await asker.sums(purpose, { layers, aggregates: all });
    sums.set(answer.subarray(0, aggregates.length));
    pairs.forEach(([a, b], i) => {
      put(a, b, answer[aggregates.length + i]);
    });
    return sums;
  }
  sums.set(await asker.sums(purpose, { layers, aggregates }));
  await tiled(asker, { purpose, layers, expression: weighted }, triangleTiles(size, limits), put);
  return sums;
}
