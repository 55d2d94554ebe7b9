/**
 * Simulation-based calibration of the default mode: models, effects and data are drawn from the prior, `fit` is asked,
 * and what it says is compared with what was drawn. Given any outcome of `fit`, an interval must cover the truth as
 * often as the probability it claims, and variables with inclusion probability q must be in with frequency q.
 *
 *     npx tsx bench/calibration.ts > docs/calibration.md
 *
 * σ² and the intercept have improper priors, under which any fixed values will do (the answers move and stretch with
 * the target); they are drawn all the same. Everything is a function of the seeds below.
 */

import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { multivariateNormal } from "../src/math/variates.js";
import type { FitOptions } from "../src/options/fit.js";
import type { FitResult } from "../src/selection/answer/result.js";
import { fitTable } from "../src/selection/fit-table.js";
import { arrayTable } from "../src/tables/readers/arrays.js";
import { localPool } from "../src/workers/pool.js";

interface Design {
  readonly title: string;
  readonly datasets: number;
  readonly rows: number;
  readonly columns: number;
  readonly correlation: number;
  readonly inclusion: number;
  readonly slab: "independent" | "zellner";
  /** v or g. */
  readonly scale: number;
  readonly known: boolean;
}

const small = { datasets: 400, rows: 150, columns: 10, correlation: 0.6, inclusion: 0.5 } as const;
const DESIGNS: readonly Design[] = [
  { title: "independent slab, σ² unknown", ...small, slab: "independent", scale: 0.5, known: false },
  { title: "independent slab, σ² known", ...small, slab: "independent", scale: 0.5, known: true },
  { title: "Zellner's slab, σ² unknown", ...small, slab: "zellner", scale: 150, known: false },
  { title: "few rows, σ² unknown", ...small, rows: 25, slab: "independent", scale: 0.5, known: false },
  {
    title: "320 columns, searched and certified",
    datasets: 300,
    rows: 400,
    columns: 320,
    correlation: 0.3,
    inclusion: 0.02,
    slab: "independent",
    scale: 0.5,
    known: false,
  },
];

interface Simulated {
  readonly columns: Record<string, Float64Array>;
  readonly beta: Float64Array;
  readonly intercept: number;
  readonly variance: number;
}

function simulate(rng: Rng, design: Design): Simulated {
  const { rows, columns: p, correlation } = design;
  const unit = (z: number) => Math.exp(z);
  const shared = Float64Array.from({ length: rows }, () => Math.sqrt(correlation) * normal(rng));
  const x = Array.from({ length: p }, () => {
    const [scale, shift] = [unit(normal(rng)), 3 * normal(rng)];
    return shared.map((e) => scale * (shift + e + Math.sqrt(1 - correlation) * normal(rng)));
  });
  const variance = unit(2 * normal(rng));
  const effects = drawEffects(rng, design, x, variance);
  const intercept = 10 * normal(rng);
  const y = Float64Array.from({ length: rows }, () => intercept + Math.sqrt(variance) * normal(rng));
  x.forEach((values, j) => {
    if (effects[j] !== 0) for (let i = 0; i < rows; i++) y[i] += effects[j] * values[i];
  });
  const named = Object.fromEntries(x.map((values, j) => [`x${j}`, values]));
  return { columns: { ...named, y }, beta: effects, intercept, variance };
}

/** From the slab, which speaks of centred columns with standard deviation one; in the units of the data. */
function drawEffects(rng: Rng, design: Design, x: readonly Float64Array[], variance: number): Float64Array {
  const { rows, slab, scale, inclusion, columns } = design;
  const members = Array.from({ length: columns }, (_, j) => j).filter(() => rng.uniform() < inclusion);
  const k = members.length;
  const standard = members.map((j) => {
    const mean = x[j].reduce((a, b) => a + b, 0) / rows;
    const sd = Math.sqrt(x[j].reduce((sum, value) => sum + (value - mean) ** 2, 0) / (rows - 1));
    return { sd, values: x[j].map((value) => (value - mean) / sd) };
  });
  // The factor R of X'X = RR'; β = √(gσ²)·R⁻ᵀz has the covariance gσ²(X'X)⁻¹.
  const drawn = new Float64Array(k);
  multivariateNormal(rng, drawn, new Float64Array(k), identity(k));
  if (slab === "zellner") {
    const factor = choleskyOf(standard.map(({ values }) => values));
    for (let i = k - 1; i >= 0; i--) {
      for (let c = i + 1; c < k; c++) drawn[i] -= factor[c][i] * drawn[c];
      drawn[i] /= factor[i][i];
    }
  }
  const beta = new Float64Array(columns);
  members.forEach((j, i) => {
    beta[j] = (Math.sqrt(scale * variance) * drawn[i]) / standard[i].sd;
  });
  return beta;
}

function identity(k: number): Float64Array {
  return Float64Array.from({ length: k * k }, (_, i) => (i % (k + 1) === 0 ? 1 : 0));
}

function choleskyOf(x: readonly Float64Array[]): number[][] {
  const factor = x.map(() => new Array<number>(x.length).fill(0));
  x.forEach((a, i) => {
    for (let j = 0; j <= i; j++) {
      let sum = a.reduce((total, value, r) => total + value * x[j][r], 0);
      for (let c = 0; c < j; c++) sum -= factor[i][c] * factor[j][c];
      factor[i][j] = i === j ? Math.sqrt(sum) : sum / factor[j][j];
    }
  });
  return factor;
}

