/** Hard designs for classes and counts. Columns have few values, so that rows can be counted and truth is cheap. */

import { data, indicator, normals } from "./gaussian-problems.js";
import type { Problem } from "./problem.js";
import { Random } from "./random.js";

const FEW = { tier: 1, method: { kind: "integration" }, priorInclusion: 0.2, slabVariance: 1 } as const;
type Kind = "binomial" | "poisson";

const draw = (random: Random, family: Kind, eta: number): number =>
  family === "binomial" ? random.bernoulli(eta) : random.poisson(Math.exp(eta));

/** Five values, about standard normal. */
const fiveValues = (random: Random, rows: number): number[] =>
  normals(random, rows).map((z) => Math.max(-2, Math.min(2, Math.round(z))));

/** Rare indicators, the first with an effect, beside ordinary columns. */
function rareColumns(family: Kind, ones: number, rows: number, seed: number): Problem {
  return {
    ...FEW,
    family,
    name: `${family}, ${ones} ones in ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(6000 + seed + (family === "binomial" ? 0 : 500));
      const rare = [0, 1].map(() => indicator(random, rows, ones));
      const [one, two] = [fiveValues(random, rows), indicator(random, rows, rows / 4)];
      const effect = ones < 10 ? 2.5 : 5 / Math.sqrt(ones);
      const y = one.map((_, i) =>
        draw(random, family, -1 + effect * rare[0][i] + (3 / Math.sqrt(rows)) * one[i]),
      );
      return data([...rare, one, two], y);
    },
  };
}

/** Events or counts in a small share of the rows, and columns that are common, and rare. */
function rareEvents(family: Kind, share: number, rows: number, seed: number): Problem {
  return {
    ...FEW,
    family,
    name: `${family}, events in ${100 * share}% of ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(7000 + seed + (family === "binomial" ? 0 : 500) + Math.round(1e4 * share));
      const [one, two] = [fiveValues(random, rows), fiveValues(random, rows)];
      const [half, tenth] = [indicator(random, rows, rows / 2), indicator(random, rows, rows / 10)];
      const size = 2 / Math.sqrt(share * rows);
      const y = one.map((_, i) =>
        draw(random, family, Math.log(share) + size * one[i] + 1.5 * size * half[i]),
      );
      // Without a single event there is nothing to explain.
      if (!y.some((value) => value > 0)) y[0] = 1;
      return data([one, two, half, tenth], y);
    },
  };
}

/** A column that separates the classes, completely or but for a few rows. */
function separation(rows: number, exceptions: number, seed: number): Problem {
  return {
    ...FEW,
    family: "binomial",
    name: `binomial, ${exceptions === 0 ? "complete" : "nearly complete"} separation of ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(8000 + seed + rows);
      const x = fiveValues(random, rows);
      const others = [0, 1].map(() => fiveValues(random, rows));
      const y: number[] = x.map((value) => (value > 0 ? 1 : 0));
      for (const i of random.some(exceptions, rows)) y[i] = 1 - y[i];
      return data([x, ...others], y);
    },
  };
}

/** An indicator in whose rows nothing ever happens. */
function emptyCell(family: Kind, ones: number, rows: number, seed: number): Problem {
  return {
    ...FEW,
    family,
    name: `${family}, nothing in a cell of ${ones} of ${rows} rows, seed ${seed}`,
    seed,
    make() {
      const random = new Random(9000 + seed + ones + (family === "binomial" ? 0 : 500));
      const cell = indicator(random, rows, ones);
      const others = [fiveValues(random, rows), indicator(random, rows, rows / 5)];
      const y = cell.map((inside, i) =>
        inside ? 0 : draw(random, family, -2 + (2.5 / Math.sqrt(0.1 * rows)) * others[0][i]),
      );
      return data([cell, ...others], y);
    },
  };
}

/** Counts with gamma means: under Poisson's law, which is assumed, columns that do not matter seem to. */
function overdispersed(shape: number, seed: number): Problem {
  const rows = 800;
  return {
    ...FEW,
    family: "poisson",
    name: `poisson, overdispersed with shape ${shape}, seed ${seed}`,
    seed,
    make() {
      const random = new Random(10_000 + seed);
      const columns = Array.from({ length: 4 }, () => fiveValues(random, rows));
      const y = columns[0].map((x) => random.poisson(random.gamma(shape) * Math.exp(1.5 + 0.2 * x)));
      return data(columns, y);
    },
    mustSay: /times as much as Poisson counts/,
  };
}

const SEEDS = [1, 2];

export const EXPANDED_PROBLEMS: readonly Problem[] = [
  ...(["binomial", "poisson"] as const).flatMap((family) => [
    ...[3, 30, 300].flatMap((ones) =>
      [1000, 10_000].flatMap((rows) => SEEDS.map((seed) => rareColumns(family, ones, rows, seed))),
    ),
    { ...rareColumns(family, 3, 100_000, 1), tier: 2 as const },
    { ...rareColumns(family, 300, 100_000, 1), tier: 2 as const },
  ]),
  ...[0.001, 0.005, 0.02, 0.05].flatMap((share) =>
    [4000, 20_000].flatMap((rows) => SEEDS.map((seed) => rareEvents("binomial", share, rows, seed))),
  ),
  ...[0.002, 0.02].flatMap((share) => SEEDS.map((seed) => rareEvents("poisson", share, 5000, seed))),
  { ...rareEvents("binomial", 0.001, 100_000, 1), tier: 2 },
  ...[40, 200].flatMap((rows) =>
    SEEDS.flatMap((seed) => [separation(rows, 0, seed), separation(rows, 3, seed)]),
  ),
  ...(["binomial", "poisson"] as const).flatMap((family) =>
    [10, 40].flatMap((ones) => SEEDS.map((seed) => emptyCell(family, ones, 1000, seed))),
  ),
  ...[0.5, 1, 2].flatMap((shape) => SEEDS.map((seed) => overdispersed(shape, seed))),
];
