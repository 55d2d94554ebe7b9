/** Data for the benches of clusters and hidden states, an adjusted Rand index, and an EM of their own to compare with. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

export interface Design {
  readonly rows: number;
  readonly columns: number;
  readonly count: number;
  readonly correlation: number;
  readonly values: Float64Array;
  readonly labels: Uint16Array;
}

/** Of states: the chance to leave one at a step; of clusters labels are independent. */
export function design(seed: number, leaving?: number): Design {
  const rng = Rng.seeded(1000 + seed);
  const rows = Math.round(10 ** (2 + 3 * rng.uniform()));
  const columns = 2 + rng.below(9);
  const count = 1 + rng.below(6);
  const correlation = [0, 0.3, 0.6, 0.9, 0.95, 0.99][rng.below(6)];
  const signs = Array.from({ length: count }, () =>
    Array.from({ length: columns }, () => (rng.below(2) ? 1 : -1)),
  );
  const scales = Array.from({ length: count }, () => 0.5 + rng.uniform());
  const centres = Array.from({ length: count }, () => Array.from({ length: columns }, () => 2 * normal(rng)));
  const shares = Array.from({ length: count }, () => 0.5 + rng.uniform());
  const total = shares.reduce((a, b) => a + b);
  const pick = (): number => {
    let u = rng.uniform() * total;
    let k = 0;
    while (k < count - 1 && u >= shares[k]) u -= shares[k++];
    return k;
  };
  const values = new Float64Array(rows * columns);
  const labels = new Uint16Array(rows);
  for (let i = 0; i < rows; i++) {
    labels[i] = leaving !== undefined && i > 0 && rng.uniform() >= leaving ? labels[i - 1] : pick();
    const k = labels[i];
    const common = normal(rng);
    for (let j = 0; j < columns; j++) {
      const noise = Math.sqrt(correlation) * signs[k][j] * common + Math.sqrt(1 - correlation) * normal(rng);
      values[i * columns + j] = centres[k][j] + scales[k] * noise;
    }
  }
  return { rows, columns, count, correlation, values, labels };
}

