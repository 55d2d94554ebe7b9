/** Distribution functions and quantiles of the normal, Student and chi-square laws. */

import {
  erf,
  expMinusSquare,
  gammaFactor,
  incompleteBeta,
  incompleteGamma,
  incompleteGammaUpper,
  logGamma,
  scaledErfc,
} from "./special.js";
import { type Tabulated, tabulated } from "./tabulated.js";

const SQRT_2PI = Math.sqrt(2 * Math.PI);

/** Φ(x), with small relative error down to the smallest double. */
export function normalCdf(x: number): number {
  return x > 0 ? 1 - normalCdf(-x) : 0.5 * expMinusSquare(x, 0.5) * scaledErfc(-x * Math.SQRT1_2);
}

/** log Φ(x), also where Φ(x) underflows. */
export function logNormalCdf(x: number): number {
  return x > 0 ? Math.log1p(-normalCdf(-x)) : Math.log(0.5 * scaledErfc(-x * Math.SQRT1_2)) - 0.5 * x * x;
}

/**
 * Φ⁻¹(p): the rational start of Hastings (Abramowitz and Stegun 26.2.23, error 4.5e-4), then two Halley steps, on
 * Φ − p in the middle (by erf, which keeps relative accuracy at p = ½) and on log Φ − log p in the tail.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let x =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 2; step++) {
    const density = expMinusSquare(x, 0.5) / SQRT_2PI;
    if (p > 0.25) {
      const d = (0.5 * erf(x * Math.SQRT1_2) - (p - 0.5)) / density;
      x -= d / (1 + 0.5 * d * x);
    } else {
      const hazard = 2 / (SQRT_2PI * scaledErfc(-x * Math.SQRT1_2));
      const d = (logNormalCdf(x) - Math.log(p)) / hazard;
      x -= d / (1 + 0.5 * d * (hazard + x));
    }
  }
  return x;
}

/** The distribution function of Student's t; `freedom` may be infinite. */
export function studentTCdf(t: number, freedom: number): number {
  if (freedom === Number.POSITIVE_INFINITY) return normalCdf(t);
  if (t > 0) return 1 - studentTCdf(-t, freedom);
  // With s = t/√ν, so that t² cannot overflow: x = 1/(1 + s²), y = s²/(1 + s²).
  const s = -t / Math.sqrt(freedom);
  if (s === 0) return 0.5;
  const x = s > 1 ? 1 / s / (s + 1 / s) : 1 / (1 + s * s);
  const y = s > 1 ? s / (s + 1 / s) : (s * s) / (1 + s * s);
  return 0.5 * incompleteBeta(x, freedom / 2, 0.5, y);
}

/** The density of Student's t with these degrees of freedom, which may be infinite. */
export function studentTDensity(freedom: number): (t: number) => number {
  if (freedom === Number.POSITIVE_INFINITY)
    return (t) => Math.exp(-0.5 * Math.log(2 * Math.PI) - 0.5 * t * t);
  const log = logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - 0.5 * Math.log(freedom * Math.PI);
  return (t) => Math.exp(log - 0.5 * (freedom + 1) * Math.log1p((t * t) / freedom));
}

/** The distribution function where it is wanted thousands of times, in mixtures over models: right to 1e-9. */
export function quickStudentTCdf(t: number, freedom: number): number {
  if (freedom === Number.POSITIVE_INFINITY) return normalCdf(t);
  if (freedom > 100) return normalCdf(normalised(t, freedom));
  const size = Math.abs(t);
  if (!(size < STUDENT_T.end) || !Number.isInteger(freedom)) return studentTCdf(t, freedom);
  const above = studentTTable(freedom).below(size);
  return t < 0 ? 1 - above : above;
}

/** Student's t at zero and above. */
const STUDENT_T = { step: 0.01, end: 12 };
const studentTTable = remembered((freedom) => {
  const { step, end } = STUDENT_T;
  return tabulated(
    studentTDensity(freedom),
    { x: 0, below: 0.5 },
    { step, down: 0, up: Math.ceil(end / step) },
  );
});

/** By degrees of freedom, which hardly ever change from one question to the next. */
function remembered(make: (freedom: number) => Tabulated): (freedom: number) => Tabulated {
  const tables = new Map<number, Tabulated>();
  let [last, table]: [number, Tabulated | undefined] = [Number.NaN, undefined];
  return (freedom) => {
    if (freedom === last) return table!;
    const known = tables.get(freedom) ?? make(freedom);
    tables.set(freedom, known);
    [last, table] = [freedom, known];
    return known;
  };
}

/**
 * Cells of a table of Student's distribution function above zero on z = t/(1 + t), which has an end: right to 4e-12 for
 * whole degrees of freedom.
 */
const FOLDED_CELLS = 1024;

/** Between whole numbers the law has an end in z where no cubic follows it. */
export const isFolded = (freedom: number): boolean =>
  freedom >= 1 && (Number.isInteger(freedom) || freedom === Number.POSITIVE_INFINITY);

