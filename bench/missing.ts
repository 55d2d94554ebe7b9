/**
 * Selection on data with holes: how often 95% intervals cover, and what the alternatives do.
 *
 *     npx tsx bench/missing.ts coverage [REPLICATIONS [FIRST-SEED [FAMILY]]]
 *     npx tsx bench/missing.ts large [ROWS [COLUMNS [SHARE]]]
 */

import { HOLED_EFFECTS, type HoledRegression, holedRegression } from "../src/experiments/missing-data.js";
import type { FamilyName } from "../src/families/register.js";
import { kernelMemory, wasmKernels } from "../src/kernels/wasm.js";
import { threads } from "../src/node/threads.js";
import type { FitOptions } from "../src/options/fit.js";
import type { FitResult } from "../src/selection/answer/result.js";
import type { Environment } from "../src/selection/environment.js";
import { fitTable } from "../src/selection/fit-table.js";
import { arrayTable } from "../src/tables/readers/arrays.js";
import { localPool } from "../src/workers/pool.js";

const [mode = "coverage", ...numbers] = process.argv.slice(2);

function fit(
  { columns, y }: HoledRegression,
  missing: NonNullable<FitOptions["missing"]>,
  environment: Environment = threads,
  family: FamilyName = "gaussian",
): Promise<FitResult> {
  const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
  return fitTable(arrayTable({ ...named, y }), { target: "y", missing, family }, environment);
}

/** Threads do not pay for data this small. */
const alone: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** A binomial or Poisson target tells less than a Gaussian one with noise of variance one. */
const ROWS: Partial<Record<FamilyName, number>> = { binomial: 1200 };
const USUAL_ROWS = 600;

async function coverage(replications: number, first: number, family: FamilyName): Promise<void> {
  const rows = ROWS[family] ?? USUAL_ROWS;
  const rules = ["impute", "drop", "mean"] as const;
  const tallies = rules.map(() => ({ exact: 0, covered: 0, within: 0, intervals: 0, squares: 0 }));
  for (let seed = first; seed < first + replications; seed++) {
    const data = holedRegression({ rows, columns: 21, share: 0.2, seed, family });
    for (const [r, rule] of rules.entries()) {
      // Dropping may leave no rows at all: then nothing is found and nothing is covered.
      const { variables } = await fit(data, rule, alone, family).catch(() => ({ variables: [] }));
      const tally = tallies[r];
      tally.intervals += HOLED_EFFECTS.length;
      let exact = variables.length > 0;
      for (const { name, mean, sd, lower, upper, selected } of variables) {
        const truth = data.effects[Number(name.slice(1))];
        exact &&= selected === (truth !== 0);
        if (truth === 0) continue;
        tally.squares += (mean - truth) ** 2;
        if (lower <= truth && truth <= upper) tally.covered += 1;
        if (Math.abs(mean - truth) <= 2 * sd) tally.within += 1;
      }
      if (exact) tally.exact += 1;
    }
  }
  console.log(`${replications} data sets of ${rows} rows, ${family}, seeds from ${first}`);
  console.log("rule    true model  coverage of 95% intervals  within 2 sd  RMSE");
  for (const [r, rule] of rules.entries()) {
    const { exact, covered, within, intervals, squares } = tallies[r];
    console.log(
      [
        rule.padEnd(7),
        `${exact}/${replications}`.padEnd(11),
        `${((100 * covered) / intervals).toFixed(1)}% of ${intervals}`.padEnd(26),
        `${((100 * within) / intervals).toFixed(1)}%`.padEnd(12),
        Math.sqrt(squares / intervals).toFixed(3),
      ].join(" "),
    );
  }
}

async function large(rows: number, columns: number, share: number): Promise<void> {
  const data = holedRegression({ rows, columns, share, seed: 1 });
  const start = performance.now();
  const cpu = process.cpuUsage();
  const { variables, timing, settings, verdict } = await fit(data, "impute");
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  console.log({ rows, columns, share, seconds, cpuSeconds, timing, settings, verdict });
  const complete = await fit(holedRegression({ rows, columns, share: 0, seed: 1 }), "error");
  const without = (name: string) => complete.variables.find((one) => one.name === name)?.mean ?? 0;
  console.log("name, probability, mean, sd, mean without holes, truth");
  for (const { name, pip, mean, sd } of variables.slice(0, 5)) {
    console.log(
      name,
      pip.toFixed(4),
      mean.toFixed(4),
      sd.toFixed(4),
      without(name).toFixed(4),
      data.effects[Number(name.slice(1))],
    );
  }
}

if (mode === "large")
  await large(numbers[0] ? Number(numbers[0]) : 50_000, Number(numbers[1] ?? 500), Number(numbers[2] ?? 0.1));
else
  await coverage(
    Number(numbers[0] ?? 100),
    Number(numbers[1] ?? 1),
    (numbers[2] ?? "gaussian") as FamilyName,
  );
