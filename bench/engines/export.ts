/**
 * A fit where the data lie beside one of a file that was exported first: processor seconds of the servers and of our own
 * processes, on so many rows of a table of make-cluster.ts. `node --import tsx bench/engines/export.ts FOLDER ROWS`;
 * needs a build.
 */

import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { startCluster } from "../../scripts/cluster.js";
import { commandMeasured, fitMeasured, spent, tellFit } from "./measured.js";

const [folder, rowsText] = process.argv.slice(2);
const cluster = await startCluster(3, folder);
const { run, servers } = cluster;
const scratch = mkdtempSync(join(tmpdir(), "sparrow-export-"));
try {
  const each = Math.ceil(Number(rowsText) / servers.length);
  for (const s of servers.keys()) {
    await run(s, "DROP TABLE IF EXISTS part_some");
    await run(s, "CREATE TABLE part_some AS part_wide ENGINE = MergeTree ORDER BY tuple()");
    await run(s, `INSERT INTO part_some SELECT * FROM part_wide LIMIT ${each}`);
  }
  await run(0, "DROP TABLE IF EXISTS some");
  await run(0, "CREATE TABLE some AS part_some ENGINE = Distributed(three, default, part_some)");
  await fitMeasured(cluster, "some", ["--memory", "500MB"]);
  const total = () => servers.reduce((sum, { process: own }) => sum + spent(own.pid).seconds, 0);
  const [before, own, from] = [total(), process.cpuUsage(), performance.now()];
  const path = join(scratch, "some.csv");
  const query = encodeURIComponent("SELECT * FROM some FORMAT CSVWithNames");
  const { port } = servers[0];
  const url = `http://127.0.0.1:${port}/?query=${query}`;
  // Not by `fetch`: an answer in so many small pieces took it a second for every hundred kilobytes.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, resolve).once("error", reject);
  });
  await pipeline(response, createWriteStream(path));
  const used = process.cpuUsage(own);
  const exported = total() - before + (used.user + used.system) / 1e6;
  const seconds = (performance.now() - from) / 1000;
  console.log(JSON.stringify({ exported, seconds, gigabytes: statSync(path).size / 1e9 }));
  tellFit(
    { from: "the file" },
    await commandMeasured(["fit", path, "--target", "y", "--json", "--quiet", "--memory", "500MB"]),
  );
} finally {
  await cluster.stop();
  rmSync(scratch, { recursive: true, force: true });
}
