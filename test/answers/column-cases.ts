/** Columns of every kind: texts, dates, booleans, constants, copies and sums of others. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { regression, type Table } from "./data.js";
import { type Case, fitted } from "./kept.js";

/** Numbers, a category of four levels, a date, a boolean and a constant; y follows from three of them. */
export function mixedKinds(rows = 240, seed = 11): Table {
  const rng = Rng.seeded(seed);
  const size = Array.from({ length: rows }, () => normal(rng));
  const colour = size.map(() => ["red", "green", "blue", "grey"][rng.below(4)]);
  const day = size.map(() => new Date(Date.UTC(2020, 0, 1 + rng.below(900))));
  const open = size.map(() => rng.uniform() < 0.4);
  const noise = size.map(() => normal(rng));
  const y = size.map(
    (v, i) => 0.7 * v + (colour[i] === "red" ? 1 : 0) + (open[i] ? 0.6 : 0) + 0.8 * normal(rng),
  );
  return { size, colour, day, open, noise, still: size.map(() => 3), y };
}

function withTextTarget(): Table {
  const table = regression({ rows: 200, columns: 5, family: "binomial", seed: 4 });
  return { ...table, y: Array.from(table.y, (v) => (v ? "yes" : "no")) };
}

/** Copies, a scaled copy, a sum and constants among the columns. */
function dependent(): Table {
  const table = regression({ rows: 150, columns: 5, seed: 6 });
  const { y, ...columns } = table;
  return {
    ...columns,
    copy: table.x1.slice(),
    scaled: table.x2.map((v) => 5 - 2 * v),
    sum: table.x3.map((v, i) => v + table.x4[i]),
    zero: table.x1.map(() => 0),
    y,
  };
}

export const columnCases: readonly Case[] = [
  { name: "kinds-gaussian", run: () => fitted(mixedKinds()) },
  { name: "kinds-always-category", run: () => fitted(mixedKinds(), { always: ["colour"] }) },
  {
    name: "kinds-poisson",
    run: () => {
      const table = mixedKinds();
      return fitted({ ...table, y: Array.from(table.y, (v) => Math.max(0, Math.round(1 + Number(v)))) });
    },
  },
  { name: "kinds-paper", run: () => fitted(mixedKinds(), { preset: "paper", iterations: 300, batch: 60 }) },
  { name: "target-text", run: () => fitted(withTextTarget()) },
  {
    name: "target-boolean",
    run: () => {
      const table = regression({ rows: 200, columns: 5, family: "binomial", seed: 4 });
      return fitted({ ...table, y: Array.from(table.y, (v) => v === 1) });
    },
  },
  {
    name: "target-two-numbers",
    run: () => {
      const table = regression({ rows: 200, columns: 5, family: "binomial", seed: 4 });
      return fitted({ ...table, y: table.y.map((v) => 2 + v) });
    },
  },
  { name: "dependent-columns", run: () => fitted(dependent()) },
  { name: "dependent-columns-zellner", run: () => fitted(dependent(), { slab: "zellner" }) },
];
