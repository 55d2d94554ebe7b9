/** Random sets of classes or counts on columns of few ones, with few events, separated classes and empty cells. */

import { Rng } from "../../../src/math/rng.js";
import type { CellProblem } from "./cells.js";

export interface HardSet extends CellProblem {
  readonly family: "binomial" | "poisson";
  readonly name: string;
}

const ONES = [1, 3, 10, 30, 100, 300] as const;
const KINDS = ["rare", "separated", "no event", "nested"] as const;

export function hardSet(seed: number, rows: number): HardSet {
  const rng = Rng.seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(rng.uniform() * from.length)];
  const family = pick(["binomial", "poisson"] as const);
  const kind = pick(KINDS);
  const rate = 10 ** (-3 + 1.7 * rng.uniform());
  const level = Math.log(rate);
  const columns = Array.from({ length: 4 }, () => {
    const ones = Math.min(pick(ONES), rows / 4);
    const values = new Array<number>(rows).fill(0);
    for (let i = 0; i < ones; i++) values[Math.floor(rng.uniform() * rows)] = 1;
    return values;
  });
  // A column whose ones are some of another's: one of the four cells is empty.
  if (kind === "nested") columns[1] = columns[0].map((x) => (x === 1 && rng.uniform() < 0.5 ? 1 : 0));
  if (!columns[1].includes(1)) columns[1][columns[0].indexOf(1)] = 1;
  const beta = columns.map(() => (rng.uniform() < 0.5 ? 0 : 0.5 + 3 * rng.uniform()));
  const y = Array.from({ length: rows }, (_, i) => {
    const eta = beta.reduce((sum, b, j) => sum + b * columns[j][i], level);
    if (kind === "separated" && columns[0][i] === 1) return 1;
    if (kind === "no event" && columns[0][i] === 1) return 0;
    if (family === "binomial") return rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
    let [count, left] = [-1, 0];
    for (; left < Math.exp(eta); count++) left -= Math.log(rng.uniform());
    return count;
  });
  // Two events there must be, outside of the columns.
  for (let found = y.reduce((a, b) => a + b, 0), i = 0; found < 2; i++) {
    if (y[i] > 0 || columns.some((values) => values[i] === 1)) continue;
    y[i] = 1;
    found += 1;
  }
  const ones = columns.map((values) => values.reduce((a, b) => a + b, 0));
  const events = y.reduce((a, b) => a + b, 0);
  return {
    family,
    columns,
    y,
    name: `${family}, ${kind}, ${rows} rows, ${events} events, ones ${ones.join(" ")}`,
  };
}
