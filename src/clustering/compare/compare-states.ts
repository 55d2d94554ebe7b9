/** How many hidden states? Each number at its mode, by the Bayesian information criterion and by pieces left out. */

import { Rng } from "../../math/rng.js";
import { CLUSTER_STREAMS } from "../../sampling/streams.js";
import type { Rows } from "../../types.js";
import { type Crew, callingThread, type RunningOptions } from "../../workers/crew.js";
import { secondsOfChain } from "../chains/state-chain.js";
import { checkCount } from "../clusters.js";
import { type HiddenStatesOptions, stateProblem } from "../hidden-states.js";
import { logScaleOf } from "./compare-components.js";
import { cut, PIECES_PER_FOLD, stateCountJob } from "./count-job.js";
import { counted } from "./counted.js";
import type { NumberChoice, NumberScore } from "./number-choice.js";

export interface CompareStatesOptions
  extends RunningOptions,
    Pick<HiddenStatesOptions, "emission" | "initial" | "seed"> {
  /** The numbers of states to compare. */
  readonly counts: readonly number[];
  /** Parts into which the steps are cut, each of which is predicted by the others; 5 unless told. */
  readonly folds?: number;
}

export interface StateScore extends NumberScore {
  /** How many states. */
  readonly states: number;
}

export interface StateComparison extends NumberChoice {
  /** One entry a number, in the order given. */
  readonly scores: readonly StateScore[];
  /** Numbers that could not be fitted, and why. */
  readonly failures: readonly { readonly states: number; readonly failure: string }[];
  /** The run was stopped: these are the numbers that were done. */
  readonly partial?: true;
}

export async function compareStates(
  values: Rows["values"] | readonly Rows["values"][],
  options: CompareStatesOptions,
  crew: Crew = callingThread,
): Promise<StateComparison> {
  const { counts, emission, initial, seed = 1, folds = 5 } = options;
  for (const count of counts) checkCount("counts", count);
  const { problem, units } = stateProblem(values, { states: 1, emission, ...(initial && { initial }) });
  const { data } = problem;
  const parts = Math.min(folds, data.steps);
  const of = (states: number) => ({ ...problem, states, method: "gibbs" as const });
  const logScale = (steps: number, of: Rows["values"]): number => {
    let sum = 0;
    if (units) for (let t = 0; t < steps; t++) sum += logScaleOf(of, t, data.columns, units);
    return sum;
  };
  const { scores, failures, ...choice } = await counted({
    job: stateCountJob,
    kind: "states",
    counts,
    problem: of,
    folds: parts,
    rng: Rng.seeded(seed).split(CLUSTER_STREAMS.chains),
    seconds: counts.reduce((sum, count) => sum + secondsOfChain(of(count), 300), 0),
    running: options,
    crew,
    observed() {
      const pieces = cut(data, parts * PIECES_PER_FOLD);
      return {
        rows: data.steps,
        logScale: logScale(data.steps, data.values),
        logScales: Float64Array.from(pieces, ({ steps, values }) => logScale(steps, values)),
        sizes: Float64Array.from(pieces, ({ steps }) => steps),
      };
    },
  });
  return {
    ...choice,
    scores: scores.map(({ count, ...score }) => ({ states: count, ...score })),
    failures: failures.map(({ count, failure }) => ({ states: count, failure })),
  };
}
