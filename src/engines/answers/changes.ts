/** What the likelihood gains when coefficients move, and how far it bends away from its expansion. */

import { type FamilyName, familyNamed } from "../../families/register.js";
import type { BendsInput } from "../../selection/expansion/bends.js";
import type { ChangesInput } from "../../selection/expansion/changes.js";
import { seenName } from "../asked-variables.js";
import type { Asked } from "../asking-pool.js";
import { combination, ETA, type Layer, TARGET, variableName, written } from "../question.js";
import { LOG_LIKELIHOOD, likelihoodLayers, SCORE, WEIGHT } from "./likelihood.js";

/** Moves of η that one query is asked about: each is a number for every row. */
const MOVES = 100;

/** Σ ℓ(η + move) − ℓ(η) of every move, given as SQL; `layers` name η and ℓ. */
async function gains(
  { asker }: Asked,
  purpose: string,
  { family, layers, moves }: { family: FamilyName; layers: readonly Layer[]; moves: readonly string[] },
): Promise<Float64Array> {
  const out = new Float64Array(moves.length);
  for (let from = 0; from < moves.length; from += MOVES) {
    const some = moves.slice(from, from + MOVES);
    const moved = Object.fromEntries(some.map((move, m) => [`s_m${m}`, `(${ETA} + ${move})`]));
    const aggregates = some.map((_, m) => {
      const there = familyNamed(family).written(`s_m${m}`, TARGET, asker.rows.engine.dialect);
      return `sum((${there.logLikelihood}) - ${LOG_LIKELIHOOD})`;
    });
    out.set(await asker.sums(purpose, { layers: [...layers, moved], aggregates }), from);
  }
  return out;
}

export async function answerChanges(asked: Asked, inputs: readonly ChangesInput[]): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const input of inputs) {
    const { point, moves, family } = input;
    const size = point.columns.length + 1;
    const layers = likelihoodLayers(asked, input, point.columns);
    const along = Array.from({ length: moves.length / size }, (_, m) => {
      const move = moves.subarray(m * size, (m + 1) * size);
      return `(${combination(
        move[0],
        point.columns.map((j, i) => [move[i + 1], seenName(j)] as const),
      )})`;
    });
    answers.push(
      await gains(asked, "what the likelihood gains by moves", { family, layers, moves: along }),
    );
  }
  return answers;
}

export async function answerBends(asked: Asked, inputs: readonly BendsInput[]): Promise<Float64Array[]> {
  const answers: Float64Array[] = [];
  for (const input of inputs) {
    const { columns, ends, moves, scaling, family } = input;
    const base = likelihoodLayers(asked, input);
    // The columns that move need not be in the point.
    const layers = [{ ...base[0], ...asked.variables.stored(columns) }, ...base.slice(1)];
    const purpose = "how the likelihood bends";
    const of = columns.flatMap((_, c) =>
      Array.from({ length: ends[c] - (c === 0 ? 0 : ends[c - 1]) }, () => c),
    );
    const steps = of.map((c, m) => scaling.slope[columns[c]] * moves[m]);
    const names = columns.map(variableName);
    const firsts = names.flatMap((u) => [`sum(${SCORE} * ${u})`, `sum(${WEIGHT} * ${u} * ${u})`]);
    const sums = await asked.asker.sums(purpose, { layers, aggregates: firsts });
    const along = steps.map((t, m) => `${written(t)} * ${names[of[m]]}`);
    const gained = await gains(asked, purpose, { family, layers, moves: along });
    const bends = gained.map((gain, m) => {
      const [first, second] = [sums[2 * of[m]], sums[2 * of[m] + 1]];
      return gain - steps[m] * first + 0.5 * steps[m] ** 2 * second;
    });
    const weights = columns.map((j, c) => scaling.slope[j] ** 2 * sums[2 * c + 1]);
    answers.push(Float64Array.from([...bends, ...weights]));
  }
  return answers;
}