/** Hubert and Arabie (1985). Two single clusters agree. */
export function adjustedRand(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const table = new Map<string, number>();
  const [left, right] = [new Map<number, number>(), new Map<number, number>()];
  for (let i = 0; i < a.length; i++) {
    table.set(`${a[i]},${b[i]}`, (table.get(`${a[i]},${b[i]}`) ?? 0) + 1);
    left.set(a[i], (left.get(a[i]) ?? 0) + 1);
    right.set(b[i], (right.get(b[i]) ?? 0) + 1);
  }
  const pairs = (counts: Iterable<number>) => [...counts].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
  const [both, one, two] = [pairs(table.values()), pairs(left.values()), pairs(right.values())];
  const expected = (one * two) / ((a.length * (a.length - 1)) / 2);
  const most = (one + two) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

interface Law {
  weight: number;
  mean: number[];
  /** Lower triangular factor of the covariance. */
  factor: number[][];
}

/** Maximum likelihood of labels in shares; a speck of the identity keeps a factor of few rows alive. */
function lawOf({ values, columns: d, rows }: Design, share: (i: number) => number): Law {
  let weight = 0;
  const mean = new Array<number>(d).fill(0);
  for (let i = 0; i < rows; i++) {
    const w = share(i);
    weight += w;
    for (let j = 0; j < d; j++) mean[j] += w * values[i * d + j];
  }
  for (let j = 0; j < d; j++) mean[j] /= weight;
  const square = Array.from({ length: d }, () => new Array<number>(d).fill(0));
  for (let i = 0; i < rows; i++) {
    const w = share(i) / weight;
    if (w === 0) continue;
    for (let j = 0; j < d; j++) {
      const e = w * (values[i * d + j] - mean[j]);
      for (let k = 0; k <= j; k++) square[j][k] += e * (values[i * d + k] - mean[k]);
    }
  }
  for (let j = 0; j < d; j++) {
    square[j][j] += 1e-6;
    for (let k = 0; k <= j; k++) {
      let sum = square[j][k];
      for (let m = 0; m < k; m++) sum -= square[j][m] * square[k][m];
      square[j][k] = j === k ? Math.sqrt(Math.max(1e-12, sum)) : sum / square[k][k];
    }
  }
  return { weight: weight / rows, mean, factor: square };
}

/** log N(x_i; law), without the weight. */
function logDensity({ values, columns: d }: Design, i: number, { mean, factor }: Law, y: number[]): number {
  let sum = 0;
  for (let j = 0; j < d; j++) {
    let e = values[i * d + j] - mean[j];
    for (let k = 0; k < j; k++) e -= factor[j][k] * y[k];
    y[j] = e / factor[j][j];
    sum -= 0.5 * y[j] ** 2 + Math.log(factor[j][j]);
  }
  return sum;
}

/** Labels of the EM fit (or, with `leaving`, the Baum–Welch fit) that starts at the true labels. */
export function emFromTruth(data: Design, markov: boolean, rounds = 60): Uint16Array {
  const { rows } = data;
  // A short sequence may never come to a state, which then has no law.
  const visited = [...new Set(data.labels)];
  const labels = data.labels.map((label) => visited.indexOf(label));
  const count = visited.length;
  const shares = visited.map((_, k) => Float64Array.from(labels, (l) => (l === k ? 1 : 0)));
  const y = new Array<number>(data.columns).fill(0);
  const moves = Array.from({ length: count }, () => new Array<number>(count).fill(1e-3));
  for (let i = 1; i < rows; i++) moves[labels[i - 1]][labels[i]] += 1;
  for (let round = 0; round < rounds; round++) {
    const laws = shares.map((share) => lawOf(data, (i) => share[i]));
    const transitions = moves.map((row) => row.map((n) => n / row.reduce((a, b) => a + b)));
    const densities = new Float64Array(rows * count);
    for (let i = 0; i < rows; i++) {
      const logs = laws.map((law) => logDensity(data, i, law, y) + (markov ? 0 : Math.log(law.weight)));
      const top = Math.max(...logs);
      for (let k = 0; k < count; k++) densities[i * count + k] = Math.exp(logs[k] - top);
    }
    if (markov) forwardBackward(densities, transitions, moves, shares);
    else {
      for (let i = 0; i < rows; i++) {
        let total = 0;
        for (let k = 0; k < count; k++) total += densities[i * count + k];
        for (let k = 0; k < count; k++) shares[k][i] = densities[i * count + k] / total;
      }
    }
  }
  return Uint16Array.from({ length: rows }, (_, i) => {
    let best = 0;
    for (let k = 1; k < count; k++) if (shares[k][i] > shares[best][i]) best = k;
    return best;
  });
}

/** Scaled forward and backward passes (Rabiner 1989); writes the shares and the expected moves. */
function forwardBackward(
  densities: Float64Array,
  transitions: readonly (readonly number[])[],
  moves: number[][],
  shares: readonly Float64Array[],
): void {
  const count = transitions.length;
  const rows = densities.length / count;
  const forward = new Float64Array(rows * count);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let k = 0; k < count; k++) {
      let p = i === 0 ? 1 / count : 0;
      if (i > 0) for (let l = 0; l < count; l++) p += forward[(i - 1) * count + l] * transitions[l][k];
      forward[i * count + k] = p * densities[i * count + k];
      total += forward[i * count + k];
    }
    for (let k = 0; k < count; k++) forward[i * count + k] /= total;
  }
  for (const row of moves) row.fill(1e-3);
  let backward = new Array<number>(count).fill(1);
  for (let i = rows - 1; i >= 0; i--) {
    let total = 0;
    for (let k = 0; k < count; k++) total += forward[i * count + k] * backward[k];
    for (let k = 0; k < count; k++) shares[k][i] = (forward[i * count + k] * backward[k]) / total;
    if (i === 0) break;
    const ahead = backward.map((b, k) => b * densities[i * count + k]);
    const next = transitions.map((row) => row.reduce((sum, a, k) => sum + a * ahead[k], 0));
    let mass = 0;
    for (let l = 0; l < count; l++) mass += forward[(i - 1) * count + l] * next[l];
    for (let l = 0; l < count; l++)
      for (let k = 0; k < count; k++)
        moves[l][k] += (forward[(i - 1) * count + l] * transitions[l][k] * ahead[k]) / mass;
    const scale = Math.max(...next);
    backward = next.map((b) => b / scale);
  }
}
