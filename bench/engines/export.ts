/**
 * A fit where the data lie beside one of a file that was exported first: processor seconds of the servers and of our own
 * processes, on so many rows of a table of make-cluster.ts. `node --import tsx bench/engines/export.ts FOLDER ROWS`;
 * needs a build.
 */

import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startCluster } from "../../scripts/cluster.js";
import { fitMeasured, spent } from "./measured.js";

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
  const response = await fetch(`http://127.0.0.1:${servers[0].port}/?query=${query}`);
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path));
  const used = process.cpuUsage(own);
  const exported = total() - before + (used.user + used.system) / 1e6;
  const seconds = (performance.now() - from) / 1000;
  console.log(JSON.stringify({ exported, seconds, gigabytes: statSync(path).size / 1e9 }));
  const start = performance.now();
  const child = spawn(
    process.execPath,
    ["dist/cli/main.js", "fit", path, "--target", "y", "--json", "--quiet", "--memory", "500MB"],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  let last = spent(child.pid);
  const watch = setInterval(() => {
    const now = spent(child.pid);
    if (now.peak > 0) last = now;
  }, 50);
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  console.log(
    JSON.stringify({ fitted: last.seconds, seconds: (performance.now() - start) / 1000, peakGB: last.peak }),
  );
} finally {
  await cluster.stop();
  rmSync(scratch, { recursive: true, force: true });
}
