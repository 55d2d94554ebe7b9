/** The quadratic expansion of a likelihood at a point: ℓ, s = X'r and H = X'WX, with a column of ones in front. */

import {
  addExpansions,
  type ExpansionInput,
  type ExpansionSums,
} from "../../selection/expansion/expansion.js";
import { modeWalk } from "../../selection/expansion/mode.js";
import type { ModeFound, ModeInput } from "../../selection/expansion/modes.js";
import type { Asked } from "../asking-pool.js";
import { expansionQueries, PURPOSES, wholeExpansion } from "../plan/planned.js";
import { tiled, triangleTiles } from "../plan/products.js";
import { variableName } from "../question.js";
import { LOG_LIKELIHOOD, likelihoodLayers, SCORE, WEIGHT } from "./likelihood.js";

export async function answerExpansion(
  asked: Asked,
  inputs: readonly ExpansionInput[],
): Promise<ExpansionSums[]> {
  const answers: ExpansionSums[] = [];
  for (const input of inputs) {
    const sums = await expansionOf(asked, input);
    asked.known.logLikelihood = sums[0] / asked.store.layout.rows;
    answers.push(asSeen(sums, input));
  }
  return answers;
}

/** One search after the other, each as many questions as it looks at places. */
export async function answerModes(asked: Asked, inputs: readonly ModeInput[]): Promise<ModeFound[]> {
  const answers: ModeFound[] = [];
  for (const { question, ...input } of inputs) {
    const walk = modeWalk(question);
    const all = { ...input, firstBlock: 0, lastBlock: asked.store.layout.blocks };
    let next = walk.next();
    while (!next.done) {
      const point = next.value;
      next = walk.next(addExpansions(point, await answerExpansion(asked, [{ ...all, point }])));
    }
    answers.push({ search: next.value });
  }
  return answers;
}

/** Of stored numbers. */
async function expansionOf(asked: Asked, input: ExpansionInput): Promise<ExpansionSums> {
  const { asker } = asked;
  const { columns } = input.point;
  const size = columns.length + 1;
  const layers = likelihoodLayers(asked, input);
  const names = columns.map(variableName);
  const purpose = PURPOSES.expansion;
  const { limits } = asker.rows.engine;
  asker.plan(purpose, expansionQueries(columns.length, limits));
  const sums = new Float64Array(1 + size + size * size);
  const firsts = [
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
  const whole = wholeExpansion(columns.length, limits);
  if (whole) {
    const { pairs } = whole;
    const all = [...firsts, ...pairs.map(([a, b]) => `sum(${weighted(a, b)})`)];
    const answer = await asker.sums(purpose, { layers, aggregates: all });
    sums.set(answer.subarray(0, firsts.length));
    pairs.forEach(([a, b], i) => {
      put(a, b, answer[firsts.length + i]);
    });
    return sums;
  }
  sums.set(await asker.sums(purpose, { layers, aggregates: firsts }));
  await tiled(asker, { purpose, layers, expression: weighted }, triangleTiles(size, limits), put);
  return sums;
}

/** From sums of u to those of x = slope·u + offset; the ones stay what they are. */
function asSeen(stored: ExpansionSums, { point, scaling }: ExpansionInput): ExpansionSums {
  const size = point.columns.length + 1;
  const slope = [1, ...point.columns.map((j) => scaling.slope[j])];
  const offset = [0, ...point.columns.map((j) => scaling.offset[j])];
  const out = stored.slice();
  const h = (a: number, b: number): number => stored[1 + size + a * size + b];
  for (let a = 0; a < size; a++) {
    out[1 + a] = slope[a] * stored[1 + a] + offset[a] * stored[1];
    for (let b = 0; b < size; b++) {
      out[1 + size + a * size + b] =
        slope[a] * slope[b] * h(a, b) +
        slope[a] * offset[b] * h(a, 0) +
        offset[a] * slope[b] * h(0, b) +
        offset[a] * offset[b] * h(0, 0);
    }
  }
  return out;
}
