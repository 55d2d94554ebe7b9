/**
 * Few rows, many correlated columns: inclusion probabilities of several seeds of `fit` against parallel tempering over
 * all columns, which shares no code with it:
 *
 *     npx tsx bench/hidden/modes.ts [DESIGN_SEED [FITS [SWEEPS [LOADING [STRENGTH]]]]]
 */

import { factorDesign } from "./designs.js";
import { fitArrays } from "./fit.js";
import { temperedModels } from "./tempering.js";

const [designSeed = 1, fits = 5, sweeps = 400_000, loading = 0.8, strength = 1] = process.argv
  .slice(2)
  .map(Number);
const made = factorDesign(
  71,
  146,
  28,
  loading,
  [1, -0.8, 0.7, 0.6].map((e) => strength * e),
  designSeed,
);
const p = made.columns.length;
const inclusion = (p + 1) ** -1.1;
const runs: number[][] = [];
for (let seed = 1; seed <= fits; seed++) {
  const { result, seconds } = await fitArrays(made, "gaussian", seed, {
    slabVariance: 1,
    modelPrior: "inclusion",
    priorInclusion: inclusion,
  });
  const pip = new Array<number>(p).fill(0);
  for (const v of result.variables) pip[Number(v.name.slice(1))] = v.pip;
  runs.push(pip);
  const top = result.variables.slice(0, 6).map((v) => `${v.name} ${v.pip.toFixed(3)}`);
  console.log(
    `seed ${seed}: ${seconds.toFixed(1)} s, ${result.certificate!.candidates} candidates, ${top.join("  ")}  ${result.verdict}`,
  );
}
if (sweeps > 0) {
  const before = process.cpuUsage();
  const chains = [1, 2].map((seed) => temperedModels(made, { inclusion, slabVariance: 1, sweeps, seed }));
  const { user } = process.cpuUsage(before);
  const truth = chains[0].map((value, j) => (value + chains[1][j]) / 2);
  const most = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((x, j) => Math.abs(x - b[j])));
  const top = [...truth.keys()].sort((a, b) => truth[b] - truth[a]).slice(0, 8);
  console.log(
    `tempering (${(user / 1e6).toFixed(0)} s): ${top.map((j) => `x${j} ${truth[j].toFixed(3)}`).join("  ")}; its two runs differ by ${most(chains[0], chains[1]).toFixed(3)}`,
  );
  for (const [i, run] of runs.entries()) {
    console.log(`seed ${i + 1}: off by at most ${most(run, truth).toFixed(3)}`);
  }
}
