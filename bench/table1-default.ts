/**
 * The default mode on the ten data sets of Table 1 (50,000 rows, 2,000 columns):
 *
 *     npx tsx bench/table1-default.ts [DATASETS [ROWS [COLUMNS]]]
 *
 * Wanted: every true variable at 0.999 or more, no other above 0.05, a mean model size of at most 8.1, MSE1 at most
 * 1.05 times that of least squares on the true model, 2 s after reading on two cores.
 */

import { type DefaultModeRun, defaultModeRun } from "../src/experiments/default-mode.js";
import { threads } from "../src/node/threads.js";

const [datasets = 10, rows = 50_000, columns = 2000] = process.argv.slice(2).map(Number);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const runs: DefaultModeRun[] = [];
console.log("set  weakest true  strongest other  size    MSE1 / least squares  complete  seconds  CPU");
for (let seed = 1; seed <= datasets; seed++) {
  const run = await defaultModeRun({ rows, columns, seed }, threads, cpu);
  runs.push(run);
  const { weakest, strongest, modelSize, mse1, oracleMse1, complete, seconds, cpuSeconds } = run;
  console.log(
    [
      String(seed).padEnd(4),
      weakest.toFixed(6).padEnd(13),
      strongest.toFixed(5).padEnd(16),
      modelSize.toFixed(3).padEnd(7),
      `${mse1.toExponential(2)} / ${oracleMse1.toExponential(2)}`.padEnd(21),
      String(complete).padEnd(9),
      seconds.toFixed(2).padEnd(8),
      cpuSeconds.toFixed(2),
    ].join(" "),
  );
}
const mean = (of: (run: (typeof runs)[number]) => number) =>
  runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
console.log(`
weakest true variable   ${Math.min(...runs.map(({ weakest }) => weakest)).toFixed(6)}
strongest other         ${Math.max(...runs.map(({ strongest }) => strongest)).toFixed(5)}
mean model size         ${mean(({ modelSize }) => modelSize).toFixed(3)}
MSE1 / least squares    ${(mean(({ mse1 }) => mse1) / mean(({ oracleMse1 }) => oracleMse1)).toFixed(4)}
seconds after reading   ${mean(({ seconds }) => seconds).toFixed(2)} (${mean(({ cpuSeconds }) => cpuSeconds).toFixed(2)} of the processor)`);
