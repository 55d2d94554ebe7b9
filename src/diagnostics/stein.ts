/**
 * Kernel Stein discrepancy between T draws and a target known through g = ∇ log π(θ | D) at each draw
 * (Gorham and Mackey 2017; supplement of Song et al. 2020, MovieLens section):
 *
 *     KSD = Σ_j √( Σ_{t,t'} k_j(θ_t, θ_t') / T² )
 *     k_j(θ, θ') = g_j g'_j k + g_j ∂k/∂θ'_j + g'_j ∂k/∂θ_j + ∂²k/∂θ_j∂θ'_j,   k = (1 + ‖θ − θ'‖²)^{−1/2}
 *
 * With d = θ_j − θ'_j and s = 1 + ‖θ − θ'‖² the derivatives are ∂k/∂θ_j = −d s^{−3/2} = −∂k/∂θ'_j and
 * ∂²k/∂θ_j∂θ'_j = s^{−3/2} − 3d² s^{−5/2}, so
 *
 *     k_j = g_j g'_j s^{−1/2} + ((g_j − g'_j) d + 1) s^{−3/2} − 3d² s^{−5/2}
 *
 * The paper's U is log π, not the energy −log π: with the other sign of g the middle term changes sign and draws
 * from the target itself no longer have mean zero. g must be the gradient over all the data; the noise of a
 * mini-batch would enter squared. KSD is not free of units: it is dominated by coordinates with small posterior
 * sd, so compare samplers on the same coordinates of the same target only.
 *
 * One sweep over the pairs t' ≤ t serves every prefix of the path: O(T²·p) time, O(T·p) memory.
 */

export interface SteinDiscrepancy {
  /** How many draws, from the first, it is about. */
  readonly draws: number;
  /** The sum over coordinates. */
  readonly total: number;
  /** What each coordinate adds to it. */
  readonly perCoordinate: Float64Array;
}

export interface SteinOptions {
  /** The components of θ to use, in the sum and in the distance of the kernel; all unless told. */
  readonly coordinates?: readonly number[];
}

/** One array per draw, and the gradient of the log density at that draw. */
export function steinDiscrepancy(
  draws: readonly Float64Array[],
  gradients: readonly Float64Array[],
  options: SteinOptions = {},
): SteinDiscrepancy {
  return steinPath(draws, gradients, [draws.length], options)[0];
}

/** The discrepancies of the first T draws for each T of `prefixes`, which increase. */
export function steinPath(
  draws: readonly Float64Array[],
  gradients: readonly Float64Array[],
  prefixes: readonly number[],
  options: SteinOptions = {},
): SteinDiscrepancy[] {
  if (gradients.length !== draws.length) throw new RangeError("Every draw needs its gradient.");
  if (prefixes.some((prefix, i) => !(prefix > (prefixes[i - 1] ?? 0) && prefix <= draws.length))) {
    throw new RangeError("Prefixes must increase from at least 1 to at most the number of draws.");
  }
  const coordinates = options.coordinates ?? Array.from(draws[0]?.keys() ?? []);
  const theta = coordinates.map((j) => column(draws, j));
  const gradient = coordinates.map((j) => column(gradients, j));
  const sums = new Float64Array(coordinates.length);
  const path: SteinDiscrepancy[] = [];
  let t = 0;
  for (const prefix of prefixes) {
    for (; t < prefix; t++) addDraw(sums, theta, gradient, t);
    // The form is positive semi-definite: only rounding can make a sum negative.
    const perCoordinate = sums.map((sum) => Math.sqrt(Math.max(sum, 0)) / prefix);
    path.push({ draws: prefix, total: perCoordinate.reduce((sum, x) => sum + x, 0), perCoordinate });
  }
  return path;
}

function column(rows: readonly Float64Array[], j: number): Float64Array {
  return Float64Array.from(rows, (row, t) => {
    if (!Number.isFinite(row[j]))
      throw new RangeError(`Draw ${t} or its gradient is not finite in coordinate ${j}.`);
    return row[j];
  });
}

/** Earlier draws are taken in tiles that stay in the first-level cache while the coordinates pass over them. */
const TILE = 256;
const squared = new Float64Array(TILE);
const first = new Float64Array(TILE);
const third = new Float64Array(TILE);
const fifth = new Float64Array(TILE);

/** sums_j += k_j(θ_t, θ_t) + 2 Σ_{t' < t} k_j(θ_t, θ_t') */
function addDraw(
  sums: Float64Array,
  theta: readonly Float64Array[],
  gradient: readonly Float64Array[],
  t: number,
): void {
  for (let j = 0; j < sums.length; j++) sums[j] += gradient[j][t] ** 2 + 1;
  for (let from = 0; from < t; from += TILE) {
    const count = Math.min(TILE, t - from);
    squared.fill(1, 0, count);
    for (const x of theta) {
      for (let i = 0; i < count; i++) {
        const d = x[t] - x[from + i];
        squared[i] += d * d;
      }
    }
    for (let i = 0; i < count; i++) {
      const inverse = 1 / squared[i];
      first[i] = Math.sqrt(inverse);
      third[i] = first[i] * inverse;
      fifth[i] = third[i] * inverse;
    }
    for (let j = 0; j < sums.length; j++) {
      const x = theta[j];
      const g = gradient[j];
      const xt = x[t];
      const gt = g[t];
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const d = xt - x[from + i];
        const gi = g[from + i];
        sum += gt * gi * first[i] + ((gt - gi) * d + 1) * third[i] - 3 * d * d * fifth[i];
      }
      sums[j] += 2 * sum;
    }
  }
}
