/** What the likelihood gains when coefficients move, and how far it bends away from its expansion. */

import { familyNamed } from "../../families/register.js";
import type { BendsInput } from "../../selection/expansion/bends.js";
import type { ChangesInput } from "../../selection/expansion/changes.js";
import type { Asked } from "../asking-pool.js";
import { TARGET, variableName } from "../question.js";
import { etaSql, type LikelihoodAt, LOG_LIKELIHOOD, likelihoodLayers, SCORE, WEIGHT } from "./likelihood.js";

/** Moves of η that one query is asked about: each is a number for every row. */
const MOVES = 100;

/** Σ ℓ(η') − ℓ(η) of every η', given as SQL; `others` are columns that it uses besides those of the point. */
async function gains(
  asked: Asked,
  purpose: string,
  at: LikelihoodAt,
  { etas, others }: { readonly etas: readonly string[]; readonly others: readonly number[] },
): Promise<Float64Array> {
  const { asker } = asked;
  const layers = likelihoodLayers(asked, at, others);
  const out = new Float64Array(etas.length);
  for (let from = 0; from < etas.length; from += MOVES) {
    const some = etas.slice(from, from + MOVES);
    const moved = Object.fromEntries(some.map((eta, m) => [`s_m${m}`, eta]));
    const aggregates = some.map((_, m) => {
      const there = familyNamed(at.family).written(`s_m${m}`, TARGET, asker.rows.engine.dialect);
      return `sum((${there.logLikelihood}) - ${LOG_LIKELIHOOD})`;
    });
    out.set(await asker.sums(purpose, { layers: [...layers, moved], aggregates }), from);
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
    answers.push(await gains(asked, "what the likelihood gains by moves", input, { etas, others: [] }));
  }
  return answers;
}

export async function answerBends(asked: Asked, inputs: readonly BendsInput[]): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const input of inputs) {
    const { columns, ends, moves, scaling } = input;
    const purpose = "how the likelihood bends";
    const of = columns.flatMap((_, c) =>
      Array.from({ length: ends[c] - (c === 0 ? 0 : ends[c - 1]) }, () => c),
    );
    const steps = of.map((c, m) => scaling.slope[columns[c]] * moves[m]);
    const firsts = columns
      .map(variableName)
      .flatMap((u) => [`sum(${SCORE} * ${u})`, `sum(${WEIGHT} * ${u} * ${u})`]);
    const layers = likelihoodLayers(asked, input, columns);
    const sums = await asked.asker.sums(purpose, { layers, aggregates: firsts });
    const etas = steps.map((t, m) => etaSql(input, undefined, [columns[of[m]], t]));
    const gained = await gains(asked, purpose, input, { etas, others: columns });
    const bends = gained.map((gain, m) => {
      const [first, second] = [sums[2 * of[m]], sums[2 * of[m] + 1]];
      return gain - steps[m] * first + 0.5 * steps[m] ** 2 * second;
    });
    const weights = columns.map((j, c) => scaling.slope[j] ** 2 * sums[2 * c + 1]);
    answers.push(Float64Array.from([...bends, ...weights]));
  }
  return answers;
}
