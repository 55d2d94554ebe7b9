/**
 * Imputation where columns are many for the rows: the slope of estimated on true effects, how often 95% intervals
 * cover, and what the verdict says. Without holes the same cell shows what the prior of the effects does by itself.
 *
 *     npx tsx bench/many-columns.ts LAW ROWS COLUMNS [SETS [FIRST-SEED [SHARE [SWEEPS]]]]
 *
 * LAW of the predictors: `independent`; `factor`, one that all columns share, correlation ½; `factors`, five that
 * explain 60% of each column; `neighbours50`, `neighbours90`, correlations 0.5^|i − j|, 0.9^|i − j|. All columns but
 * the first lose entries, more often where the target is large. A line of JSON a set goes to standard error.
 */

import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import type { Environment } from "../src/selection/environment.js";
import { fitTable } from "../src/selection/fit-table.js";
import { arrayTable } from "../src/tables/readers/arrays.js";
import { localPool } from "../src/workers/pool.js";

const EFFECTS = [1, -1, 0.75, 0.5];
const FACTORS = 5;

const [law, ...numbers] = process.argv.slice(2);
const [rows, columns, sets = 100, first = 1, share = 0.12, iterations] = numbers.map(Number);
/** Where the effects are: far from each other. */
const places = EFFECTS.map((_, e) => Math.floor(((e + 0.5) * columns) / EFFECTS.length));

const alone: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Draws the predictors of a row. */
function rowOf(rng: Rng): () => number[] {
  const positions = Array.from({ length: columns }, (_, j) => j);
  const noise = (): number[] => positions.map(() => normal(rng));
  const mixed = (share: number, part: (j: number) => number): number[] =>
    positions.map((j) => Math.sqrt(share) * part(j) + Math.sqrt(1 - share) * normal(rng));
  if (law === "independent") return noise;
  if (law === "factor")
    return () => {
      const common = normal(rng);
      return mixed(0.5, () => common);
    };
  if (law === "factors") {
    const loadings = positions.map(() => {
      const raw = Array.from({ length: FACTORS }, () => normal(rng));
      const length = Math.hypot(...raw);
      return raw.map((value) => value / length);
    });
    return () => {
      const common = Array.from({ length: FACTORS }, () => normal(rng));
      return mixed(0.6, (j) => loadings[j].reduce((sum, value, k) => sum + value * common[k], 0));
    };
  }
  const correlation = Number(law.replace("neighbours", "")) / 100;
  return () => {
    let last = normal(rng);
    return positions.map((j) => {
      if (j > 0) last = correlation * last + Math.sqrt(1 - correlation ** 2) * normal(rng);
      return last;
    });
  };
}

function regression(seed: number): Record<string, Float64Array> {
  const rng = Rng.seeded(seed);
  const table: Record<string, Float64Array> = { y: new Float64Array(rows) };
  for (let j = 0; j < columns; j++) table[`x${j}`] = new Float64Array(rows);
  const draw = rowOf(rng);
  for (let i = 0; i < rows; i++) {
    const x = draw();
    const y = places.reduce((sum, j, e) => sum + EFFECTS[e] * x[j], 1 + normal(rng));
    table.y[i] = y;
    x.forEach((value, j) => {
      const lost = j > 0 && rng.uniform() < (y > 1 ? 1.3 : 0.7) * share;
      table[`x${j}`][i] = lost ? Number.NaN : value;
    });
  }
  return table;
}

const tally = { slope: [] as number[], covered: 0, found: 0, false: 0, clean: 0, sweeps: 0 };
for (let seed = first; seed < first + sets; seed++) {
  const table = arrayTable(regression(seed));
  const { variables, verdict, settings, missing } = await fitTable(
    table,
    { target: "y", seed, iterations },
    alone,
  );
  const own = places.map((j) => variables.find(({ name }) => name === `x${j}`)!);
  const products = own.reduce((sum, { meanIfIncluded }, e) => sum + meanIfIncluded * EFFECTS[e], 0);
  const slope = products / EFFECTS.reduce((sum, effect) => sum + effect ** 2, 0);
  const covered = own.filter(
    ({ lowerIfIncluded: lower, upperIfIncluded: upper }, e) => lower <= EFFECTS[e] && EFFECTS[e] <= upper,
  ).length;
  const found = own.filter(({ selected }) => selected).length;
  const wrong = variables.filter(({ selected }) => selected).length - found;
  console.error(JSON.stringify({ seed, slope, covered, found, wrong, verdict, settings, missing }));
  tally.slope.push(slope);
  tally.covered += covered;
  tally.found += found;
  tally.false += wrong;
  tally.sweeps += settings.sweeps ?? 0;
  if (verdict === "No problems found.") tally.clean += 1;
}
const { user, system } = process.cpuUsage();
const mean = tally.slope.reduce((sum, value) => sum + value, 0) / sets;
const spread = tally.slope.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sets - 1);
console.log(
  `${law} ${rows} × ${columns}, ${100 * share}% lost, ${sets} sets:`,
  `slope ${mean.toFixed(3)} ± ${Math.sqrt(spread / sets).toFixed(3)},`,
  `${((100 * tally.covered) / (sets * EFFECTS.length)).toFixed(1)}% covered,`,
  `${tally.found} of ${sets * EFFECTS.length} found and ${tally.false} others,`,
  `${tally.clean} without doubts, ${Math.round(tally.sweeps / sets)} sweeps,`,
  `${((user + system) / 1e6 / sets).toFixed(1)} s of CPU a set`,
);
