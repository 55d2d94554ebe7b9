/**
 * Reversible jumps over models and coefficients of a logistic or Poisson regression, by the likelihood itself: nothing is
 * expanded, augmented or integrated out. The yardstick of `bench/few-rows`.
 *
 *   β_j ~ N(0, v) in units of a column's standard deviation, v on the grid of the slab, a flat intercept;
 *   birth: a column by fixed weights, its coefficient from a normal law one Newton step from zero; death; exchange;
 *   coefficients and intercept, one at a time, by Metropolis and Hastings from one Newton step; all coefficients times a
 *   common number; v given the coefficients.
 */

import { Random } from "../../hard/random.js";

export interface TruthPrior {
  /** log π(γ) of a model of k variables; its length less one is the largest size. */
  readonly logModel: Float64Array;
  readonly scales: readonly number[];
  readonly logScale: readonly number[];
}

export interface TruthProblem {
  readonly columns: readonly Float64Array[];
  readonly y: Float64Array;
  readonly family: "binomial" | "poisson";
  readonly prior: TruthPrior;
}

export interface ChainTruth {
  readonly pip: Float64Array;
  readonly mean: Float64Array;
  readonly square: Float64Array;
  readonly size: Float64Array;
}

/** Proposals are this much wider than a Newton step says, in standard deviations. */
const WIDER = 1.3;

export function standardUnits(values: Float64Array): Float64Array {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const sd = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1));
  return values.map((value) => (value - mean) / sd);
}

