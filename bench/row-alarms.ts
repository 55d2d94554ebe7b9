/**
 * How often clean rows are said to decide, to follow each other alike or to be copies: kinds of data that come near it,
 * with effects at the edge of being selected.
 *
 *     node --import tsx bench/row-alarms.ts [sets of a kind] [only kinds with this in their name]
 */

import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { expit } from "../src/math/special.js";
import { poisson } from "../src/math/variates.js";
import { fit } from "../src/node.js";

const SAID = /decides? about|follow each other|copies of others/;
type Draw = (rng: Rng) => number;
type Response = (rng: Rng, eta: number) => number;
interface Kind {
  readonly family?: "gaussian" | "binomial" | "poisson";
  readonly x?: Draw;
  /** What becomes of columns before there is a target, or of the rows after. */
  readonly ordered?: boolean;
  readonly sortedWithin?: number;
  readonly y: Response;
  /** Times 2.6 standard errors, as far as these are those of measurements. */
  readonly effect?: number;
}

const measured: Response = (rng, eta) => eta + normal(rng);
const heavy: Response = (rng, eta) => {
  let squares = 0;
  for (let i = 0; i < 5; i++) squares += normal(rng) ** 2;
  return eta + normal(rng) / Math.sqrt(squares / 5);
};
const counted =
  (level: number): Response =>
  (rng, eta) =>
    poisson(rng, Math.exp(level + eta));
const KINDS: Record<string, Kind> = {
  "normal predictors": { y: measured },
  "skewed predictors": { x: (rng) => Math.exp(normal(rng)), y: measured },
  "uniform noise": { y: (rng, eta) => eta + 3.4 * (rng.uniform() - 0.5) },
  "heavy noise": { y: heavy },
  "rare ones": { x: (rng) => Number(rng.uniform() < 0.03), y: measured, effect: 4 },
  "counts about 1": { family: "poisson", y: counted(0.3) },
  "rare counts": { family: "poisson", y: counted(-2), effect: 3 },
  "counts about 20": { family: "poisson", y: counted(3), effect: 0.25 },
  "slow predictors": { ordered: true, y: measured, effect: 0.5 },
  "classes of slow predictors": {
    family: "binomial",
    ordered: true,
    y: (rng, eta) => Number(rng.uniform() < expit(eta - 1.5)),
  },
  "rare counts of slow predictors": { family: "poisson", ordered: true, y: counted(-2.5), effect: 0.5 },
  "sorted by the target": { y: measured, sortedWithin: 1e9, effect: 2 },
  "sorted within groups": { y: measured, sortedWithin: 6, effect: 2 },
  "whole numbers": {
    family: "gaussian",
    x: (rng) => Math.floor(6 * rng.uniform()),
    y: (rng, eta) => Math.round(measured(rng, eta)),
  },
};

function made(
  { x: draw = normal, ordered, sortedWithin, y: respond, effect = 1 }: Kind,
  rows: number,
  seed: number,
) {
  const rng = Rng.seeded(seed);
  const x = Array.from({ length: 4 }, () => Float64Array.from({ length: rows }, () => draw(rng)));
  for (const column of ordered ? x : [])
    for (let i = 1; i < rows; i++) column[i] = 0.95 * column[i - 1] + 0.31 * column[i];
  const size = (2.6 * effect) / Math.sqrt(rows);
  const y = x[0].map((value, i) => respond(rng, size * (value - x[1][i])));
  if (sortedWithin === undefined) return { x, y };
  const group = (i: number) => Math.floor(i / sortedWithin);
  const order = [...y.keys()].sort((a, b) => group(a) - group(b) || y[a] - y[b]);
  const picked = (values: Float64Array) => Float64Array.from(order, (i) => values[i]);
  return { x: x.map(picked), y: picked(y) };
}

const sets = Number(process.argv[2] ?? 100);
for (const [name, kind] of Object.entries(KINDS)) {
  if (!name.includes(process.argv[3] ?? "")) continue;
  for (const rows of [15, 30, 60, 200, 1000]) {
    let [alarms, selections, refused] = [0, 0, 0];
    let last = "";
    for (let seed = 1; seed <= sets; seed++) {
      const { x, y } = made(kind, rows, seed);
      const named = Object.fromEntries(x.map((values, j) => [`x${j}`, values]));
      const family = kind.family && { family: kind.family };
      try {
        const result = await fit({ ...named, y }, { target: "y", ...family, threads: 1, seed: 1 });
        if (result.variables.some(({ selected }) => selected)) selections += 1;
        const said = result.diagnostics.warnings.find((warning) => SAID.test(warning));
        if (said === undefined) continue;
        alarms += 1;
        last = `\n    seed ${seed}: ${said.slice(0, 200)}`;
      } catch {
        // One class, or no event: nothing to fit.
        refused += 1;
      }
    }
    console.log(
      `${name}, ${rows} rows: ${alarms} of ${sets - refused}, ${selections} with a selection${last}`,
    );
  }
}
