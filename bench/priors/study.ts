/**
 * Which default priors predict best: mean predictive log density of held-out rows over random splits of public data.
 *
 *     npm run build && Rscript bench/priors/export.R SETS DIABETES.csv
 *     node --import tsx bench/priors/study.ts SETS > table.md
 *
 * The density of a row is the average over draws from the posterior over models, coefficients and noise.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FitOptions, PosteriorDraws } from "../../src/index.js";
import { Rng } from "../../src/math/rng.js";
import { run } from "../../src/node.js";

type Priors = (p: number) => Partial<FitOptions>;

const beta = (expectedSize: number): Partial<FitOptions> => ({ modelPrior: "beta-binomial", expectedSize });
const PRIORS: Record<string, Priors> = {
  "λ, v = 1": () => ({ modelPrior: "inclusion", slabVariance: 1 }),
  "b = 1, v = 1": (p) => ({ ...beta(p / 2), slabVariance: 1 }),
  "b = 1, ZS": (p) => ({ ...beta(p / 2), scalePrior: "zellner-siow" }),
  "b = 1, hyper": (p) => ({ ...beta(p / 2), scalePrior: "hyper-g-n" }),
  "b = √p, hyper": (p) => ({ ...beta(p / (1 + Math.sqrt(p))), scalePrior: "hyper-g-n" }),
  "b = p, hyper": (p) => ({ ...beta(p / (1 + p)), scalePrior: "hyper-g-n" }),
};
/** Of the rows are held out. */
const HELD = 0.25;
const SPLITS = { few: 8, many: 3 };
/** Columns from which on fits take long. */
const MANY = 25;
const COUNTS = ["insects"];
const CLASSES = ["biopsy", "pima", "sonar", "ionosphere", "lowbwt", "infert"];

const [folder, only] = process.argv.slice(2);
const names = Object.keys(PRIORS);
console.log(`| data | rows × columns | ${names.join(" | ")} |`);
console.log(`|---|---|${names.map(() => "---:|").join("")}`);
const sums = new Float64Array(names.length);
for (const file of readdirSync(folder).sort()) {
  const set = file.replace(".csv", "");
  if (only && !only.split(",").includes(set)) continue;
  const { columns, rows } = read(join(folder, file));
  const p = columns.length - 1;
  const splits = p > MANY ? SPLITS.many : SPLITS.few;
  const scores = await Promise.all(names.map(() => 0));
  for (let split = 0; split < splits; split++) {
    const order = shuffled(rows.length, split + 1);
    const held = order.slice(0, Math.round(HELD * rows.length)).map((i) => rows[i]);
    const rest = order.slice(held.length).map((i) => rows[i]);
    for (const [k, name] of names.entries())
      scores[k] += (await score(set, columns, rest, held, PRIORS[name](p))) / splits;
  }
  const best = Math.max(...scores);
  scores.forEach((value, k) => {
    sums[k] += value - scores[0];
  });
  const shown = scores.map((value) => (value === best ? `**${value.toFixed(3)}**` : value.toFixed(3)));
  console.log(`| ${set} | ${rows.length} × ${p} | ${shown.join(" | ")} |`);
}
console.log(`| sum, less the first | | ${[...sums].map((sum) => sum.toFixed(3)).join(" | ")} |`);

async function score(
  set: string,
  columns: readonly string[],
  rest: readonly number[][],
  held: readonly number[][],
  priors: Partial<FitOptions>,
): Promise<number> {
  const data = Object.fromEntries(columns.map((name, c) => [name, rest.map((row) => row[c])]));
  const family = CLASSES.includes(set) ? "binomial" : COUNTS.includes(set) ? "poisson" : "gaussian";
  const { details } = await run(data, { target: "y", family, threads: 1, ...priors });
  return meanLogDensity(details.draws(), columns, held, family);
}

function meanLogDensity(
  { names: variables, chains }: PosteriorDraws,
  columns: readonly string[],
  held: readonly number[][],
  family: "gaussian" | "binomial" | "poisson",
): number {
  const place = variables.map((name) => columns.indexOf(name));
  const target = columns.indexOf("y");
  let sum = 0;
  for (const row of held) {
    let [density, count] = [0, 0];
    for (const { start, variable, value, intercept, noiseVariance } of chains) {
      for (let d = 0; d + 1 < start.length; d++, count++) {
        let eta = intercept?.[d] ?? 0;
        for (let e = start[d]; e < start[d + 1]; e++) eta += value[e] * row[place[variable[e]]];
        density += Math.exp(logDensity(family, row[target], eta, noiseVariance?.[d] ?? 1));
      }
    }
    sum += Math.log(Math.max(density / count, 1e-300));
  }
  return sum / held.length;
}

function logDensity(family: string, y: number, eta: number, variance: number): number {
  if (family === "gaussian") return -0.5 * (Math.log(2 * Math.PI * variance) + (y - eta) ** 2 / variance);
  if (family === "binomial") return -Math.log1p(Math.exp(y === 1 ? -eta : eta));
  let log = y * eta - Math.exp(eta);
  for (let k = 2; k <= y; k++) log -= Math.log(k);
  return log;
}

function read(path: string): { columns: string[]; rows: number[][] } {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const columns = head.split(",").map((name) => name.replaceAll('"', ""));
  return { columns, rows: lines.map((line) => line.split(",").map(Number)) };
}

function shuffled(count: number, seed: number): number[] {
  const rng = Rng.seeded(seed);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
