/**
 * Tables on a cluster whose data stay in a folder, in portions that are skipped where they are there already:
 * `node --import tsx bench/engines/make-cluster.ts FOLDER ROWS COLUMNS`. `wide` lies on three servers, `single` on one.
 */

import { mkdirSync } from "node:fs";
import { startCluster } from "../../scripts/cluster.js";
import { columnsSql } from "./data.js";

const [folder, rowsText, columnsText] = process.argv.slice(2);
const [rows, columns] = [rowsText, columnsText].map(Number);
const PORTION = 100_000;

mkdirSync(folder, { recursive: true });
const { run, servers, stop } = await startCluster(3, folder);
const types = [...Array.from({ length: columns }, (_, j) => `x${j} Float32`), "y Float32"].join(", ");
const list = columnsSql(columns, (j) => `intHash64(number * 8192 + ${j})`, "toFloat32").join(", ");
const rowNumbers = (from: number, size: number) =>
  `SELECT number + ${from} AS number FROM system.numbers LIMIT ${size}`;
const fill = async (server: number, table: string, first: number, last: number) => {
  await run(server, `CREATE TABLE IF NOT EXISTS ${table} (${types}) ENGINE = MergeTree ORDER BY tuple()`);
  for (
    let from = first + Number(await run(server, `SELECT count() FROM ${table}`));
    from < last;
    from += PORTION
  ) {
    const size = Math.min(PORTION, last - from);
    await run(server, `INSERT INTO ${table} SELECT ${list} FROM (${rowNumbers(from, size)})`);
    console.log(`${table} on server ${server}: ${from + size - first} of ${last - first}`);
  }
};
try {
  const third = Math.ceil(rows / servers.length);
  for (const s of servers.keys()) await fill(s, "part_wide", s * third, Math.min(rows, (s + 1) * third));
  await run(
    0,
    "CREATE TABLE IF NOT EXISTS wide AS part_wide ENGINE = Distributed(three, default, part_wide)",
  );
  await fill(0, "single", 0, rows);
} finally {
  await stop();
}
