/**
 * The selection of Table 1 (N = 50,000, p = 2001, the paper's settings but five moves per model) with every integrator:
 * `node --import tsx bench/selection.ts [data sets] [moves]`.
 */

import { studyRow } from "../src/experiments/simulation-study.js";
import { integratorNames } from "../src/integrators/named.js";

const datasets = Number(process.argv[2] ?? 2);
const moves = Number(process.argv[3] ?? 5);
console.log("| integrator | FSR | NSR | MSE1 | MSE0 | CPU seconds |");
console.log("|---|---|---|---|---|---|");
for (const integrator of integratorNames) {
  const options = { preset: "paper", moves, integrator } as const;
  const row = await studyRow({ kind: "linear", datasets, rows: 50_000, columns: 2000, options });
  const numbers = [row.fsr.mean, row.nsr.mean, row.mse1.mean, row.mse0.mean, row.cpuSeconds.mean];
  console.log(`| ${integrator} | ${numbers.map((x) => x.toPrecision(2)).join(" | ")} |`);
}
