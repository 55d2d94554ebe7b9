/**
 * Inclusion probabilities and coefficients of classes and counts with few events on columns of few ones, beside those of
 * importance sampling on the cells of the design: `node --import tsx bench/few-events.ts [sets] [rows …]`.
 */

import { cellTruth } from "../test/selection/expansion/cells.js";
import { hardSet } from "../test/selection/expansion/hard-sets.js";
import { fitRegression, variable } from "../test/selection/fit-arrays.js";

const sets = Number(process.argv[2] ?? 20);
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [1000, 10_000, 100_000];
const LAMBDA = 0.2;
const logPrior = (k: number): number => k * Math.log(LAMBDA) + (4 - k) * Math.log(1 - LAMBDA);

for (const rows of sizes) {
  const worst: { pip: number; mean: number; said: boolean }[] = [];
  for (let seed = 1; seed <= sets; seed++) {
    const set = hardSet(1000 * rows + seed, rows);
    const { family } = set;
    const truth = cellTruth(set, { family, slabVariance: 1, logPrior, draws: 40_000 });
    const before = process.cpuUsage();
    const result = await fitRegression(set, { family, priorInclusion: LAMBDA, slabVariance: 1 });
    const { user } = process.cpuUsage(before);
    const ours = set.columns.map((_, j) => variable(result, `x${j}`));
    const pip = Math.max(...ours.map((v, j) => Math.abs(v.pip - truth.pip[j])));
    const mean = Math.max(...ours.map((v, j) => Math.abs(v.mean - truth.mean[j]) / truth.sd[j]));
    const said = !/^No problems/.test(result.verdict ?? "");
    worst.push({ pip, mean, said });
    if (pip > 0.01 || mean > 0.1 || said) {
      console.log(
        `${seed}: ${set.name}; pip ${pip.toFixed(3)}, mean ${mean.toFixed(2)} sd, truth ±${truth.error.toFixed(3)}, ${(user / 1e6).toFixed(2)} s`,
      );
      console.log(
        `   ours ${ours.map((v) => `${v.pip.toFixed(3)}±${v.pipError.toFixed(3)} ${v.mean.toFixed(2)}`).join(", ")}; truth ${truth.pip.map((p, j) => `${p.toFixed(3)} ${truth.mean[j].toFixed(2)} (${truth.sd[j].toFixed(2)})`).join(", ")}${said ? ` | ${result.verdict}` : ""}`,
      );
    }
  }
  const most = (f: (w: (typeof worst)[number]) => number): string => Math.max(...worst.map(f)).toFixed(3);
  const over = worst.filter(({ pip, mean }) => pip > 0.03 || mean > 0.2).length;
  console.log(
    `${rows} rows, ${sets} sets: largest error ${most((w) => w.pip)} of a probability, ${most((w) => w.mean)} sd of a mean; ${over} over, ${worst.filter((w) => w.said).length} with a word`,
  );
}
