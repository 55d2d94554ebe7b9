/** What a user may ask of `fit`, and the plan that follows from it. The command line has the same names. */

import { SparrowError } from "../errors.js";
import { type IntegratorName, integratorNames } from "../integrators/named.js";
import { type StepSizes, scheduleOf } from "../sampling/schedule.js";

export interface FitOptions {
  /** Name of the column to explain. */
  readonly target: string;
  readonly family?: "auto" | "gaussian" | "binomial" | "poisson";
  /** `auto` chooses everything from the data; `paper` runs Algorithm 1 alone with the paper's settings. */
  readonly preset?: "auto" | "paper";
  readonly chains?: number;
  readonly iterations?: number;
  readonly burnIn?: number;
  /** Rows in a mini-batch, n. */
  readonly batch?: number;
  /** Whole blocks of the shuffled store (fast), or single rows with or without replacement. */
  readonly sampling?: "blocks" | "rows" | "rows-with-replacement";
  /** Models per iteration, m. */
  readonly models?: number;
  /** Reversible-jump moves per model. */
  readonly moves?: number;
  /** ε, constant; or a, b, kappa of ε_t = a(b + t)^(−κ); or a and length of a cycle. See `docs/integrators.md`. */
  readonly stepSize?: StepSizes;
  readonly integrator?: IntegratorName;
  readonly temperature?: number;
  readonly modelPrior?: "inclusion" | "beta-binomial" | "uniform";
  /** λ, the prior probability that a variable is in. */
  readonly priorInclusion?: number;
  /** Instead of λ: how many variables are expected to be in. */
  readonly expectedSize?: number;
  readonly slab?: "independent" | "zellner";
  /** v: β_j ~ N(0, v), or N(0, vσ²) when σ² is unknown. */
  readonly slabVariance?: number;
  /** g of Zellner's prior; the number of rows unless told. */
  readonly g?: number;
  /** C0 and ζ of the paper's prior for generalised linear models: 10 and 0.5 unless told. Paper preset only. */
  readonly priorC0?: number;
  readonly priorZeta?: number;
  readonly noiseVariance?: number | "unknown";
  readonly maxSize?: number;
  /** Bayesian false-discovery rate of the wider selection, 0.05 unless told. */
  readonly fdr?: number;
  readonly scale?: "standard" | "none";
  readonly intercept?: "always" | "select" | "none";
  /** Predictors to consider, by name or pattern (`z*`); all columns unless given. */
  readonly columns?: readonly string[];
  readonly always?: readonly string[];
  readonly exclude?: readonly string[];
  /**
   * What to do about missing predictors: draw them along with the model, which is done unless told, leave their rows
   * out, put the column's mean in their place, or refuse.
   */
  readonly missing?: "impute" | "drop" | "mean" | "error";
  /** Bytes that the data may take up in memory; larger data stay on disk. */
  readonly memory?: number;
  /** Share of the rows that are set aside to score predictions on. */
  readonly holdout?: number;
  /** Time for everything after reading; the answer is then the best found so far. */
  readonly seconds?: number;
  readonly seed?: number;
  /** Threads to use; the answer does not depend on it. */
  readonly threads?: number;
  /** Stops the run; the result so far is returned, marked as partial. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly stage:
    | "receive"
    | "read"
    | "screen"
    | "search"
    | "certify"
    | "polish"
    | "check"
    | "sample"
    | "write";
  readonly done: number;
  /** 0 where nobody knows. */
  readonly total: number;
  /** Of the files that are read, or of standard input, whose size is not known. */
  readonly bytes?: { readonly done: number; readonly total?: number };
}

/** The options of text that can only be one of a few. */
const CHOICES = {
  family: ["auto", "gaussian", "binomial", "poisson"],
  preset: ["auto", "paper"],
  sampling: ["blocks", "rows", "rows-with-replacement"],
  modelPrior: ["inclusion", "beta-binomial", "uniform"],
  slab: ["independent", "zellner"],
  scale: ["standard", "none"],
  intercept: ["always", "select", "none"],
  missing: ["impute", "drop", "mean", "error"],
  integrator: integratorNames,
} as const satisfies Partial<Record<keyof FitOptions, readonly string[]>>;
const LISTS = ["columns", "always", "exclude"] as const;
/** All the others. The compiler sees to it that none is forgotten. */
const OTHERS: Record<Exclude<keyof FitOptions, keyof typeof CHOICES | (typeof LISTS)[number]>, true> = {
  ...{ target: true, chains: true, iterations: true, burnIn: true, batch: true, models: true, moves: true },
  ...{ stepSize: true, temperature: true, priorInclusion: true, expectedSize: true, slabVariance: true },
  ...{ g: true, priorC0: true, priorZeta: true, noiseVariance: true, maxSize: true, fdr: true, memory: true },
  ...{ seconds: true, holdout: true, seed: true, threads: true, signal: true, onProgress: true },
};