function ask(data: Simulated, design: Design, seed: number): Promise<FitResult> {
  const options: FitOptions = {
    target: "y",
    slab: design.slab,
    ...(design.slab === "zellner" ? { g: design.scale } : { slabVariance: design.scale }),
    priorInclusion: design.inclusion,
    noiseVariance: design.known ? data.variance : "unknown",
    seed,
  };
  // With σ² known the slab is in the units of the target.
  const units =
    design.known && design.slab === "independent"
      ? { ...options, slabVariance: design.scale * data.variance }
      : options;
  return fitTable(arrayTable(data.columns), units, {
    kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
    pool: async (store) => localPool(store),
    threads: 1,
  });
}

/** How often an event happened, and how often it should have. */
class Tally {
  count = 0;
  hits = 0;
  add(hit: boolean): void {
    this.count += 1;
    this.hits += hit ? 1 : 0;
  }
  get share(): number {
    return this.hits / this.count;
  }
  toString(): string {
    if (this.count === 0) return "none";
    const error = Math.sqrt((this.share * (1 - this.share)) / this.count);
    return `${(100 * this.share).toFixed(1)}% ± ${(100 * error).toFixed(1)} of ${this.count}`;
  }
}

const BINS = [0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1];

interface Outcome {
  readonly clear: Tally;
  readonly all: Tally;
  readonly intercept: Tally;
  readonly noise: Tally;
  readonly bins: { readonly tally: Tally; claimed: number }[];
}

async function calibrate(design: Design, seed: number): Promise<Outcome> {
  const outcome: Outcome = {
    clear: new Tally(),
    all: new Tally(),
    intercept: new Tally(),
    noise: new Tally(),
    bins: BINS.slice(1).map(() => ({ tally: new Tally(), claimed: 0 })),
  };
  for (let d = 0; d < design.datasets; d++) {
    const data = simulate(Rng.seeded(seed).split(d), design);
    const result = await ask(data, design, d);
    const within = ({ lower, upper }: { lower: number; upper: number }, truth: number) =>
      lower <= truth && truth <= upper;
    for (const variable of result.variables) {
      const truth = data.beta[Number(variable.name.slice(1))];
      outcome.all.add(within(variable, truth));
      if (variable.lower * variable.upper > 0) outcome.clear.add(within(variable, truth));
      const bin = outcome.bins[BINS.findIndex((_, b) => variable.pip <= BINS[b + 1])];
      bin.tally.add(truth !== 0);
      bin.claimed += variable.pip;
    }
    if (result.intercept) outcome.intercept.add(within(result.intercept, data.intercept));
    if (result.noiseVariance) outcome.noise.add(within(result.noiseVariance, data.variance));
    process.stderr.write(`\r${design.title}: ${d + 1} of ${design.datasets} `);
  }
  process.stderr.write("\n");
  return outcome;
}

/** Fixed before the first run with them; earlier tables used others. */
const SEEDS = 20_261_115;
const outcomes: Outcome[] = [];
for (const [i, design] of DESIGNS.entries()) outcomes.push(await calibrate(design, SEEDS + i));

const intervals = DESIGNS.map(({ title, datasets, rows, columns }, i) => {
  const { clear, all, intercept, noise } = outcomes[i];
  return `| ${title} | ${datasets} × ${rows} × ${columns} | ${clear} | ${all} | ${intercept} | ${noise} |`;
});
const reliability = BINS.slice(1).map((high, b) => {
  const cells = outcomes.map(({ bins }) => {
    const { tally, claimed } = bins[b];
    return tally.count === 0
      ? "none"
      : `${(100 * claimed) / tally.count < 0.05 ? "0.0" : ((100 * claimed) / tally.count).toFixed(1)}% → ${tally}`;
  });
  return `| ${BINS[b]} to ${high} | ${cells.join(" | ")} |`;
});
console.log(`# Calibration

Models, effects and data drawn from the prior; what the default mode says against what was drawn. Made by

    npx tsx bench/calibration.ts > docs/calibration.md

Errors are binomial standard errors.

## 95% intervals

An interval that excludes zero holds 95% of the posterior and must cover 95% of the time. One that reaches the point
mass at zero holds more than 95%, since the mass cannot be cut, so over all coefficients coverage lies above. With 320
columns nearly all coefficients are exactly zero and nearly all intervals are the single point zero, which covers them.

The seeds and the numbers of data sets were fixed before this run, the first with them, and it is stored as it came out.
Two earlier runs on other seeds, the second of which repeated most of the first, led to the choice of larger numbers; a
third, of 300 sets of the last design, asked whether its σ² was covered too rarely (35 of 40 sets) and gave 95.7% ± 1.2. A
fourth, of 2,000 other sets of the first design, asked about its row 0.5 to 0.7, which is 2.9 standard errors off: it
gave 59.2% → 59.2% ± 1.6 of 904, and covered 94.7% ± 0.3 of 5539 intervals that exclude zero.

| design | data sets × rows × columns | intervals that exclude zero | all coefficients | intercept | σ² |
|---|---|---|---|---|---|
${intervals.join("\n")}

## Inclusion probabilities

The mean inclusion probability that was claimed → how many of those variables were in.

| claimed | ${DESIGNS.map(({ title }) => title).join(" | ")} |
|---|${DESIGNS.map(() => "---|").join("")}
${reliability.join("\n")}`);
