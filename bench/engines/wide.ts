/**
 * A table of thousands of columns on a cluster of three: does every query stay within the limits, and how many are there?
 * `node --import tsx bench/engines/wide.ts ROWS COLUMNS [columns|array] [OPTION...]`; with `array` all are one `Array(Float32)`.
 * Needs a build.
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../../scripts/cluster.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { EFFECTS } from "./data.js";
import { fitMeasured } from "./measured.js";

const [rows, columns] = process.argv.slice(2, 4).map(Number);
const [form, ...options] = process.argv.slice(4);
const isArray = form === "array";
const PORTION = 1000;

/** Rows in ClickHouse's RowBinary. */
function portion(rng: Rng): Buffer {
  const before = isArray ? 2 : 0;
  const stride = before + 4 * (columns + 1);
  const bytes = Buffer.alloc(PORTION * stride);
  for (let i = 0; i < PORTION; i++) {
    // The length of an array, seven bits a byte; there are between 128 and 16,383 columns.
    if (isArray) bytes.set([128 + (columns % 128), columns >> 7], i * stride);
    const x = Float32Array.from({ length: columns }, () => normal(rng));
    const y = EFFECTS.reduce((sum, [j, effect]) => sum + effect * x[j], 1 + normal(rng));
    x.forEach((value, j) => {
      bytes.writeFloatLE(value, i * stride + before + 4 * j);
    });
    bytes.writeFloatLE(y, i * stride + before + 4 * columns);
  }
  return bytes;
}

async function insert(port: number, body: Buffer): Promise<void> {
  const query = encodeURIComponent("INSERT INTO part FORMAT RowBinary");
  const response = await fetch(`http://127.0.0.1:${port}/?query=${query}`, {
    method: "POST",
    body: new Uint8Array(body),
    // While rows are drawn the server would give up a connection that waits.
    headers: { connection: "close" },
  });
  if (!response.ok) throw new Error(await response.text());
}

const cluster = await startCluster();
const { run, servers } = cluster;
const folder = mkdtempSync(join(tmpdir(), "sparrow-wide-"));
try {
  const names = Array.from({ length: columns }, (_, j) => `x${j}`);
  const types = isArray ? "wide Array(Float32)" : names.map((name) => `${name} Float32`).join(", ");
  const rng = Rng.seeded(1);
  for (const s of servers.keys()) {
    // A part of a MergeTree would take a buffer for each of so many columns.
    const engine = isArray ? "MergeTree ORDER BY tuple()" : "Memory";
    await run(s, `CREATE TABLE part (${types}, y Float32) ENGINE = ${engine}`);
    for (let from = s * PORTION; from < rows; from += PORTION * servers.length)
      await insert(servers[s].port, portion(rng));
  }
  await run(0, "CREATE TABLE wide AS part ENGINE = Distributed(three, default, part)");
  console.log(`filled: ${await run(0, "SELECT count() FROM wide")}`);
  await fitMeasured(cluster, "wide", [...options, "--out", join(folder, "run")]);
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
