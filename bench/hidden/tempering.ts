/**
 * Parallel tempering over models of all columns, as a reference: y | S Gaussian with β ~ N(0, vσ²), p(σ²) ∝ 1/σ², a
 * flat intercept, standardised columns and independent inclusion. Written for itself: products of columns in one
 * matrix, a Cholesky factor for every model that is looked at.
 */

import { Rng } from "../../src/math/rng.js";
import type { Design } from "./designs.js";

export interface TemperingSettings {
  readonly inclusion: number;
  readonly slabVariance: number;
  readonly sweeps: number;
  readonly seed: number;
}

const TEMPERATURES = [1, 1.3, 1.7, 2.2, 2.9, 3.8, 5];

export function temperedModels({ columns, y }: Design, settings: TemperingSettings): number[] {
  const { inclusion, slabVariance, sweeps } = settings;
  const rng = Rng.seeded(settings.seed + 99);
  const n = y.length;
  const p = columns.length;
  const x = columns.map((column) => standard(column));
  const centre = y.reduce((a, b) => a + b, 0) / n;
  const response = Float64Array.from(y, (value) => value - centre);
  const gram = new Float32Array(p * p);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) gram[a * p + b] = gram[b * p + a] = dot(x[a], x[b]);
  }
  const cross = x.map((column) => dot(column, response));
  const total = dot(response, response);
  const ridge = 1 / slabVariance;
  const logPrior = Math.log(inclusion / (1 - inclusion));
  // Additions are proposed by how much a column explains alone, mixed with anyone at all; exchanges with one alike.
  const alone = cross.map((c) => Math.exp(Math.min(12, (0.5 * (n * c * c)) / (total * n))) + 0.2);
  const sum = alone.reduce((a, b) => a + b, 0);
  const density = alone.map((weight) => weight / sum);
  const cumulative = Float64Array.from(density);
  for (let j = 1; j < p; j++) cumulative[j] += cumulative[j - 1];
  const alike = x.map((_, j) =>
    Array.from({ length: p }, (_, k) => k)
      .filter((k) => k !== j)
      .sort((a, b) => Math.abs(gram[j * p + b]) - Math.abs(gram[j * p + a]))
      .slice(0, 60),
  );
  const isAlike = alike.map((list) => new Set(list));

  function logPosterior(members: readonly number[]): number {
    const k = members.length;
    const l = new Float64Array(k * k);
    let fit = 0;
    let determinant = 0;
    const u = new Float64Array(k);
    for (let i = 0; i < k; i++) {
      for (let j = 0; j <= i; j++) {
        let value = gram[members[i] * p + members[j]] + (i === j ? ridge : 0);
        for (let c = 0; c < j; c++) value -= l[i * k + c] * l[j * k + c];
        l[i * k + j] = i === j ? Math.sqrt(value) : value / l[j * k + j];
      }
      let value = cross[members[i]];
      for (let c = 0; c < i; c++) value -= l[i * k + c] * u[c];
      u[i] = value / l[i * k + i];
      fit += u[i] * u[i];
      determinant += Math.log(l[i * k + i] ** 2 / ridge);
    }
    return -0.5 * determinant - 0.5 * (n - 1) * Math.log(total - fit) + k * logPrior;
  }

  function draw(): number {
    const u = rng.uniform();
    let [low, high] = [0, p - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] < u) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const states = TEMPERATURES.map(() => ({ members: [] as number[], value: logPosterior([]) }));
  const counts = new Float64Array(p);
  let counted = 0;

  /** A birth, a death or an exchange; the ratio of proposals is that of reversible jumps between models. */
  function step(state: { members: number[]; value: number }, temperature: number): void {
    const { members } = state;
    const k = members.length;
    const kind = rng.uniform();
    let next: number[];
    let ratio = 0;
    if (kind < 0.3) {
      const j = draw();
      if (members.includes(j) || k >= 30) return;
      next = [...members, j];
      ratio = -Math.log(k + 1) - Math.log(density[j]);
    } else if (kind < 0.6) {
      if (k === 0) return;
      const at = Math.floor(rng.uniform() * k);
      next = members.filter((_, i) => i !== at);
      ratio = Math.log(k) + Math.log(density[members[at]]);
    } else {
      if (k === 0) return;
      const at = Math.floor(rng.uniform() * k);
      const old = members[at];
      const near = kind < 0.85;
      const j = near ? alike[old][Math.floor(rng.uniform() * alike[old].length)] : draw();
      if (members.includes(j)) return;
      if (near && !isAlike[j].has(old)) return;
      next = members.map((m, i) => (i === at ? j : m));
      ratio = near ? 0 : Math.log(density[old]) - Math.log(density[j]);
    }
    const value = logPosterior(next);
    if (Math.log(rng.uniform()) < (value - state.value) / temperature + ratio) {
      state.members = next;
      state.value = value;
    }
  }

  for (let sweep = 0; sweep < sweeps; sweep++) {
    states.forEach((state, t) => {
      for (let i = 0; i < 4; i++) step(state, TEMPERATURES[t]);
    });
    const t = Math.floor(rng.uniform() * (TEMPERATURES.length - 1));
    const [a, b] = [states[t], states[t + 1]];
    const gain = (1 / TEMPERATURES[t] - 1 / TEMPERATURES[t + 1]) * (b.value - a.value);
    if (Math.log(rng.uniform()) < gain) [states[t], states[t + 1]] = [b, a];
    if (sweep < sweeps / 10) continue;
    counted += 1;
    for (const j of states[0].members) counts[j] += 1;
  }
  return Array.from(counts, (count) => count / counted);
}

function standard(column: Float64Array): Float64Array {
  const n = column.length;
  const mean = column.reduce((a, b) => a + b, 0) / n;
  const square = column.reduce((a, b) => a + (b - mean) ** 2, 0);
  const sd = Math.sqrt(square / (n - 1));
  return column.map((value) => (value - mean) / sd);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