/** Those asked for last: degrees of freedom hardly ever change from one question to the next. */
let [ofFreedom, foldedTable]: [number, Float64Array] = [Number.NaN, new Float64Array(0)];

/** Value and slope, one after the other, at each of FOLDED_CELLS + 1 nodes from z = 0 to z = 1; slopes by cell. */
export function foldedStudentT(freedom: number): Float64Array {
  if (freedom !== ofFreedom) [ofFreedom, foldedTable] = [freedom, folded(freedom)];
  return foldedTable;
}

function folded(freedom: number): Float64Array {
  const density = studentTDensity(freedom);
  /** In z; at its end only Cauchy's law has any. */
  const inZ = (z: number): number =>
    z < 1 ? density(z / (1 - z)) / (1 - z) ** 2 : freedom > 1 ? 0 : 1 / Math.PI;
  const step = 1 / FOLDED_CELLS;
  const { values, slopes } = tabulated(inZ, { x: 0, below: 0.5 }, { step, down: 0, up: FOLDED_CELLS });
  // log Γ of a million keeps nine digits: the end of the table tells the rest.
  const scale = 0.5 / (values[FOLDED_CELLS] - 0.5);
  const out = new Float64Array(2 * (FOLDED_CELLS + 1));
  for (let i = 0; i <= FOLDED_CELLS; i++) {
    out[2 * i] = 0.5 + scale * (values[i] - 0.5);
    out[2 * i + 1] = scale * slopes[i];
  }
  return out;
}

/** The normal deviate that t corresponds to (Hill 1970); the probability is right to 1e-9 beyond 100 degrees of freedom. */
function normalised(t: number, freedom: number): number {
  const a = freedom - 0.5;
  const b = 48 * a * a;
  const y = a * Math.log1p((t * t) / freedom);
  const z =
    Math.sqrt(y) * (1 + (y + 3 + (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)) / b);
  return t < 0 ? -z : z;
}

/** Variance of a t distribution over its squared scale; where there is none, a finite stand-in. */
export function studentTVariance(freedom: number): number {
  return freedom === Number.POSITIVE_INFINITY ? 1 : freedom > 2 ? freedom / (freedom - 2) : 3;
}

/**
 * The quantile of Student's t. In u with t = √ν·sinh(u) the density is ∝ cosh(u)^{−ν}, which is log-concave, so
 * log F is concave in u and Newton's method on log F(u) = log p converges from anywhere.
 */
export function studentTQuantile(p: number, freedom: number): number {
  if (!(freedom > 0)) return Number.NaN;
  if (freedom === Number.POSITIVE_INFINITY || !(p > 0 && p < 1)) return normalQuantile(p);
  if (p === 0.5) return 0;
  if (p > 0.5) return -studentTQuantile(1 - p, freedom);
  const logNormaliser = logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - 0.5 * Math.log(Math.PI);
  let u = Math.asinh(normalQuantile(p) / Math.sqrt(freedom));
  for (let iteration = 0; iteration < 100; iteration++) {
    const cdf = studentTCdf(Math.sqrt(freedom) * Math.sinh(u), freedom);
    const logCosh = Math.abs(u) + Math.log1p(Math.exp(-2 * Math.abs(u))) - Math.LN2;
    const slope = Math.exp(logNormaliser - freedom * logCosh) / cdf;
    const change = Math.log(cdf / p) / slope;
    u -= change;
    if (!(Math.abs(change) > 1e-15 * Math.abs(u))) break;
  }
  return Math.sqrt(freedom) * Math.sinh(u);
}

export const chiSquareCdf = (x: number, freedom: number): number => incompleteGamma(freedom / 2, x / 2);

/** 1 − chiSquareCdf, accurate where it is small: the p-value of a test. */
export const chiSquareTail = (x: number, freedom: number): number => incompleteGammaUpper(freedom / 2, x / 2);

/** chiSquareTail(e^−l): the distribution function of log σ² under an inverse gamma law of scale one, right to 1e-9. */
export function quickLogInverseGammaCdf(l: number, freedom: number): number {
  const quick = logInverseGammaTable(freedom).below(l);
  return Number.isNaN(quick) ? chiSquareTail(Math.exp(-l), freedom) : quick;
}

/** In standard deviations of a law that is about normal with a variance of 2/ν. */
const LOG_INVERSE_GAMMA = { step: 0.01, end: 8 };
const logInverseGammaTable = remembered((freedom) => {
  const density = (l: number) => gammaFactor(freedom / 2, 0.5 * Math.exp(-l));
  const middle = { x: -Math.log(freedom), below: chiSquareTail(freedom, freedom) };
  const { step, end } = LOG_INVERSE_GAMMA;
  const steps = Math.ceil(end / step);
  return tabulated(density, middle, { step: step * Math.sqrt(2 / freedom), down: steps, up: steps });
});