/** Checks the names of the options and everything that came from a user; the message names the option. */
export function checkOptions(options: FitOptions): void {
  checkNames(options);
  positiveInteger("chains", options.chains);
  positiveInteger("iterations", options.iterations);
  positiveInteger("batch", options.batch);
  positiveInteger("models", options.models);
  positiveInteger("moves", options.moves);
  positiveInteger("max-size", options.maxSize);
  positiveInteger("threads", options.threads);
  positive("slab-variance", options.slabVariance);
  positive("seconds", options.seconds);
  const { holdout } = options;
  if (holdout !== undefined && !(holdout > 0 && holdout < 1)) {
    throw usage(`--holdout must lie between 0 and 1, not ${holdout}.`);
  }
  positive("prior-c0", options.priorC0);
  positive("prior-zeta", options.priorZeta);
  positive("expected-size", options.expectedSize);
  positive("g", options.g);
  checkStepSize(options.stepSize);
  if (options.noiseVariance !== "unknown") positive("noise-variance", options.noiseVariance);
  const { burnIn, iterations, temperature, priorInclusion, seed } = options;
  if (burnIn !== undefined && !(Number.isInteger(burnIn) && burnIn >= 0)) {
    throw usage(`--burn-in must be a whole number that is not negative, not ${burnIn}.`);
  }
  if (burnIn !== undefined && iterations !== undefined && burnIn >= iterations) {
    throw usage(`--burn-in ${burnIn} leaves nothing of --iterations ${iterations}; make it smaller.`);
  }
  if (temperature !== undefined && !(temperature >= 0 && temperature < Infinity)) {
    throw usage(`--temperature must be a number that is not negative, not ${temperature}.`);
  }
  if (priorInclusion !== undefined && !(priorInclusion > 0 && priorInclusion < 1)) {
    throw usage(`--prior-inclusion must lie between 0 and 1, not ${priorInclusion}.`);
  }
  if (options.fdr !== undefined && !(options.fdr > 0 && options.fdr < 1)) {
    throw usage(`--fdr must lie between 0 and 1, not ${options.fdr}.`);
  }
  const { modelPrior = "inclusion", expectedSize } = options;
  if (priorInclusion !== undefined && modelPrior !== "inclusion") {
    throw usage(`--prior-inclusion has no meaning with --model-prior ${modelPrior}; leave one of them out.`);
  }
  if (expectedSize !== undefined && modelPrior === "uniform") {
    throw usage("--expected-size has no meaning with --model-prior uniform; leave one of them out.");
  }
  if (priorInclusion !== undefined && expectedSize !== undefined) {
    throw usage("--prior-inclusion and --expected-size say the same thing twice; give one of them.");
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw usage(`--seed must be a whole number that is not negative, not ${seed}.`);
  }
  checkMeaning(options);
}

function checkNames(options: FitOptions): void {
  if (typeof options?.target !== "string") throw usage("--target is missing: the column to explain.");
  for (const name of Object.keys(options)) {
    if (name in OTHERS || name in CHOICES || LISTS.some((list) => list === name)) continue;
    throw usage(
      `There is no option ${name}; the options are ${Object.keys(OTHERS).join(", ")}, ${[...Object.keys(CHOICES), ...LISTS].join(", ")}.`,
    );
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES];
    if (value === undefined || (choices as readonly string[]).includes(value)) continue;
    throw usage(`--${dashed(name)} must be one of ${choices.join(", ")}, not ${value}.`);
  }
  for (const name of LISTS) {
    if (options[name] !== undefined && !Array.isArray(options[name])) {
      throw usage(`--${name} must be a list of columns, not ${options[name]}.`);
    }
  }
}

/** An option that would change nothing is a misunderstanding: better said than ignored. */
function checkMeaning({ preset, slab, g, slabVariance, priorC0, priorZeta, ...options }: FitOptions): void {
  if (g !== undefined && slab !== "zellner") throw usage("--g is of the zellner prior: add --slab zellner.");
  if (slabVariance !== undefined && slab === "zellner") {
    throw usage("--slab-variance has no meaning with --slab zellner; give --g instead.");
  }
  const { noiseVariance, family } = options;
  if (typeof noiseVariance === "number" && (family === "binomial" || family === "poisson")) {
    throw usage(`--noise-variance has no meaning with --family ${family}; leave it out.`);
  }
  if (preset !== "paper") {
    if (options.intercept === "select") {
      throw usage(
        "--intercept select is of the paper's settings: add --preset paper, or let it be always in or out (always, none).",
      );
    }
    if (priorC0 === undefined && priorZeta === undefined) return;
    throw usage(
      `--prior-${priorC0 === undefined ? "zeta" : "c0"} is of the paper's settings: add --preset paper.`,
    );
  }
  const idle = {
    "slab zellner": slab === "zellner",
    [`model-prior ${options.modelPrior}`]: (options.modelPrior ?? "inclusion") !== "inclusion",
    "expected-size": options.expectedSize !== undefined,
    fdr: options.fdr !== undefined,
    "scale standard": options.scale === "standard",
  };
  const given = Object.entries(idle).find(([, is]) => is)?.[0];
  if (given) throw usage(`--${given} has no meaning with --preset paper; leave one of them out.`);
}

function checkStepSize(steps: StepSizes | undefined): void {
  if (typeof steps !== "object" || steps === null) positive("step-size", steps);
  else if (!("kappa" in steps || "length" in steps)) {
    throw usage(
      "--step-size is a number, or a, b and kappa of a decreasing step, or a and length of a cycle.",
    );
  } else scheduleOf(steps);
}

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function positiveInteger(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return;
  throw usage(`--${name} must be a positive whole number, not ${value}.`);
}

function positive(name: string, value: number | undefined): void {
  if (value === undefined || (value > 0 && value < Infinity)) return;
  throw usage(`--${name} must be a positive number, not ${value}.`);
}

function usage(message: string): SparrowError {
  return new SparrowError(message, "option");
}
