/**
 * A density on a line, from its logarithm f at a few knots. What f has beyond −t²/2 is taken for straight between
 * knots; knots are asked for until that is so. The density itself is then a table of exponentials,
 *
 *     q(t) ∝ exp(f_i + b_i·(t − t_i)),   t_i ≤ t < t_{i+1},
 *
 * with exponential tails: its mass, moments and quantiles are closed forms.
 */

export interface Knot {
  readonly t: number;
  readonly f: number;
}

/** Where to look first; the top, f(0) = 0, is known. */
export const FIRST_KNOTS: readonly number[] = [-4, -2, 2, 4];

/** So far below its top the density does not matter. */
const LOW = 8;
/** Most that f may bend away from the table at its top; e times as much for every two that it is lower. */
const STRAIGHT = 0.1;
const MOST_KNOTS = 48;

/** Where f has still to be known; knots are in rising order. */
export function missingKnots(knots: readonly Knot[]): number[] {
  const last = knots.length - 1;
  if (last >= MOST_KNOTS) return [];
  const top = knots.reduce((most, { f }) => Math.max(most, f), Number.NEGATIVE_INFINITY);
  const beyond = knots.map(({ t, f }) => f + 0.5 * t * t);
  const slope = (i: number): number => (beyond[i + 1] - beyond[i]) / (knots[i + 1].t - knots[i].t);
  const bend = (i: number): number =>
    i === 0 || i === last ? 0 : (2 * Math.abs(slope(i) - slope(i - 1))) / (knots[i + 1].t - knots[i - 1].t);
  const missing: number[] = [];
  if (knots[0].f > top - LOW) missing.push(2 * knots[0].t);
  for (let i = 0; i < last; i++) {
    const below = top - Math.max(knots[i].f, knots[i + 1].f);
    if (below > LOW) continue;
    const width = knots[i + 1].t - knots[i].t;
    const error = (Math.max(bend(i), bend(i + 1)) * width * width) / 8;
    if (error > STRAIGHT * Math.exp(0.5 * below)) missing.push(0.5 * (knots[i].t + knots[i + 1].t));
  }
  if (knots[last].f > top - LOW) missing.push(2 * knots[last].t);
  return missing;
}

/** The knots of the normal density. */
export const NORMAL_KNOTS: readonly Knot[] = [-4, -2, 0, 2, 4].map((t) => ({ t, f: -0.5 * t * t }));

export interface AxisDensity {
  /** log ∫ exp f, over the √2π of the normal density. */
  readonly logMass: number;
  readonly mean: number;
  /** E t². */
  readonly square: number;
  /** The quantile of u, and the logarithm of the density there. */
  draw(u: number): { readonly t: number; readonly logDensity: number };
  logDensity(t: number): number;
}

/** A piece of the table: exp(f + b·s) for s between 0 and `width`, to the left of t if the slope is that of a left tail. */
interface Piece {
  readonly t: number;
  readonly f: number;
  readonly b: number;
  readonly width: number;
}

const FINEST = 0.125;
const MOST_PIECES = 32;

export function axisDensity(knots: readonly Knot[]): AxisDensity {
  const pieces = tableOf(knots);
  const top = pieces.reduce((most, { f }) => Math.max(most, f), Number.NEGATIVE_INFINITY);
  const upTo = new Float64Array(pieces.length + 1);
  let [first, second] = [0, 0];
  pieces.forEach(({ t, f, b, width }, i) => {
    const mass = Math.exp(Math.max(f, f + b * width) - top) * shareOfHighest(b, width);
    const [s, ss] = momentsOfExponential(b, width);
    upTo[i + 1] = upTo[i] + mass;
    first += mass * (t + s);
    second += mass * (t * t + 2 * t * s + ss);
  });
  const total = upTo[pieces.length];
  const logTotal = top + Math.log(total);
  return {
    logMass: logTotal - 0.5 * Math.log(2 * Math.PI),
    mean: first / total,
    square: second / total,
    draw(u) {
      let [low, high] = [0, pieces.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (upTo[middle] <= u * total) low = middle;
        else high = middle - 1;
      }
      const { t, f, b, width } = pieces[low];
      const share = Math.min(1, Math.max(0, (u * total - upTo[low]) / (upTo[low + 1] - upTo[low])));
      const s = quantileOfExponential(b, width, share);
      return { t: t + s, logDensity: f + b * s - logTotal };
    },
    logDensity(t) {
      let [low, high] = [0, pieces.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (pieces[middle].t <= t) low = middle;
        else high = middle - 1;
      }
      const { t: start, f, b } = pieces[low];
      return f + b * (t - start) - logTotal;
    },
  };
}

function tableOf(knots: readonly Knot[]): Piece[] {
  const fine: Knot[] = [];
  for (let i = 0; i + 1 < knots.length; i++) {
    const [from, to] = [knots[i], knots[i + 1]];
    const pieces = Math.min(MOST_PIECES, Math.ceil((to.t - from.t) / FINEST));
    for (let p = 0; p < pieces; p++) {
      const share = p / pieces;
      const t = from.t + share * (to.t - from.t);
      const beyond = (1 - share) * (from.f + 0.5 * from.t ** 2) + share * (to.f + 0.5 * to.t ** 2);
      fine.push({ t, f: beyond - 0.5 * t * t });
    }
  }
  fine.push(knots[knots.length - 1]);
  const inner = fine.slice(0, -1).map(({ t, f }, i): Piece => {
    const width = fine[i + 1].t - t;
    return { t, f, b: (fine[i + 1].f - f) / width, width };
  });
  // A tail falls at least as fast as would be right for a normal density half as high up.
  const [left, right] = [fine[0], fine[fine.length - 1]];
  const leftSlope = Math.max(inner[0].b, 0.5 * Math.abs(left.t));
  const rightSlope = Math.min(inner[inner.length - 1].b, -0.5 * Math.abs(right.t));
  // The left tail is cut where nothing is left of it.
  const reach = 40 / leftSlope;
  return [
    { t: left.t - reach, f: left.f - leftSlope * reach, b: leftSlope, width: reach },
    ...inner,
    { ...right, b: rightSlope, width: 40 / -rightSlope },
  ];
}

/** ∫ exp(b·s) ds from 0 to `width`, over the largest value of exp(b·s). */
function shareOfHighest(b: number, width: number): number {
  const x = Math.abs(b * width);
  return x < 1e-8 ? width : (-width * Math.expm1(-x)) / x;
}

/** E s and E s² under a density ∝ exp(b·s) between 0 and `width`. */
function momentsOfExponential(b: number, width: number): [number, number] {
  const x = b * width;
  if (Math.abs(x) < 1e-3) return [width * (0.5 + x / 12), width * width * (1 / 3 + x / 12)];
  const reached = -1 / Math.expm1(-x);
  const mean = width * (reached - 1 / x);
  return [mean, width * width * reached - (2 * mean) / b];
}

function quantileOfExponential(b: number, width: number, share: number): number {
  const x = b * width;
  if (Math.abs(x) < 1e-8) return share * width;
  // From the end where the mass is, so that nothing overflows.
  const s =
    x > 0 ? width + Math.log1p((1 - share) * Math.expm1(-x)) / b : Math.log1p(share * Math.expm1(x)) / b;
  return Math.min(width, Math.max(0, s));
}
