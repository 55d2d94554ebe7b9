/** What a user may ask of a mixed model, and the plan that follows from it. The command line has the same names. */

import { SparrowError } from "../errors.js";
import type { MixedAsked } from "../options/asked.js";
import { checkAsked, checkRelations } from "../options/check.js";
import type { Progress } from "../options/fit.js";
import { mixedOptions, mixedRelations, OF_BATCHES } from "../options/mixed.js";
import { usual } from "../options/option.js";
import { burnInLeavesSome } from "../options/relations.js";
import { option } from "../wording.js";
import type { MixedPriors } from "./model/chart.js";

export interface MixedOptions extends MixedAsked {
  /** Settings of the priors, for those who know better than the defaults. */
  readonly priors?: Partial<MixedPriors>;
  /** Stops the run; the result so far is returned, marked as partial. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far reading and the chains have come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Hears what was done to the data and to the step size. */
  readonly onMessage?: ((message: string) => void) | undefined;
}

export interface MixedPlan {
  /** All groups in every sweep, or mini-batches of them. */
  readonly method: "esgld" | "gibbs";
  /** Independent chains. */
  readonly chains: number;
  /** Iterations of each chain. */
  readonly iterations: number;
  /** Iterations that are discarded. */
  readonly burnIn: number;
  /** Every so many of the others are kept. */
  readonly thin: number;
  /** Groups in a mini-batch. */
  readonly batch: number;
  /** Draws of the random effects per iteration; 0 integrates them out. */
  readonly imputations: number;
  /** The step of the dynamics. */
  readonly stepSize: number;
  /** 1 targets the posterior. */
  readonly temperature: number;
  /** Whether the chains go on until they agree, as they do where nobody said how long they should be. */
  readonly untilSettled: boolean;
  /** Whether to step in whitened coordinates from an anchor at the mode. */
  readonly anchored: boolean;
}

/**
 * Groups times (q + 1)² up to which all groups are visited in every sweep: 1000 sweeps of four chains take ten seconds or
 * so (0.2 µs a group with one random effect, 0.6 with two), and exact is exact. Beyond, the posterior is mostly near
 * enough to normal for the anchored chain, whose variances are 2.5% too large by discretisation.
 */
const EXACT = 50_000;
/** What is kept of a chain, however long: more would not change any digit that is shown. */
const KEPT = 2000;

export function planOf(options: MixedOptions, groups: number, effects: number): MixedPlan {
  checkOptions(options);
  const plan = planFor(options, groups, effects);
  if (plan.method === "gibbs") refuseBatches(options);
  return plan;
}

/** Of what is left of the shortest chain. */
export function refuseTooFew(draws: number, { iterations }: Partial<MixedOptions>, stopped: boolean): void {
  if (draws >= 2) return;
  if (stopped || iterations === undefined)
    throw new SparrowError("Stopped before anything was sampled.", "stopped");
  throw new SparrowError(
    `${option("iterations", iterations)} leaves ${draws === 1 ? "one draw" : "no draw"} of a chain, which says nothing of its spread: ask for more.`,
    "option",
  );
}

/** Where sweeps were chosen, what mini-batches are told is better refused than ignored. */
export function refuseBatches(options: Partial<MixedOptions>, canBatch = true): void {
  const idle = OF_BATCHES.find((name) => options[name] !== undefined);
  if (idle === undefined) return;
  const instead = canBatch ? `, or add ${option("method", "esgld")}` : "";
  throw new SparrowError(
    `${option(idle)} is of mini-batches, and every sweep visits all of these data: leave it out${instead}.`,
    "option",
  );
}

export function planFor(options: MixedOptions, groups: number, effects: number): MixedPlan {
  const paper = options.preset === "paper";
  const asked = options.method ?? usual(mixedOptions.method);
  const method = asked !== "auto" ? asked : paper || groups * (effects + 1) ** 2 > EXACT ? "esgld" : "gibbs";
  const iterations = options.iterations ?? (paper ? 4000 : method === "gibbs" ? 1000 : 10_000);
  const burnIn = options.burnIn ?? Math.floor(iterations / (paper ? 4 : 10));
  checkRelations({ burnIn, iterations }, [burnInLeavesSome]);
  return {
    method,
    chains: options.chains ?? (paper ? 1 : 4),
    iterations,
    burnIn,
    thin: Math.max(1, Math.floor((iterations - burnIn) / KEPT)),
    batch: Math.min(groups, options.batch ?? (paper ? 500 : 100)),
    imputations: options.imputations ?? Number(paper),
    stepSize: options.stepSize ?? (paper ? 0.002 / groups : 0.1),
    temperature: options.temperature ?? usual(mixedOptions.temperature),
    untilSettled: !paper && options.iterations === undefined,
    anchored: !paper,
  };
}

/**
 * Scale of half-t. With the slab's own tail a scale of 1 has 91% of intervals right of five groups that differ much, one of
 * 3 has 94% (docs/mixed.md).
 */
const SCALES = { "spike-and-slab": 3, "half-t": 1, "inverse-wishart": 1 } as const;

/** The law of the standard deviations and the scale that goes with it. */
export function lawOf({
  prior,
  priorScale,
  preset,
}: Partial<MixedOptions>): Pick<MixedPriors, "law" | "spread"> {
  const law = prior ?? (preset === "paper" ? "inverse-wishart" : "spike-and-slab");
  return { law, spread: priorScale ?? SCALES[law] };
}

/** Before anything is read: what is wrong with the options whatever the data, which may name their target themselves. */
export function checkOptions(options: Partial<MixedOptions>): void {
  const beside = ["priors", "signal", "onProgress", "onMessage"];
  checkAsked(options, { table: mixedOptions, beside, relations: mixedRelations });
}
