/** Hard designs for measurements. */

import type { Data, Problem } from "./problem.js";
import { Random } from "./random.js";

const CLOSED = { kind: "enumeration" } as const;
const FEW = { family: "gaussian", tier: 1, method: CLOSED, priorInclusion: 0.2, slabVariance: 1 } as const;

export function data(columns: readonly (readonly number[])[], y: readonly number[]): Data {
  return {
    columns: columns.map((values) => Float64Array.from(values, Math.fround)),
    y: Float64Array.from(y, Math.fround),
  };
}

export const normals = (random: Random, n: number): number[] =>
  Array.from({ length: n }, () => random.normal());

/** Zeros but for so many ones. */
export function indicator(random: Random, rows: number, ones: number): number[] {
  const column = new Array<number>(rows).fill(0);
  for (const i of random.some(ones, rows)) column[i] = 1;
  return column;
}

const sumOf = (terms: readonly (readonly [number, readonly number[]])[], i: number): number =>
  terms.reduce((sum, [effect, column]) => sum + effect * column[i], 0);

/** Two rare columns, one with an effect of a few standard errors, beside ordinary ones. */
function rareColumns(ones: number, rows: number, seed: number): Problem {
  return {
    ...FEW,
    name: `gaussian, ${ones} ones in ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(1000 + seed);
      const rare = [0, 1].map(() => indicator(random, rows, ones));
      const others = Array.from({ length: 4 }, () => normals(random, rows));
      const terms = [[2.5 / Math.sqrt(ones), rare[0]] as const, [3 / Math.sqrt(rows), others[0]] as const];
      const y = others[0].map((_, i) => 1 + sumOf(terms, i) + random.normal());
      return data([...rare, ...others], y);
    },
  };
}

/** t noise with so many degrees of freedom: the law that is assumed is wrong, the posterior under it is known. */
function heavyTails(freedom: 1 | 2, rows: number, seed: number): Problem {
  return {
    ...FEW,
    name: `gaussian, t noise with ${freedom} degrees of freedom, ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(2000 + seed + 10 * freedom);
      const columns = Array.from({ length: 6 }, () => normals(random, rows));
      const y = columns[0].map(
        (x, i) => 0.5 * x - 0.3 * columns[1][i] + random.normal() / Math.sqrt(random.gamma(freedom / 2)),
      );
      return data(columns, y);
    },
    ...(freedom === 1 && { mustSay: /few rows decide/ }),
  };
}

/**
 * Columns that say nothing one by one: correlation 0.95 and opposite effects, R² = 0.1; or three of which two make up
 * the third but for a little.
 */
function suppressors(count: 2 | 3, columns: number, seed: number): Problem {
  const rows = 2000;
  return {
    name: `gaussian, ${count === 2 ? "suppressor pair" : "suppressor triple"} among ${columns}, seed ${seed}`,
    family: "gaussian",
    seed,
    tier: columns <= 600 ? 1 : 2,
    method: { kind: "neighbourhood", core: Array.from({ length: count }, (_, j) => j), depth: 1 },
    priorInclusion: 1 / (20 * columns),
    slabVariance: 1,
    make() {
      const random = new Random(3000 + seed + 31 * count + columns);
      const first = normals(random, rows);
      const second =
        count === 2
          ? first.map((x) => 0.95 * x + Math.sqrt(1 - 0.95 ** 2) * random.normal())
          : normals(random, rows);
      const third = first.map((x, i) => Math.SQRT1_2 * (x + second[i]) + 0.3 * random.normal());
      const core = count === 2 ? [first, second] : [first, second, third];
      const signal = core[0].map((x, i) =>
        count === 2 ? x - second[i] : Math.SQRT1_2 * (x + second[i]) - third[i],
      );
      const size = Math.sqrt(signal.reduce((sum, s) => sum + s * s, 0) / rows);
      const y = signal.map((s) => s / size / 3 + random.normal());
      const nulls = Array.from({ length: columns - count }, () => normals(random, rows));
      return data([...core, ...nulls], y);
    },
  };
}

/** One effect seen through many columns. */
function substitutes(count: number, seed: number): Problem {
  return {
    name: `gaussian, an effect spread over ${count} substitutes, seed ${seed}`,
    family: "gaussian",
    seed,
    tier: 1,
    method: { kind: "neighbourhood", core: [], depth: 2 },
    priorInclusion: 1e-3,
    slabVariance: 1,
    make() {
      const random = new Random(4000 + seed + count);
      const x = normals(random, 400);
      const alike = Array.from({ length: count }, () => x.map((value) => value + 0.05 * random.normal()));
      const nulls = Array.from({ length: 15 }, () => normals(random, 400));
      return data(
        [...alike, ...nulls],
        x.map((value) => 0.6 * value + random.normal()),
      );
    },
  };
}

/** Many more columns than rows, correlated in blocks. */
function wide(rows: number, columns: number, correlation: number, seed: number): Problem {
  return {
    name: `gaussian, ${rows} × ${columns} with correlation ${correlation} in blocks, seed ${seed}`,
    family: "gaussian",
    seed,
    // Others take as long as a hundred small problems.
    tier: columns <= 600 && seed === 1 ? 1 : 2,
    method: { kind: "tempering" },
    priorInclusion: 3 / columns,
    slabVariance: 1,
    make() {
      const random = new Random(5000 + seed + columns);
      const block = 20;
      const common = Array.from({ length: Math.ceil(columns / block) }, () => normals(random, rows));
      const x = Array.from({ length: columns }, (_, j) =>
        common[Math.floor(j / block)].map(
          (c) => Math.sqrt(correlation) * c + Math.sqrt(1 - correlation) * random.normal(),
        ),
      );
      const y = x[0].map(
        (_, i) =>
          x[0][i] + 0.8 * x[block][i] - 0.7 * x[block + 1][i] + 0.6 * x[2 * block][i] + 0.8 * random.normal(),
      );
      return data(x, y);
    },
  };
}

export const GAUSSIAN_PROBLEMS: readonly Problem[] = [
  ...[3, 30, 300].flatMap((ones) =>
    [1000, 10_000].flatMap((rows) => [1, 2].map((seed) => rareColumns(ones, rows, seed))),
  ),
  ...[3, 300].map((ones) => ({ ...rareColumns(ones, 100_000, 1), tier: 2 as const })),
  ...([1, 2] as const).flatMap((freedom) =>
    [100, 1000].flatMap((rows) => [1, 2].map((seed) => heavyTails(freedom, rows, seed))),
  ),
  ...[350, 600].flatMap((columns) => [1, 2, 3].map((seed) => suppressors(2, columns, seed))),
  ...[350, 600].flatMap((columns) => [1, 2].map((seed) => suppressors(3, columns, seed))),
  ...[1500, 5000, 20_000].map((columns) => suppressors(2, columns, 1)),
  ...[1500, 5000].map((columns) => suppressors(3, columns, 1)),
  ...[5, 20, 40, 100].flatMap((count) => [1, 2].map((seed) => substitutes(count, seed))),
  ...[1, 2].map((seed) => wide(60, 300, 0.5, seed)),
  ...[1, 3].map((seed) => wide(60, 500, 0.8, seed)),
  wide(71, 2000, 0.8, 1),
];
