/**
 * How often clean data are said to have a problem: simulated sets that vary as their family says, through `fit` with
 * the usual settings. At most one in a hundred of a kind should be told anything but "No problems found".
 *
 *     node --import tsx bench/false-alarms.ts [sets of a kind]
 */

import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { expit } from "../src/math/special.js";
import { poisson } from "../src/math/variates.js";
import { fit } from "../src/node.js";

type Draw = (rng: Rng, eta: number) => number;
interface Kind {
  readonly family: "gaussian" | "binomial" | "poisson";
  readonly rows: number;
  readonly columns: number;
  readonly draw: Draw;
}

const measured: Draw = (rng, eta) => eta + normal(rng);
const counted: Draw = (rng, eta) => poisson(rng, Math.exp(eta));
const classed: Draw = (rng, eta) => (rng.uniform() < expit(eta) ? 1 : 0);
const KINDS: Record<string, Kind> = {
  "measurements, 40 rows": { family: "gaussian", rows: 40, columns: 5, draw: measured },
  "measurements, 1,000 rows": { family: "gaussian", rows: 1000, columns: 20, draw: measured },
  "measurements, 100 × 500": { family: "gaussian", rows: 100, columns: 500, draw: measured },
  "counts, 60 rows": { family: "poisson", rows: 60, columns: 5, draw: counted },
  "counts, 1,000 rows": { family: "poisson", rows: 1000, columns: 10, draw: counted },
  "rare counts, 1,000 rows": {
    family: "poisson",
    rows: 1000,
    columns: 5,
    draw: (rng, eta) => counted(rng, eta - 3),
  },
  "large counts, 300 rows": {
    family: "poisson",
    rows: 300,
    columns: 5,
    draw: (rng, eta) => counted(rng, eta + 3),
  },
  "classes, 300 rows": { family: "binomial", rows: 300, columns: 5, draw: classed },
  "classes, 2,000 rows": { family: "binomial", rows: 2000, columns: 10, draw: classed },
};

const sets = Number(process.argv[2] ?? 100);
for (const [kind, { family, rows, columns, draw }] of Object.entries(KINDS)) {
  const said = new Map<string, number>();
  let alarms = 0;
  for (let seed = 1; seed <= sets; seed++) {
    const rng = Rng.seeded(seed);
    const x = Array.from({ length: columns }, () => Float64Array.from({ length: rows }, () => normal(rng)));
    const y = Float64Array.from({ length: rows }, (_, i) => draw(rng, 0.4 + 0.6 * x[0][i] - 0.4 * x[1][i]));
    const named = Object.fromEntries(x.map((values, j) => [`x${j}`, values]));
    const { diagnostics } = await fit({ ...named, y }, { target: "y", family, threads: 1, seed });
    if (diagnostics.warnings.length > 0) alarms += 1;
    for (const warning of diagnostics.warnings) {
      const head = warning.replace(/[\d.]+/g, "#").slice(0, 60);
      said.set(head, (said.get(head) ?? 0) + 1);
    }
  }
  console.log(`${kind}: ${alarms} of ${sets}`, ...[...said].map(([head, n]) => `\n    ${n} × ${head}…`));
}
