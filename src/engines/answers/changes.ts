/** What the likelihood gains when coefficients move: many at a time, or one column's alone. */

import { familyNamed } from "../../families/register.js";
import type { BendsInput } from "../../selection/expansion/bends.js";
import type { ChangesInput } from "../../selection/expansion/changes.js";
import type { Asked } from "../asking-pool.js";
import { gainsQueries, MOVES, PURPOSES } from "../plan/planned.js";
import { TARGET, written } from "../question.js";
import { etaSql, type LikelihoodAt, LOG_LIKELIHOOD, likelihoodLayers } from "./likelihood.js";

/** Σ ℓ(η') − ℓ(η) of every η', given as SQL; `others` are columns that it uses besides those of the point. */
async function gains(
  asked: Asked,
  purpose: string,
  at: LikelihoodAt,
  { etas, others }: { readonly etas: readonly string[]; readonly others: readonly number[] },
): Promise<Float64Array> {
  const { asker, known } = asked;
  const layers = likelihoodLayers(asked, at, others);
  // Sums of what is near zero in a row keep their digits, however many rows there are.
  const typical = written(known.logLikelihood);
  const out = new Float64Array(etas.length);
  asker.plan(purpose, gainsQueries(etas.length, asker.rows.engine.limits));
  for (let from = 0; from < etas.length; from += MOVES) {
    const some = etas.slice(from, from + MOVES);
    const moved = Object.fromEntries(some.map((eta, m) => [`s_m${m}`, eta]));
    const aggregates = some.map((_, m) => {
      const there = familyNamed(at.family).written(`s_m${m}`, TARGET, asker.rows.engine.dialect);
      return `sum((${there.logLikelihood}) - ${typical})`;
    });
    const here = `sum(${LOG_LIKELIHOOD} - ${typical})`;
    const [before, ...after] = await asker.sums(purpose, {
      layers: [...layers, moved],
      aggregates: [here, ...aggregates],
    });
    out.set(
      after.map((sum) => sum - before),
      from,
    );
  }
  return out;
}

export async function answerChanges(asked: Asked, inputs: readonly ChangesInput[]): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const input of inputs) {
    const size = input.point.columns.length + 1;
    const etas = Array.from({ length: input.moves.length / size }, (_, m) => {
      const [intercept, ...theta] = input.moves.subarray(m * size, (m + 1) * size);
      return etaSql(input, { intercept, theta });
    });
    answers.push(await gains(asked, PURPOSES.changes, input, { etas, others: [] }));
  }
  return answers;
}

/** They save looks, and a question is as dear as one: nothing is known of them. */
export async function answerCubes(_: Asked, inputs: readonly ChangesInput[]): Promise<Float64Array[]> {
  return inputs.map(({ moves, point }) =>
    new Float64Array(moves.length / (point.columns.length + 1)).fill(Number.POSITIVE_INFINITY),
  );
}

/** Of moves of one column each: rows in which it is zero gain nothing. */
export async function answerBends(asked: Asked, inputs: readonly BendsInput[]): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const input of inputs) {
    const { columns, ends, moves, scaling } = input;
    const of = columns.flatMap((j, c) =>
      Array.from({ length: ends[c] - (c === 0 ? 0 : ends[c - 1]) }, () => j),
    );
    const etas = of.map((j, m) => etaSql(input, undefined, [j, scaling.slope[j] * moves[m]]));
    answers.push(await gains(asked, PURPOSES.bends, input, { etas, others: columns }));
  }
  return answers;
}
