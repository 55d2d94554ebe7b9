/**
 * The prior of the coefficients that are in: normal, with a scale that is given or has a prior of its own. The scale is
 * v of independent coefficients or g of Zellner's prior; u is its share of what one row tells (u = v on columns in
 * standard units, u = g/N), so that the same priors serve for both:
 *
 *   zellner-siow  u ~ inverse gamma(½, ½): one coefficient is Cauchy (Zellner and Siow 1980)
 *   hyper-g-n     p(u) = ½(1 + u)^−3/2    (Liang, Paulo, Molina, Clyde and Berger 2008, with a = 3)
 *   hyper-g       p(g) = ½(1 + g)^−3/2    (the same)
 *
 * A prior is held on a grid: powers of two for g, where the posterior of log g is so smooth that the sum is its integral
 * but for parts in ten thousand, and powers of four for v, where every scale costs factors of its own.
 */

import type { FitOptions } from "../../options/fit.js";

export type ScalePrior = "zellner-siow" | "hyper-g" | "hyper-g-n";

/** At one value of its scale. */
export interface FixedSlab {
  readonly kind: "independent" | "zellner";
  /** v or g. */
  readonly scale: number;
}

export interface Slab {
  readonly kind: "independent" | "zellner";
  /** The prior of the scale; absent where it was given. */
  readonly prior?: ScalePrior;
  /** Values of the scale, rising; one where it was given. */
  readonly scales: readonly number[];
  /** Logarithms of their prior probabilities. */
  readonly logPrior: readonly number[];
  /** What each member adds to that, where it is anything. */
  readonly perMember?: readonly number[];
  /** The scale to work with before the data have said anything. */
  readonly first: number;
}

/** log p(log u) up to a constant, for N rows. */
const LOG_DENSITY: Record<ScalePrior, (u: number, rows: number) => number> = {
  "zellner-siow": (u) => -0.5 * Math.log(u) - 1 / (2 * u),
  "hyper-g-n": (u) => Math.log(u) - 1.5 * Math.log1p(u),
  "hyper-g": (u, rows) => Math.log(rows * u) - 1.5 * Math.log1p(rows * u),
};

/** What is left out of a prior at either end. */
const TAIL = 1e-6;
/** Powers of two from which a prior is cut, and from one to the next. */
const POWERS = { least: -30, most: 24 };
const STEP = { independent: 2, zellner: 1 };
/**
 * Independent coefficients whose slab is narrower than four of their standard errors are as good as out, all together or
 * not: such models neither predict better nor end.
 */
const LEAST_ROWS = 16;
/** A ridge of 1/v must stand out from the rounding of sums of squares over all rows. */
const LARGEST_SHARE = 1e11;

export interface SlabShape {
  readonly rows: number;
  /** v of a column as the model sees it whose coefficient has the size of the noise: 1 in standard units. */
  readonly unit: number;
  /** The largest u. */
  readonly most?: number;
}

export function slabOf(
  {
    slab: kind = "independent",
    slabVariance,
    g,
    scalePrior,
  }: Pick<FitOptions, "slab" | "slabVariance" | "g" | "scalePrior">,
  { rows, unit, most = Number.POSITIVE_INFINITY }: SlabShape,
): Slab {
  const given = kind === "zellner" ? g : slabVariance;
  if (given !== undefined) return fixed({ kind, scale: given });
  const scaleOf = (u: number): number => u * (kind === "zellner" ? rows : unit);
  if (scalePrior === "fixed") return fixed({ kind, scale: scaleOf(1) });
  const prior = scalePrior ?? USUAL_PRIOR;
  const density = LOG_DENSITY[prior];
  const count = (POWERS.most - POWERS.least) / STEP[kind] + 1;
  const powers = Array.from({ length: count }, (_, i) => 2 ** (POWERS.least + STEP[kind] * i));
  const isFit = (u: number): boolean =>
    kind === "zellner" || (u * rows >= LEAST_ROWS && u * rows <= LARGEST_SHARE);
  const affordable = powers.filter((u) => u <= most && isFit(u));
  const logs = affordable.map((u) => density(u, rows));
  const largest = Math.max(...logs);
  const kept = affordable.filter((_, i) => logs[i] > largest + Math.log(TAIL));
  return {
    kind,
    prior,
    scales: kept.map(scaleOf),
    logPrior: normalized(kept.map((u) => density(u, rows))),
    first: scaleOf(1),
  };
}

const USUAL_PRIOR: ScalePrior = "hyper-g-n";

export function fixed({ kind, scale }: FixedSlab): Slab {
  return { kind, scales: [scale], logPrior: [0], first: scale };
}

export const slabAt = ({ kind, scales }: Slab, place: number): FixedSlab => ({ kind, scale: scales[place] });

/** The scales that matter, given what is known of their probabilities; the prior stays what it was. */
export function withoutIdle(slab: Slab, probability: ArrayLike<number>, negligible: number): Slab {
  const kept = slab.scales.flatMap((_, s) => (probability[s] > negligible ? [s] : []));
  return kept.length === 0 ? slab : atPlaces(slab, kept);
}

/** A slab at the scales of another one. */
export function amongScales(slab: Slab, { scales }: Pick<Slab, "scales">): Slab {
  return atPlaces(
    slab,
    scales.map((scale) => slab.scales.indexOf(scale)),
  );
}

function atPlaces(slab: Slab, places: readonly number[]): Slab {
  const { scales, logPrior, perMember } = slab;
  const of = (values: readonly number[]) => places.map((s) => values[s]);
  return {
    ...slab,
    scales: of(scales),
    logPrior: of(logPrior),
    ...(perMember && { perMember: of(perMember) }),
  };
}

/** What the place of a scale and so many members are worth beforehand, in logs, beside the prior of models. */
export const logPriorAt = (slab: Slab, place: number, members: number): number =>
  slab.logPrior[place] + members * memberGain(slab, place);

export const memberGain = ({ perMember }: Slab, place: number): number => perMember?.[place] ?? 0;

/** The scales of a slab from one below to one above those that are known to matter. */
export function scalesNear(slab: Slab, known: Pick<Slab, "scales">): Slab {
  const { scales } = slab;
  const places = known.scales.map((scale) => scales.indexOf(scale)).filter((s) => s >= 0);
  if (places.length === 0) return slab;
  const [first, last] = [Math.max(0, Math.min(...places) - 1), Math.max(...places) + 2];
  return atPlaces(slab, Array.from(scales.keys()).slice(first, last));
}

export function normalized(logs: readonly number[]): number[] {
  const total = logSum(logs);
  return logs.map((log) => log - total);
}

/** Beside one: a million times this is lost in rounding. */
const NOTHING = -52;

/** log Σ exp. */
export function logSum(logs: ArrayLike<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logs.length; i++) largest = Math.max(largest, logs[i]);
  if (!(largest > Number.NEGATIVE_INFINITY)) return largest;
  let sum = 0;
  for (let i = 0; i < logs.length; i++) {
    const less = logs[i] - largest;
    // Most of thousands of models are worth nothing, and an exponential takes its time.
    if (less > NOTHING) sum += Math.exp(less);
  }
  return largest + Math.log(sum);
}
