/**
 * Measurements with slab β ~ N(0, vσ²) in standard units, p(σ²) ∝ 1/σ² and a flat intercept: for a model S
 *
 *     log p(y | S) = −½ log |I + vG| − ½(n − 1) log(y'y − b'(G + I/v)⁻¹b),   G = X'X, b = X'y, all centred.
 */

import type { Data, Problem, Truth } from "../problem.js";
import { averaged, stored, type Worked } from "./average.js";
import {
  backward,
  choleskyOf,
  dot,
  forward,
  inverseDiagonal,
  logDeterminant,
  standardised,
} from "./linear.js";

export interface Standard {
  readonly x: readonly Float64Array[];
  readonly sd: readonly number[];
  readonly y: Float64Array;
  readonly yy: number;
  readonly cross: readonly number[];
}

export function standard({ columns, y }: Data): Standard {
  const all = columns.map(standardised);
  const mean = y.reduce((a, b) => a + b, 0) / y.length;
  const target = y.map((value) => value - mean);
  const x = all.map((column) => column.x);
  return {
    x,
    sd: all.map(({ sd }) => sd),
    y: target,
    yy: dot(target, target),
    cross: x.map((c) => dot(c, target)),
  };
}

/** One model from products of its columns. */
export function worked(
  members: readonly number[],
  gram: (a: number, b: number) => number,
  { cross, yy, y }: Pick<Standard, "cross" | "yy" | "y">,
  { priorInclusion, slabVariance: v }: Problem,
): Worked {
  const k = members.length;
  const l = choleskyOf(
    members.map((a, i) => members.slice(0, i + 1).map((b) => gram(a, b) + (a === b ? 1 / v : 0))),
  );
  const z = forward(
    l,
    members.map((j) => cross[j]),
  );
  const residual = yy - dot(z, z);
  const log =
    -0.5 * (k * Math.log(v) + logDeterminant(l)) -
    0.5 * (y.length - 1) * Math.log(residual) +
    k * Math.log(priorInclusion / (1 - priorInclusion));
  const noise = residual / (y.length - 3);
  return { members, log, mean: backward(l, z), variance: inverseDiagonal(l).map((value) => noise * value) };
}

export function enumerated(data: Data, problem: Problem): Truth {
  const known = standard(data);
  const p = known.x.length;
  const gram = known.x.map((a) => known.x.map((b) => dot(a, b)));
  const models = Array.from({ length: 2 ** p }, (_, mask) => {
    const members = Array.from({ length: p }, (__, j) => j).filter((j) => (mask >> j) & 1);
    return worked(members, (a, b) => gram[a][b], known, problem);
  });
  return averaged(models, known.sd, 0);
}

/**
 * The models that hold some of the core and at most one other variable (two with depth 2). With depth 1 others come and
 * go independently of each other: each has the odds that it has by itself, given the core. That neglects what two of
 * them say together, of the order of the square of their probabilities.
 */
export function neighbouring(data: Data, problem: Problem, core: readonly number[], depth: 1 | 2): Truth {
  const known = standard(data);
  const p = known.x.length;
  const products = new Map<number, number>();
  const gram = (a: number, b: number): number => {
    const key = a < b ? a * p + b : b * p + a;
    const product = products.get(key) ?? dot(known.x[a], known.x[b]);
    products.set(key, product);
    return product;
  };
  const of = (members: readonly number[]) => worked(members, gram, known, problem);
  const others = Array.from({ length: p }, (_, j) => j).filter((j) => !core.includes(j));
  const bases = Array.from({ length: 2 ** core.length }, (_, mask) =>
    core.filter((__, c) => (mask >> c) & 1),
  );
  if (depth === 2) {
    const models = bases.flatMap((base) => [
      of(base),
      ...others.map((j) => of([...base, j])),
      ...others.flatMap((j, a) => others.slice(a + 1).map((k) => of([...base, j, k]))),
    ]);
    return averaged(models, known.sd, 0);
  }
  const worlds = bases.map((base) => ({ base: of(base), with: others.map((j) => of([...base, j])) }));
  const top = Math.max(...worlds.map(({ base }) => base.log));
  // Σ over what else is in: the product of 1 + odds.
  const weight = worlds.map(({ base, with: joined }) =>
    Math.exp(base.log - top + joined.reduce((sum, { log }) => sum + Math.log1p(Math.exp(log - base.log)), 0)),
  );
  const total = weight.reduce((a, b) => a + b, 0);
  const sums = known.sd.map(() => ({ pip: 0, mean: 0, square: 0 }));
  const add = (j: number, share: number, mean: number, variance: number): void => {
    sums[j].pip += share;
    sums[j].mean += share * mean;
    sums[j].square += share * (mean * mean + variance);
  };
  worlds.forEach(({ base, with: joined }, w) => {
    const share = weight[w] / total;
    base.members.forEach((j, a) => {
      add(j, share, base.mean[a], base.variance[a]);
    });
    for (const { members, log, mean, variance } of joined) {
      const odds = Math.exp(log - base.log);
      const last = members.length - 1;
      add(members[last], (share * odds) / (1 + odds), mean[last], variance[last]);
    }
  });
  return stored(
    sums.map(({ pip, mean, square }) => ({ pip, mean, variance: square - mean * mean })),
    known.sd,
    0,
  );
}
