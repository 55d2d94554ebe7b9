/** Tables for all engines: numbers that single precision holds exactly, texts that ask for trouble, and three targets. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { poisson } from "../../src/math/variates.js";

export type Columns = Record<string, (number | string | null)[]>;

export const QUOTES = "we'st\\\" --";

export function problem(rows: number, columns: number, seed = 7, effect = 1): Columns {
  const rng = Rng.seeded(seed);
  const draw = () => Math.round(64 * normal(rng)) / 64;
  const x = Array.from({ length: columns }, () => Array.from({ length: rows }, draw));
  const region = Array.from(
    { length: rows },
    () => ["north", "south", QUOTES][Math.floor(3 * rng.uniform())],
  );
  const eta = region.map(
    (level, i) =>
      0.2 + effect * (0.25 * x[0][i] - 0.12 * x[1][i] + 0.1 * x[2][i] + (level === "south" ? 0.3 : 0)),
  );
  return {
    ...Object.fromEntries(x.map((values, j) => [`x ${j} "\`'`, values])),
    region,
    measured: eta.map((e) => Math.round(1024 * (2 * e + normal(rng))) / 1024),
    counted: eta.map((e) => poisson(rng, Math.exp(e))),
    classed: eta.map((e) => (rng.uniform() < 1 / (1 + Math.exp(-2 * e)) ? "hot" : "cold")),
  };
}

/** Some of the columns of a table. */
export function only(table: Columns, ...names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, table[name]]));
}
