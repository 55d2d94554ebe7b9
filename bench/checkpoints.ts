/**
 * node --import tsx bench/checkpoints.ts [words]: what it costs a long run to keep where it stands, every ten seconds,
 * as a share of its time, and how much it leaves in its folder meanwhile. Only the runs are done whose name holds the
 * words.
 */

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { clusterData } from "../src/node/grouping-data.js";
import { type JournalFile, journalFile } from "../src/node/journal-file.js";
import { mixedData } from "../src/node/mixed-data.js";
import { runData } from "../src/node/run-data.js";
import { asFlag } from "../src/wording.js";

const only = process.argv[2] ?? "";
const folder = mkdtempSync(join(tmpdir(), "checkpoints-"));
const at = (name: string) => join(folder, name);
const rng = Rng.seeded(1);

function make(name: string, header: string, rows: number, row: (i: number) => (number | string)[]): string {
  const lines = Array.from({ length: rows }, (_, i) =>
    row(i)
      .map((value) => (typeof value === "number" ? value.toFixed(4) : value))
      .join(","),
  );
  writeFileSync(at(name), `${header}\n${lines.join("\n")}\n`);
  return at(name);
}

const names = (count: number) => Array.from({ length: count }, (_, j) => `x${j + 1}`).join(",");
const drawn = (count: number) => Array.from({ length: count }, () => normal(rng));
const target = (x: readonly number[]) => x[0] + x[1] + normal(rng);

const RUNS: Readonly<Record<string, (journal: JournalFile) => Promise<unknown>>> = {
  async "paper's settings, 20,000 × 100, 2 chains"(journal) {
    const path = make("paper.csv", `${names(100)},y`, 20_000, () => ((x) => [...x, target(x)])(drawn(100)));
    return runData(path, { target: "y", preset: "paper", iterations: 1_000_000, chains: 2 }, journal);
  },
  async "imputation, 6,000 × 100, a tenth missing"(journal) {
    const holed = (x: readonly number[]) => x.map((value) => (rng.uniform() < 0.1 ? "" : value));
    const row = () => ((x) => [...holed(x), target(x)])(drawn(100));
    return runData(make("holes.csv", `${names(100)},y`, 6000, row), { target: "y" }, journal);
  },
  async "mixed, 60,000 rows in 3,000 groups"(journal) {
    const row = (i: number) => [`g${i % 3000}`, normal(rng), Math.sin(i % 3000) + normal(rng)];
    const path = make("groups.csv", "g,x,y", 60_000, row);
    const asked = { target: "y", group: "g", fixed: ["x"], random: ["x"], iterations: 8000 };
    return mixedData(path, asked, journal);
  },
  async "clusters, 15,000 × 4 in 3"(journal) {
    const row = (i: number) => drawn(4).map((value) => value + 2 * (i % 3));
    const path = make("clusters.csv", names(4), 15_000, row);
    return clusterData(path, { components: 3, iterations: 4000 }, asFlag, journal);
  },
};

console.log("| run | seconds | keeping its state took | left in the folder |\n|---|---:|---:|---:|");
try {
  for (const [name, run] of Object.entries(RUNS)) {
    if (!name.includes(only)) continue;
    const own = mkdtempSync(join(folder, "run-"));
    const journal = journalFile({ folder: join(own, "unfinished"), command: {} });
    const start = performance.now();
    await run(journal);
    const seconds = (performance.now() - start) / 1000;
    const files = journal.begun ? readdirSync(journal.folder) : [];
    const bytes = files.reduce((sum, file) => sum + statSync(join(journal.folder, file)).size, 0);
    const share = (journal.spent / 10 / seconds).toFixed(2);
    console.log(`| ${name} | ${seconds.toFixed(0)} | ${share}% | ${(bytes / 1e6).toFixed(1)} MB |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