export function jumpChain(problem: TruthProblem, seed: number, sweeps: number, burnIn: number): ChainTruth {
  const { y, family, prior } = problem;
  const { logModel, scales, logScale } = prior;
  const x = problem.columns.map(standardUnits);
  const [n, p] = [y.length, x.length];
  const random = new Random(seed);
  const ones = new Float64Array(n).fill(1);
  const binomial = family === "binomial";
  const average = y.reduce((a, b) => a + b, 0) / n;
  let alpha = binomial ? Math.log(average / (1 - average)) : Math.log(average);
  const beta = new Float64Array(p);
  const members: number[] = [];
  const isIn = new Uint8Array(p);
  const eta = new Float64Array(n).fill(alpha);
  let s = Math.floor(random.uniform() * scales.length);

  /** Σ yη − b(η) along eta + t·column, less that at t = 0. */
  const change = (column: Float64Array, t: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const [from, to] = [eta[i], eta[i] + t * column[i]];
      sum += y[i] * (to - from);
      sum -= binomial
        ? Math.max(0, to) +
          Math.log1p(Math.exp(-Math.abs(to))) -
          Math.max(0, from) -
          Math.log1p(Math.exp(-Math.abs(from)))
        : Math.exp(to) - Math.exp(from);
    }
    return sum;
  };
  /** The normal law one Newton step away, for the coefficient of a column that is `t` off from here; b is its value here. */
  const proposal = (column: Float64Array, shift: number, b: number, precision: number) => {
    let [score, weight] = [0, 0];
    for (let i = 0; i < n; i++) {
      const e = eta[i] + shift * column[i];
      const mu = binomial ? 1 / (1 + Math.exp(-e)) : Math.exp(e);
      score += (y[i] - mu) * column[i];
      weight += (binomial ? mu * (1 - mu) : mu) * column[i] ** 2;
    }
    const at = b + shift;
    const total = weight + precision;
    return { mean: at + (score - precision * at) / total, sd: WIDER / Math.sqrt(total) };
  };
  const logNormal = (v: number, { mean, sd }: { mean: number; sd: number }): number =>
    -0.5 * ((v - mean) / sd) ** 2 - Math.log(sd);
  const move = (column: Float64Array, t: number): void => {
    for (let i = 0; i < n; i++) eta[i] += t * column[i];
  };
  const slab = (b: number): number => (-0.5 * (b * b)) / scales[s] - 0.5 * Math.log(scales[s]);

  const counts = new Float64Array(p);
  let weights = new Float64Array(p).fill(1 / p);
  let table = cumulative(weights);
  const pick = (): number => {
    const u = random.uniform() * table[p - 1];
    let [low, high] = [0, p - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (table[middle] > u) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const insert = (j: number, b: number): void => {
    isIn[j] = 1;
    beta[j] = b;
    members.push(j);
  };
  const erase = (at: number): void => {
    isIn[members[at]] = 0;
    beta[members[at]] = 0;
    members.splice(at, 1);
  };

  function birth(): void {
    const k = members.length;
    if (k === logModel.length - 1) return;
    const j = pick();
    if (isIn[j]) return;
    const law = proposal(x[j], 0, 0, 1 / scales[s]);
    const b = law.mean + law.sd * random.normal();
    const log =
      change(x[j], b) +
      slab(b) -
      logNormal(b, law) +
      logModel[k + 1] -
      logModel[k] -
      Math.log(k + 1) -
      Math.log(weights[j]);
    if (Math.log(random.uniform()) < log) {
      move(x[j], b);
      insert(j, b);
    }
  }
  function death(): void {
    const k = members.length;
    if (k === 0) return;
    const at = random.below(k);
    const j = members[at];
    const b = beta[j];
    const law = proposal(x[j], -b, b, 1 / scales[s]);
    const log =
      change(x[j], -b) -
      slab(b) +
      logNormal(b, law) +
      logModel[k - 1] -
      logModel[k] +
      Math.log(k) +
      Math.log(weights[j]);
    if (Math.log(random.uniform()) < log) {
      move(x[j], -b);
      erase(at);
    }
  }
  /** A member leaves and another comes; the newcomer is drawn from the weights among all, and must be outside. */
  function exchange(): void {
    const k = members.length;
    if (k === 0) return;
    const at = random.below(k);
    const old = members[at];
    const b = beta[old];
    const fresh = pick();
    if (isIn[fresh]) return;
    const back = proposal(x[old], -b, b, 1 / scales[s]);
    const less = change(x[old], -b);
    move(x[old], -b);
    const law = proposal(x[fresh], 0, 0, 1 / scales[s]);
    const c = law.mean + law.sd * random.normal();
    const log =
      less +
      change(x[fresh], c) +
      slab(c) -
      slab(b) +
      logNormal(b, back) -
      logNormal(c, law) +
      Math.log(weights[old]) -
      Math.log(weights[fresh]);
    if (Math.log(random.uniform()) < log) {
      move(x[fresh], c);
      erase(at);
      insert(fresh, c);
    } else move(x[old], b);
  }
  function update(column: Float64Array, b: number, precision: number): number {
    const law = proposal(column, 0, b, precision);
    const to = law.mean + law.sd * random.normal();
    const t = to - b;
    const log = change(column, t) - 0.5 * precision * (to * to - b * b) - logNormal(to, law);
    move(column, t);
    const back = proposal(column, 0, to, precision);
    if (Math.log(random.uniform()) < log + logNormal(b, back)) return to;
    move(column, -t);
    return b;
  }
  function rescale(): void {
    const squares = members.reduce((sum, j) => sum + beta[j] ** 2, 0);
    const logs = scales.map((v, i) => logScale[i] - 0.5 * (squares / v + members.length * Math.log(v)));
    const top = Math.max(...logs);
    const shares = logs.map((log) => Math.exp(log - top));
    let u = random.uniform() * shares.reduce((a, b) => a + b, 0);
    for (s = 0; s < scales.length - 1; s++) {
      u -= shares[s];
      if (u < 0) break;
    }
  }

  /** All coefficients times a common number, with v summed out: nothing else moves fast along a likelihood that is flat. */
  function alongRay(): void {
    const k = members.length;
    if (k === 0) return;
    const step = (random.uniform() < 0.5 ? 0.25 : 0.7) * random.normal();
    const c = Math.exp(step);
    const squares = members.reduce((sum, j) => sum + beta[j] ** 2, 0);
    const slabs = (sum: number): number => {
      const logs = scales.map((v, i) => logScale[i] - 0.5 * (sum / v + k * Math.log(v)));
      const top = Math.max(...logs);
      return top + Math.log(logs.reduce((total, log) => total + Math.exp(log - top), 0));
    };
    const centred = eta.map((value) => value - alpha);
    const log = change(centred, c - 1) + k * step + slabs(c * c * squares) - slabs(squares);
    if (!(Math.log(random.uniform()) < log)) return;
    move(centred, c - 1);
    for (const j of members) beta[j] *= c;
  }

  const [pip, mean, square] = [new Float64Array(p), new Float64Array(p), new Float64Array(p)];
  const size = new Float64Array(logModel.length);
  for (let t = -burnIn; t < sweeps; t++) {
    for (let m = 0; m < 40; m++) {
      const u = random.uniform();
      if (u < 0.4) birth();
      else if (u < 0.8) death();
      else exchange();
    }
    alpha = update(ones, alpha, 0);
    for (const j of members) beta[j] = update(x[j], beta[j], 1 / scales[s]);
    for (let r = 0; r < 4; r++) alongRay();
    rescale();
    if (t < 0) {
      for (const j of members) counts[j] += 1;
      // While it burns in, columns that were seen are proposed more often.
      if (t % 500 === 0 || t === -1) {
        const total = counts.reduce((a, b) => a + b, 0) + p;
        weights = counts.map((c) => 0.5 / p + (0.5 * (c + 1)) / total);
        table = cumulative(weights);
      }
      continue;
    }
    if (t % 1000 === 0) {
      // Rounding creeps in.
      eta.fill(alpha);
      for (const j of members) move(x[j], beta[j]);
    }
    for (const j of members) {
      pip[j] += 1 / sweeps;
      mean[j] += beta[j] / sweeps;
      square[j] += beta[j] ** 2 / sweeps;
    }
    size[members.length] += 1 / sweeps;
  }
  return { pip, mean, square, size };
}

function cumulative(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}
