/**
 * Imputation where columns are many for the rows: the slope of estimated on true effects, how often 95% intervals
 * cover, and what the verdict says, with the slope that the posterior itself leads to expect. The same sets without
 * holes show what the prior of the effects does by itself, so slopes are compared set by set: what holes cost is the
 * difference.
 *
 *     npx tsx bench/many-columns.ts LAW ROWS COLUMNS [SETS [FIRST-SEED [SHARE [SWEEPS [WHOLE]]]]]
 *
 * LAW of the predictors: `independent`; `factor`, one that all columns share, correlation ½; `factors`, five that
 * explain 60% of each column; `neighbours50`, `neighbours90`, correlations 0.5^|i − j|, 0.9^|i − j|. All columns but
 * the first lose entries, more often where the target is large. WHOLE is how many of the sets are also fitted without
 * holes, which takes longer where the posterior is diffuse; all unless told. A line of JSON a set goes to standard error.
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
const [rows, columns, sets = 100, first = 1, share = 0.12, iterations, wholes = sets] = numbers.map(Number);
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

/** With the entries that are lost, and without a hole. */
function regression(seed: number): readonly Record<string, Float64Array>[] {
  const rng = Rng.seeded(seed);
  const names = ["y", ...Array.from({ length: columns }, (_, j) => `x${j}`)];
  const [holed, whole] = [0, 1].map(() =>
    Object.fromEntries(names.map((name) => [name, new Float64Array(rows)])),
  );
  const draw = rowOf(rng);
  for (let i = 0; i < rows; i++) {
    const x = draw();
    const y = places.reduce((sum, j, e) => sum + EFFECTS[e] * x[j], 1 + normal(rng));
    holed.y[i] = y;
    whole.y[i] = y;
    x.forEach((value, j) => {
      const lost = j > 0 && rng.uniform() < (y > 1 ? 1.3 : 0.7) * share;
      whole[`x${j}`][i] = value;
      holed[`x${j}`][i] = lost ? Number.NaN : value;
    });
  }
  return [holed, whole];
}

async function fitted(table: Record<string, Float64Array>, seed: number, sweeps: number | undefined) {
  const { variables, verdict, settings, missing } = await fitTable(
    arrayTable(table),
    { target: "y", seed, ...(sweeps !== undefined && { iterations: sweeps }) },
    alone,
  );
  const own = places.map((j) => variables.find(({ name }) => name === `x${j}`)!);
  const products = own.reduce((sum, { meanIfIncluded }, e) => sum + meanIfIncluded * EFFECTS[e], 0);
  const found = own.filter(({ selected }) => selected).length;
  return {
    slope: products / EFFECTS.reduce((sum, effect) => sum + effect ** 2, 0),
    covered: own.filter(
      ({ lowerIfIncluded: lower, upperIfIncluded: upper }, e) => lower <= EFFECTS[e] && EFFECTS[e] <= upper,
    ).length,
    found,
    wrong: variables.filter(({ selected }) => selected).length - found,
    sweeps: settings.sweeps ?? 0,
    hidden: missing?.hidden,
    expected: 1 - (missing?.shrinkage ?? Number.NaN),
    verdict: verdict ?? "",
  };
}

/** Mean and its standard error. */
function average(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${mean.toFixed(3)} ± ${Math.sqrt(spread / values.length).toFixed(3)}`;
}

type Fitted = Awaited<ReturnType<typeof fitted>>;
const pairs: { readonly lossy: Fitted; readonly complete: Fitted | undefined }[] = [];
let seconds = 0;
for (let seed = first; seed < first + sets; seed++) {
  const [holed, whole] = regression(seed);
  const before = process.cpuUsage();
  const lossy = await fitted(holed, seed, iterations);
  const { user, system } = process.cpuUsage(before);
  seconds += (user + system) / 1e6 / sets;
  const complete = seed < first + wholes ? await fitted(whole, seed, undefined) : undefined;
  console.error(JSON.stringify({ seed, lossy, complete }));
  pairs.push({ lossy, complete });
}
const lossy = pairs.map((pair) => pair.lossy);
const complete = pairs.flatMap((pair) => pair.complete ?? []);
const differences = pairs.flatMap((pair) => (pair.complete ? pair.lossy.slope - pair.complete.slope : []));
const total = (fits: readonly Fitted[], of: (fit: Fitted) => number): number =>
  fits.reduce((sum, fit) => sum + of(fit), 0);
const covered = (fits: readonly Fitted[]): string =>
  `${((100 * total(fits, (fit) => fit.covered)) / (fits.length * EFFECTS.length)).toFixed(1)}%`;
const slope = (fits: readonly Fitted[]): string => average(fits.map((fit) => fit.slope));
console.log(
  [
    `${law} ${rows} × ${columns}, ${100 * share}% lost, ${sets} sets`,
    `slope ${slope(lossy)}, expected ${average(lossy.map((fit) => fit.expected).filter(Number.isFinite))}, covered ${covered(lossy)}`,
    `${wholes} without holes: slope ${slope(complete)}, covered ${covered(complete)}, slope with holes more by ${average(differences)}`,
    `${total(lossy, (fit) => fit.found)} of ${sets * EFFECTS.length} found and ${total(lossy, (fit) => fit.wrong)} others`,
    `${total(lossy, (fit) => Number(fit.verdict.startsWith("No problems found.")))} without doubts`,
    `${total(lossy, (fit) => Number(fit.verdict.includes("closer to zero")))} that say effects are too small`,
    `${total(lossy, (fit) => Number(fit.verdict.includes("law of the predictors")))} in doubt about the law of the predictors`,
    `${Math.round(total(lossy, (fit) => fit.sweeps) / sets)} sweeps, ${seconds.toFixed(1)} s of CPU a set`,
  ].join("; "),
);
