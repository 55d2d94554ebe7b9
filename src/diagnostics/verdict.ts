/**
 * What the diagnostics of a run mean, in words: first whether anything is wrong, then for each problem one
 * sentence that says what and one that says what to do. Thresholds: R-hat 1.01 and an ESS of 100 per chain are
 * those of Vehtari et al. (2021); the others are named below with their reasons.
 */

import { grouped, option } from "../wording.js";

/** What is known of a run. A field is absent when its stage did not run or its number does not exist. */
export interface RunDiagnostics {
  /** The number of chains behind the reported numbers. */
  readonly chains: number;
  /** The reported numbers come from enumeration: there is no Monte Carlo error to judge. */
  readonly exact?: boolean;
  /** Those chains are of a length that no option sets: the advice is another. */
  readonly fixedLength?: boolean;
  /** The largest R-hat and the smallest ESS of the reported quantities, and whose they are. */
  readonly rhat?: number;
  readonly rhatOf?: string;
  /** The largest standard error of an inclusion probability by how much chains differ. */
  readonly apart?: number;
  readonly ess?: number;
  readonly essOf?: string;
  /** The largest Monte Carlo error of an inclusion probability. */
  readonly pipError?: number;
  readonly pipErrorOf?: string;
  readonly certificateComplete?: boolean;
  readonly largestOutside?: { readonly name: string; readonly pip: number };
  /** Variables that belong together, for which there was no room. */
  readonly missedGroup?: readonly string[];
  /** What all variables together explain beyond the model, and whether that is more than chance allows for. */
  readonly left?: { readonly pValue: number; readonly share: number; readonly something: boolean };
  /** Nobody looked beyond single variables. */
  readonly unseen?: boolean;
  /** The variable whose inclusion probability differs most between search and polish. */
  readonly searchPolishAgreement?: {
    readonly name: string;
    readonly search: number;
    readonly polish: number;
  };
  /** Whether the coefficients' posterior is a normal law that stands for another: then draws cannot be perfect. */
  readonly expanded?: boolean;
  /** The error of the quadratic expansion in the log odds of a variable. */
  readonly approximationError?: number;
  /** Whether the place was found at which the likelihood is expanded, and how many top models failed to find theirs. */
  readonly atMode?: boolean;
  readonly failedModes?: number;
  /** How often a step blew up and was halved, and whether the chain settled afterwards. */
  readonly halvings?: number;
  readonly settled?: boolean;
  /** Kernel Stein discrepancy of draws of the coefficients, and that of as many perfect draws. */
  readonly stein?: { readonly discrepancy: number; readonly expected: number; readonly coefficients: number };
  readonly outOfTime?: boolean;
  /** The user stopped it. */
  readonly stopped?: boolean;
  /** Of each chain, where an option sets their number. */
  readonly iterations?: number;
  /** How many variables were selected, and the probability that at least one belongs. */
  readonly selected?: number;
  readonly anyIncluded?: number;
  /** What that was before the data. */
  readonly anyExpected?: number;
  /** The largest model allowed, whether the rows set that limit, and the probability of that size. */
  readonly sizeLimit?: { readonly size: number; readonly byRows: boolean; readonly probability: number };
  /** The option whose value is too small for the effects that there are, and a better value. */
  readonly slabConflict?: { readonly option: "slabVariance" | "g"; readonly better?: number };
  /** Checks that were not made because they take rows, and rows could only be asked about. */
  readonly unchecked?: readonly string[];
  /** What the model itself leaves open whatever the chains do, in sentences. */
  readonly concerns?: readonly string[];
  /** What a reader should know although nothing is wrong, in sentences. */
  readonly remarks?: readonly string[];
}

export interface Verdict {
  readonly ok: boolean;
  /** To be read first, and enough by itself. */
  readonly summary: string;
  readonly warnings: readonly string[];
}

