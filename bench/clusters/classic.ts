/**
 * Classic small sets: `node --import tsx bench/clusters/classic.ts FILE.csv COMPONENTS [SEEDS]`. The file has numbers alone
 * under one line of names, as R writes them: `write.csv(iris[, 1:4], "iris.csv", row.names = FALSE)`. For each seed the CPU
 * and the clock of a call of `clusters`, after one that compiles the code, and at the end how many take less than a
 * second of both and have a clean verdict.
 */

import { readFileSync } from "node:fs";
import { clusters } from "../../src/index.js";

const [file, components, seeds = "20"] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").trim().split("\n").slice(1);
const columns = lines[0].split(",").length;
const values = Float64Array.from(lines.flatMap((line) => line.split(",").map(Number)));
const options = { columns, components: Number(components) };

async function timed(seed: number) {
  const [before, start] = [process.cpuUsage(), performance.now()];
  const { verdict, diagnostics } = await clusters(values, { ...options, seed });
  const { user, system } = process.cpuUsage(before);
  return {
    seed,
    cpu: (user + system) / 1e6,
    clock: (performance.now() - start) / 1e3,
    sweeps: diagnostics.iterations,
    isClean: verdict.startsWith("No problems found."),
    verdict,
  };
}

await timed(0);
const runs = [];
for (let seed = 1; seed <= Number(seeds); seed++) {
  const run = await timed(seed);
  runs.push(run);
  console.log(JSON.stringify(run));
}
const sorted = runs.map(({ cpu }) => cpu).sort((a, b) => a - b);
console.log(
  JSON.stringify({
    file,
    components,
    medianCpu: sorted[sorted.length >> 1],
    largestCpu: sorted[sorted.length - 1],
    quick: runs.filter(({ cpu, clock }) => cpu < 1 && clock < 1).length,
    clean: runs.filter(({ isClean }) => isClean).length,
    both: runs.filter(({ cpu, clock, isClean }) => isClean && cpu < 1 && clock < 1).length,
    of: runs.length,
  }),
);
