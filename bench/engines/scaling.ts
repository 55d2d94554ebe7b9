/**
 * How much sooner three servers answer than one: the screen of some columns of the tables of make-cluster.ts, by one thread
 * a server, in turn. `node --import tsx bench/engines/scaling.ts FOLDER`.
 */

import { startCluster } from "../../scripts/cluster.js";
import { clickHouseEngine } from "../../src/engines/clickhouse/clickhouse.js";
import { everyRow } from "../../src/engines/reading/read.js";

const COLUMNS = 40;
const cluster = await startCluster(3, process.argv[2]);
try {
  const seconds = new Map<string, number[]>();
  for (const table of ["single", "wide", "single", "wide"]) {
    const address = `clickhouse://narrow@127.0.0.1:${cluster.servers[0].port}/default/${table}`;
    const engine = await clickHouseEngine(address, { password: "sparrow" });
    const aggregates = Array.from({ length: COLUMNS }, (_, j) => [
      `sum(x${j})`,
      `sum(x${j} * x${j})`,
      `sum(x${j} * y)`,
    ]);
    const from = performance.now();
    await everyRow(engine, {}).sums("a screen", { layers: [], aggregates: aggregates.flat() });
    seconds.set(table, [...(seconds.get(table) ?? []), (performance.now() - from) / 1000]);
    await engine.close();
  }
  const least = (table: string) => Math.min(...seconds.get(table)!);
  console.log(
    Object.fromEntries(seconds),
    `three servers: ${(least("single") / least("wide")).toFixed(2)} times as fast`,
  );
} finally {
  await cluster.stop();
}
