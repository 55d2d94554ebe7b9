/** Classes and counts with few rows and hundreds of columns: fixed designs, whose seeds were fixed before anything was fitted. */

import { Random } from "../../test/hard/random.js";

export interface Design {
  readonly name: string;
  readonly family: "binomial" | "poisson";
  readonly rows: number;
  readonly columns: number;
  /** The share of rows with an event, or the mean count, about. */
  readonly events: number;
  readonly kind: "normal" | "heavy" | "sparse";
  /** Of neighbouring columns. */
  readonly correlation: number;
  /** How many columns matter, and how much each. */
  readonly effects: number;
  readonly size: number;
  readonly seed: number;
}

type Row = readonly [
  rows: number,
  columns: number,
  events: number,
  kind: Design["kind"],
  correlation: number,
  effects: number,
  size: number,
];

const CLASSES: readonly Row[] = [
  [150, 350, 0.16, "normal", 0, 20, 0.4],
  [150, 350, 0.16, "heavy", 0, 20, 0.4],
  [300, 350, 0.16, "normal", 0, 20, 0.3],
  [60, 100, 0.5, "normal", 0, 10, 0.6],
  [60, 100, 0.2, "heavy", 0, 10, 0.6],
  [60, 500, 0.3, "normal", 0, 0, 0],
  [60, 200, 0.5, "sparse", 0, 3, 1.2],
  [100, 100, 0.5, "normal", 0.9, 5, 0.8],
  [100, 200, 0.1, "normal", 0, 5, 0.8],
  [100, 300, 0.3, "heavy", 0.6, 30, 0.3],
  [100, 600, 0.5, "normal", 0, 3, 1],
  [100, 400, 0.2, "sparse", 0, 20, 0.5],
  [150, 100, 0.05, "normal", 0, 3, 1],
  [150, 150, 0.5, "heavy", 0, 0, 0],
  [150, 600, 0.3, "normal", 0.9, 30, 0.3],
  [200, 100, 0.3, "sparse", 0, 5, 0.8],
  [200, 300, 0.1, "heavy", 0, 3, 1],
  [200, 400, 0.5, "normal", 0, 40, 0.25],
  [200, 500, 0.05, "sparse", 0, 3, 1.2],
  [300, 100, 0.1, "heavy", 0.6, 10, 0.4],
  [300, 600, 0.5, "normal", 0, 3, 1],
  [400, 200, 0.2, "normal", 0, 10, 0.4],
  [400, 400, 0.05, "heavy", 0, 20, 0.4],
  [400, 500, 0.3, "sparse", 0, 30, 0.3],
];

const COUNTS: readonly Row[] = [
  [60, 200, 0.5, "normal", 0, 10, 0.4],
  [100, 300, 0.2, "heavy", 0, 10, 0.4],
  [150, 350, 0.3, "normal", 0, 20, 0.3],
  [150, 350, 3, "normal", 0, 20, 0.1],
  [200, 300, 0.3, "sparse", 0, 10, 0.4],
  [300, 350, 0.2, "heavy", 0, 20, 0.25],
];

const designsOf = (family: Design["family"], rows: readonly Row[], seed: number): Design[] =>
  rows.map(([n, p, events, kind, correlation, effects, size], d) => ({
    name: `${family} ${n} x ${p}, ${events}, ${kind}${correlation > 0 ? ` ${correlation}` : ""}, ${effects} of ${size}`,
    family,
    rows: n,
    columns: p,
    events,
    kind,
    correlation,
    effects,
    size,
    seed: seed + d,
  }));

export const DESIGNS: readonly Design[] = [
  ...designsOf("binomial", CLASSES, 31_000),
  ...designsOf("poisson", COUNTS, 32_000),
];

export function makeDesign(design: Design): { columns: Float64Array[]; y: Float64Array } {
  const { rows, columns: p, kind, correlation, effects, size, events, seed, family } = design;
  const random = new Random(seed);
  const columns: Float64Array[] = [];
  let before: number[] | undefined;
  for (let j = 0; j < p; j++) {
    const fresh = Array.from({ length: rows }, () => random.normal());
    const z: number[] = before
      ? fresh.map((value, i) => correlation * before![i] + Math.sqrt(1 - correlation ** 2) * value)
      : fresh;
    before = correlation > 0 ? z : undefined;
    columns.push(Float64Array.from(columnOf(random, z, kind), Math.fround));
  }
  const eta = new Float64Array(rows);
  for (let e = 0; e < effects; e++) {
    const column = columns[Math.floor((e * p) / effects)];
    const mean = column.reduce((a, b) => a + b, 0) / rows;
    const sd = Math.sqrt(column.reduce((a, b) => a + (b - mean) ** 2, 0) / rows);
    const sign = random.uniform() < 0.5 ? -1 : 1;
    for (let i = 0; i < rows; i++) eta[i] += (sign * size * (column[i] - mean)) / sd;
  }
  const intercept = interceptFor(eta, events, family);
  const y = eta.map((value) =>
    family === "binomial" ? random.bernoulli(intercept + value) : random.poisson(Math.exp(intercept + value)),
  );
  return { columns, y };
}

/** t with 3 degrees, or an indicator of about one row in ten, at least two of each. */
function columnOf(random: Random, z: readonly number[], kind: Design["kind"]): number[] {
  if (kind === "normal") return [...z];
  if (kind === "heavy") {
    return z.map((value) => value / Math.sqrt(random.gamma(1.5)));
  }
  const ones = Math.max(2, Math.round(z.length * (0.03 + 0.15 * random.uniform())));
  const limit = [...z].sort((a, b) => b - a)[ones - 1];
  return z.map((value) => (value >= limit ? 1 : 0));
}

/** By bisection: the expected share of events, or mean count, is what it was meant to be. */
function interceptFor(eta: Float64Array, events: number, family: Design["family"]): number {
  let [low, high] = [-30, 30];
  for (let step = 0; step < 60; step++) {
    const at = 0.5 * (low + high);
    const mean =
      eta.reduce(
        (sum, e) => sum + (family === "binomial" ? 1 / (1 + Math.exp(-at - e)) : Math.exp(at + e)),
        0,
      ) / eta.length;
    if (mean < events) low = at;
    else high = at;
  }
  return 0.5 * (low + high);
}