export const RHAT = 1.01;
/** Where chains have plainly not met: the threshold before rank normalisation (Gelman and Rubin 1992). */
const RHAT_USELESS = 1.1;
/**
 * Chains of many weak effects may differ in how many there are and hardly in any one: among 300 columns with 123 effects
 * R-hat was 1.23, and inclusion probabilities were within 0.013 of those of chains 64 times as long. Chains that have
 * stayed in modes of their own leave at least 0.25 in doubt.
 */
const APART_USELESS = 0.1;
export const ESS_PER_CHAIN = 100;
/** The accuracy promised for inclusion probabilities. */
const PIP_ERROR = 0.01;
/** Search is noisy for small probabilities by construction, so only opposite answers count. */
const OPPOSITE = 0.5;
/** A tenth in log odds moves an even inclusion probability by 0.025. */
const APPROXIMATION = 0.1;

export function verdict(run: RunDiagnostics): Verdict {
  const warnings = [
    ...time(run),
    ...blowups(run),
    ...certificate(run),
    ...overall(run),
    ...(run.exact ? [] : shortness(run)),
    ...approximation(run),
    ...stein(run),
    ...limits(run),
    ...slab(run),
    ...stages(run),
    ...(run.concerns ?? []),
  ];
  const summary = [opening(warnings, run) + emptiness(run), ...(run.remarks ?? [])].join(" ");
  return { ok: warnings.length === 0, summary, warnings };
}

/** Where substitutes share the evidence, none may be selected although the data support them. */
function emptiness({ selected, anyIncluded = 0, anyExpected = 0, left, unseen }: RunDiagnostics): string {
  if (selected !== 0) return "";
  if (anyIncluded > 0.5 && anyIncluded > anyExpected) {
    return ` No variable stands out by itself, but at least one belongs with probability ${shown(anyIncluded)}: several share the evidence.`;
  }
  if (left?.something) return " No variable was selected, although together they explain something.";
  if (anyIncluded > 0.5) {
    return ` No variable was selected: that any belongs has become no more probable by the data (${shown(anyExpected)} before, ${shown(anyIncluded)} after).`;
  }
  return unseen
    ? " No variable was selected: the data support none of them by itself."
    : " No variable was selected: the data support none of them.";
}

/** What no single variable and no small group explains. */
function overall({ left }: RunDiagnostics): string[] {
  if (!left?.something) return [];
  const share =
    left.share >= 0.005 ? `, very roughly ${shown(Math.round(100 * left.share))}% of the rest,` : "";
  return [
    `All variables together explain more${share} than those in the model (chance would do so in ${shown(left.pValue)} of cases): ` +
      "many small effects, or a combination that was not found. More rows would show which.",
  ];
}

/** Probability of the largest size from which on a larger one would matter. */
const AT_LIMIT = 0.01;

function limits({ sizeLimit }: RunDiagnostics): string[] {
  if (!sizeLimit || sizeLimit.probability < AT_LIMIT) return [];
  const { size, byRows, probability } = sizeLimit;
  if (size === 0) return ["There are too few rows to put any variable into a model. Add rows."];
  const reached = `Models reach the largest size allowed, ${size} ${size === 1 ? "variable" : "variables"}, with probability ${shown(probability)}.`;
  return [`${reached} ${byRows ? "More would need more rows." : `Raise ${option("maxSize")}.`}`];
}

function slab({ slabConflict }: RunDiagnostics): string[] {
  if (!slabConflict) return [];
  const { option: name, better } = slabConflict;
  return better === undefined
    ? [
        `The variables explain the target completely, so the noise variance and the intervals come from the prior. Raise ${option(name)} to narrow them.`,
      ]
    : [
        `The effects are larger than the prior expects of so little noise: the noise variance and the intervals are overstated. Set ${option(name)} to about ${Number(better.toPrecision(1))}.`,
      ];
}

