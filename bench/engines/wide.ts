/**
 * A table of thousands of columns on a cluster of three: does every query stay within the limits, and how many are there?
 * `node --import tsx bench/engines/wide.ts ROWS COLUMNS [array]`; with `array` all columns are one `Array(Float32)`.
 * Needs a build.
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../../scripts/cluster.js";
import { EFFECTS } from "./data.js";
import { fitMeasured } from "./measured.js";

const [rows, columns] = process.argv.slice(2, 4).map(Number);
const isArray = process.argv[4] === "array";
const PORTION = 1000;

const cluster = await startCluster();
const { run, servers } = cluster;
const folder = mkdtempSync(join(tmpdir(), "sparrow-wide-"));
try {
  const names = Array.from({ length: columns }, (_, j) => `x${j}`);
  const types = isArray ? "wide Array(Float32)" : names.map((name) => `${name} Float32`).join(", ");
  const uniform = "((intHash64(number * 8192 + j) % 16777216) / 16777216e0 - 0.5e0) * 3.4641016151377544";
  const own = isArray ? `arraySlice(a, 1, ${columns})` : names.map((_, j) => `a[${j + 1}]`).join(", ");
  const signal = EFFECTS.map(([j, effect]) => `(${effect}) * a[${j + 1}]`).join(" + ");
  for (const s of servers.keys()) {
    // A part of a MergeTree would take a buffer for each of so many columns.
    await run(
      s,
      `CREATE TABLE part (${types}, y Float32) ENGINE = ${isArray ? "MergeTree ORDER BY tuple()" : "Memory"}`,
    );
    for (let from = s * PORTION; from < rows; from += PORTION * servers.length) {
      const numbers = `SELECT number + ${from} AS number FROM system.numbers LIMIT ${PORTION}`;
      const a = `SELECT number, arrayMap(j -> toFloat32(${uniform}), range(${columns + 1})) AS a FROM (${numbers})`;
      await run(
        s,
        `INSERT INTO part SELECT ${own}, toFloat32(${signal} + a[${columns + 1}] + 1) FROM (${a})`,
      );
    }
  }
  await run(0, "CREATE TABLE wide AS part ENGINE = Distributed(three, default, part)");
  console.log(`filled: ${await run(0, "SELECT count() FROM wide")}`);
  await fitMeasured(cluster, "wide", ["--out", join(folder, "run")]);
  const queries = readFileSync(join(folder, "run/queries.sql"), "utf8")
    .split(/;\n\n?/)
    .filter(Boolean);
  const most = (of: (sql: string) => number) => Math.max(...queries.map(of));
  console.log(
    `${queries.length} queries, at most ${most((sql) => sql.length)} letters, ${most((sql) => sql.match(/sum\(/g)?.length ?? 0)} sums and ${most((sql) => new Set(sql.match(/`x\d+`|`wide`\[\d+\]/g)).size)} columns`,
  );
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
