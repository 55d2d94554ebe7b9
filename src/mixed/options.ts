/** What a user may ask of a mixed model. The command line has the same names. */

import { SparrowError } from "../errors.js";
import type { Progress } from "../options/fit.js";
import type { MixedPriors } from "./model/chart.js";

export interface MixedOptions {
  /** Name of the column to explain, and of the one that says which group a row belongs to. */
  readonly target: string;
  readonly group: string;
  /** Columns with an effect common to all groups; the intercept always has one. */
  readonly fixed?: readonly string[];
  /** Columns whose effect varies between groups, besides the intercept. */
  readonly random?: readonly string[];
  /** `auto` chooses everything from the data; `paper` runs Algorithm S1 with the paper's settings. */
  readonly preset?: "auto" | "paper";
  /** `gibbs` is exact and visits every group in every sweep; `esgld` visits a mini-batch. */
  readonly method?: "auto" | "esgld" | "gibbs";
  readonly chains?: number;
  readonly iterations?: number;
  readonly burnIn?: number;
  /** Groups in a mini-batch, n. */
  readonly batch?: number;
  /** Imputations of the random effects per iteration, m; 0 integrates them out. */
  readonly imputations?: number;
  /** ε; in posterior standard deviations squared for `auto`, in the units of θ for `paper`. */
  readonly stepSize?: number;
  readonly temperature?: number;
  readonly priors?: Partial<MixedPriors>;
  readonly seed?: number;
  /** Bytes that reading may take up; beyond them it works on disk. */
  readonly memory?: number;
  /** Stops the run; the result so far is returned, marked as partial. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onMessage?: ((message: string) => void) | undefined;
}

export interface MixedPlan {
  readonly method: "esgld" | "gibbs";
  readonly chains: number;
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  readonly batch: number;
  readonly imputations: number;
  readonly stepSize: number;
  readonly temperature: number;
  /** Whether to step in whitened coordinates from an anchor at the mode. */
  readonly anchored: boolean;
}

/**
 * Up to here 2000 exact sweeps take seconds (about 2 µs a group with six random effects), and exact is exact; beyond,
 * the posterior is near enough to normal for the anchored chain, whose variances are 2.5% too large by discretisation.
 */
const FEW_GROUPS = 500;
/** What is kept of a chain, however long: more would not change any digit that is shown. */
const KEPT = 2000;

export function planOf(options: MixedOptions, groups: number): MixedPlan {
  checkOptions(options);
  const paper = options.preset === "paper";
  const asked = options.method ?? "auto";
  const method = asked !== "auto" ? asked : paper || groups > FEW_GROUPS ? "esgld" : "gibbs";
  const iterations = options.iterations ?? (paper ? 4000 : method === "gibbs" ? 2000 : 10_000);
  const burnIn = options.burnIn ?? Math.floor(iterations / (paper ? 4 : 10));
  checkBurnIn(burnIn, iterations);
  return {
    method,
    chains: options.chains ?? (paper ? 1 : 4),
    iterations,
    burnIn,
    thin: Math.max(1, Math.floor((iterations - burnIn) / KEPT)),
    batch: Math.min(groups, options.batch ?? (paper ? 500 : 100)),
    imputations: options.imputations ?? Number(paper),
    stepSize: options.stepSize ?? (paper ? 0.002 / groups : 0.1),
    temperature: options.temperature ?? 1,
    anchored: !paper,
  };
}

/** Before anything is read: what is wrong with the options whatever the data. */
export function checkOptions(options: Omit<MixedOptions, "target" | "group">): void {
  const whole = { chains: 1, iterations: 1, batch: 1, burnIn: 0, imputations: 0, seed: 0 } as const;
  for (const [name, least] of Object.entries(whole) as [keyof typeof whole, number][]) {
    const value = options[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
      throw usage(`--${flagOf(name)} must be a whole number of at least ${least}, not ${value}.`);
    }
  }
  const { stepSize, temperature, preset, imputations, burnIn, iterations } = options;
  if (burnIn !== undefined && iterations !== undefined) checkBurnIn(burnIn, iterations);
  if (stepSize !== undefined && !(stepSize > 0 && stepSize < Infinity)) {
    throw usage(`--step-size must be a positive number, not ${stepSize}.`);
  }
  if (temperature !== undefined && !(temperature >= 0 && temperature < Infinity)) {
    throw usage(`--temperature must be a number that is not negative, not ${temperature}.`);
  }
  if (preset !== "paper" && imputations !== undefined && imputations > 0) {
    throw usage("--imputations goes with --preset paper: the default integrates the random effects out.");
  }
}

function checkBurnIn(burnIn: number, iterations: number): void {
  if (burnIn < iterations) return;
  throw usage(`--burn-in ${burnIn} leaves nothing of --iterations ${iterations}; make it smaller.`);
}

const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const usage = (message: string): SparrowError => new SparrowError(message, "option");