function opening(warnings: readonly string[], { unchecked = [] }: RunDiagnostics): string {
  const open =
    unchecked.length === 0 ? [] : [`Not checked, for it takes the rows themselves: ${listed(unchecked)}.`];
  if (warnings.length === 0)
    return [
      open.length === 0 ? "No problems found." : "No problems found in what was checked.",
      ...open,
    ].join(" ");
  const count = warnings.length === 1 ? "One problem found." : `${warnings.length} problems found.`;
  return [count, ...warnings, ...open].join(" ");
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

function blowups({ halvings = 0, settled = true }: RunDiagnostics): string[] {
  if (!settled) {
    return [
      `The chain blew up at every step size tried; do not use these results. Set a smaller ${option("stepSize")}.`,
    ];
  }
  if (halvings === 0) return [];
  const times = halvings === 1 ? "once" : `${halvings} times`;
  return [
    `The step size was too large and was halved ${times}. Set a smaller ${option("stepSize")} to save the lost time.`,
  ];
}

function certificate(run: RunDiagnostics): string[] {
  const { certificateComplete = true, largestOutside, missedGroup, outOfTime, stopped } = run;
  if (certificateComplete) return [];
  const group = missedGroup ? ` ${missedGroup.join(" and ")} belong together.` : "";
  const worst = group
    ? group
    : largestOutside
      ? ` The strongest left out is ${largestOutside.name}, with probability ${shown(largestOutside.pip)}.`
      : "";
  const advice = outOfTime
    ? `Raise ${option("seconds")}.`
    : "Too many variables share the evidence to compare them all: leave out columns that say the same.";
  return [`Some variables may have been missed.${worst}${stopped ? "" : ` ${advice}`}`];
}

/** Chains that were too short, by whatever shows it: several signs, one cause, one thing to do. */
function shortness(run: RunDiagnostics): string[] {
  const { chains, rhat = 1, rhatOf, apart, ess, essOf, pipError, pipErrorOf } = run;
  const of = (name: string | undefined, word = "for"): string => (name ? ` ${word} ${name}` : "");
  const signs: string[] = [];
  let times = 1;
  if (chains >= 2 && !(rhat <= RHAT)) {
    const number = `(R-hat ${shown(rhat)}${of(rhatOf)})`;
    if (areUseless(run)) signs.push(`the chains disagree ${number}; do not use these results`);
    else if (rhat <= RHAT_USELESS) signs.push(`the chains do not quite agree ${number}`);
    else signs.push(onSizeAlone(number, apart));
    times = areUseless(run) ? 4 : 2;
  }
  if (ess !== undefined && !(ess >= ESS_PER_CHAIN * chains)) {
    signs.push(`there are too few independent draws${of(essOf)} (ESS ${shown(ess)})`);
    times = Math.max(times, needed((ESS_PER_CHAIN * chains) / ess));
  }
  if (pipError !== undefined && !(pipError <= PIP_ERROR)) {
    signs.push(`the inclusion probability${of(pipErrorOf, "of")} is uncertain by ±${shown(pipError)}`);
    times = Math.max(times, needed((pipError / PIP_ERROR) ** 2));
  }
  const alone =
    chains < 2 ? [`One chain cannot show whether chains agree. Run with ${option("chains", 4)}.`] : [];
  if (signs.length === 0) return alone;
  const sentences = signs.map((sign) => `${sign.charAt(0).toUpperCase()}${sign.slice(1)}.`);
  // Whoever stopped the run knows what would have helped.
  return [...alone, [...sentences, ...(run.stopped ? [] : [remedy(run, times)])].join(" ")];
}

const areUseless = ({ rhat = 1, apart = Number.POSITIVE_INFINITY }: RunDiagnostics): boolean =>
  !(rhat <= RHAT_USELESS) && !(apart <= APART_USELESS);

const onSizeAlone = (number: string, apart = 0): string =>
  `the chains do not agree on how many variables belong ${number}; on each of them they do, to ±${shown(apart)}`;

/** Beyond this many times the length something else is wrong. */
const MANY_TIMES = 100;
const needed = (times: number): number => (times <= MANY_TIMES ? Math.ceil(times) : MANY_TIMES);

function remedy(run: RunDiagnostics, times: number): string {
  const { fixedLength, outOfTime, iterations } = run;
  if (!fixedLength) {
    return iterations === undefined
      ? `Run ${times === 2 ? "twice" : `${times} times`} as many ${option("iterations")}.`
      : `Now ${grouped(iterations)} iterations; try ${option("iterations", roundUp(times * iterations))}.`;
  }
  if (outOfTime) return `Raise ${option("seconds")}.`;
  return areUseless(run)
    ? `Lower ${option("maxSize")} or leave out columns that say the same.`
    : `Another seed (${option("seed", 2)}) shows how much it matters.`;
}

/** To one digit. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(value / unit) * unit;
}

function approximation({ approximationError, atMode, failedModes }: RunDiagnostics): string[] {
  if (atMode === false) {
    return [
      "The mode of the model could not be found, so the likelihood is expanded at another place; do not use these results. " +
        "Look for columns that separate the classes, or leave very rare ones out.",
    ];
  }
  const failed =
    failedModes === undefined
      ? []
      : [
          `Of ${failedModes} probable ${failedModes === 1 ? "model" : "models"} the mode could not be found, so the probability is a rough one. ` +
            "Look for columns that separate the classes, or leave very rare ones out.",
        ];
  if (approximationError === undefined || approximationError <= APPROXIMATION) return failed;
  return [
    ...failed,
    `The quadratic approximation is poor (error ${shown(approximationError)} in the log odds of a variable). ` +
      "Read inclusion probabilities between 0.1 and 0.9 as rough.",
  ];
}

/** Perfect draws stay below this multiple of what is expected in 999 of 1,000 runs, with any number of coefficients. */
const steinLimit = (coefficients: number): number => 1.25 + 1 / coefficients;

const STEIN_INEXACT = 2;
/** Beyond this multiple no shortage of rows explains it: forty rows of classes make 1.9. */
const STEIN_FAILED = 4;

function stein({ stein: measured, exact, fixedLength, expanded }: RunDiagnostics): string[] {
  if (!measured) return [];
  const ratio = measured.discrepancy / measured.expected;
  if (ratio <= steinLimit(measured.coefficients)) return [];
  const number = `(Stein discrepancy ${shown(ratio)} times that of perfect draws)`;
  if (!exact && !fixedLength) {
    return [
      `The coefficients are not quite those of the posterior ${number}: mini-batches make chains wander too far. Leave out ${option("preset", "paper")}, or set a smaller ${option("stepSize")}.`,
    ];
  }
  if (!expanded) {
    // Independent draws of a known law exceed the limit by chance alone; arithmetic that fails does so by far.
    if (ratio <= STEIN_INEXACT) return [];
    return [
      `Effects and intervals have lost their accuracy ${number}: columns that are nearly combinations of each other, or on very different scales, are too much for the arithmetic. Leave out columns that say the same.`,
    ];
  }
  if (ratio <= STEIN_FAILED) {
    return [
      `The posterior of the coefficients is not quite normal ${number}, as happens with few rows, few events or rare columns: read effects and intervals, and probabilities that are in doubt, as rough. More rows would help, or leaving rare columns out.`,
    ];
  }
  return [
    `The normal law that stands for the posterior of the coefficients has failed ${number}; do not use effects and intervals. ` +
      `Look for columns that separate the classes and for values that are far from all others: leave them out, take logarithms, or set a smaller ${option("slabVariance")}.`,
  ];
}

/** What a search missed is no problem once the certificate has found it and is complete. */
function stages({ searchPolishAgreement: worst, certificateComplete }: RunDiagnostics): string[] {
  if (certificateComplete || worst === undefined || Math.abs(worst.search - worst.polish) <= OPPOSITE) {
    return [];
  }
  return [
    `Search and polish disagree about ${worst.name} (${shown(worst.search)} and ${shown(worst.polish)}), ` +
      `and the certificate does not settle it. Raise ${option("iterations")} or ${option("batch")}.`,
  ];
}

function time({ outOfTime = false, stopped = false }: RunDiagnostics): string[] {
  if (stopped) return ["The run was stopped before its end: this is the best found so far."];
  return outOfTime ? [`Time ran out: this is the best found so far. Raise ${option("seconds")}.`] : [];
}

/** Three digits, whole numbers from 100 on, and no exponent a reader would stumble over. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "unknown" : "infinite";
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
