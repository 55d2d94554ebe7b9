/**
 * R's mclust on the designs of clusters (designs.ts), which is told the number and not the truth: the adjusted Rand index
 * of its fit with full covariances (`VVV`) and of the one that it likes best of all its models, beside that of EM from
 * the true labels: `node --import tsx bench/clusters/mclust.ts FROM TO [ROWS]`, of designs with two clusters and more
 * and at most so many rows. What Sparrow comes to is recovery.ts's to say.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adjustedRand, design, emFromTruth } from "./designs.js";

const [from, to, most] = [0, 100, 1000].map((usual, i) => Number(process.argv[2 + i] ?? usual));
const script = fileURLToPath(new URL("mclust.R", import.meta.url));
/** As recovery.ts has it. */
const CLOSE = 0.02;

const folder = mkdtempSync(join(tmpdir(), "mclust-"));
const tally = { done: 0, full: 0, liked: 0 };
try {
  for (let seed = from; seed < to; seed++) {
    const data = design(seed);
    const { rows, columns, count, values, labels } = data;
    if (count < 2 || rows > most) continue;
    const file = join(folder, "values.csv");
    const line = (_: unknown, i: number) => values.subarray(i * columns, (i + 1) * columns).join();
    writeFileSync(file, Array.from({ length: rows }, line).join("\n"));
    const printed = execFileSync("Rscript", [script, file, String(count)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { model, full, liked }: { model: string; full: number[]; liked: number[] } = JSON.parse(printed);
    const best = adjustedRand(emFromTruth(data, false), labels);
    // A model that could not be fitted has no labels.
    const index = (found: readonly number[]) => (found.length === rows ? adjustedRand(found, labels) : 0);
    const indices = { full: index(full), liked: index(liked) };
    tally.done += 1;
    if (indices.full >= best - CLOSE) tally.full += 1;
    if (indices.liked >= best - CLOSE) tally.liked += 1;
    console.log(JSON.stringify({ seed, rows, columns, count, best, ...indices, model }));
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(JSON.stringify(tally));
