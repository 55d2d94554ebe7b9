/**
 * A fit of a table on a cluster whose data are in a folder (make-cluster.ts): how long it takes, what it reads, and how
 * much memory our own process takes. `node --import tsx bench/engines/cluster.ts FOLDER TABLE [USER]`; needs a build.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { startCluster } from "../../scripts/cluster.js";

const [folder, table, user = "reader", ...options] = process.argv.slice(2);
const cluster = await startCluster(3, folder);

/** Seconds of processor time so far, and the most memory, of a process. */
function spent(pid: number | undefined): { readonly seconds: number; readonly peak: number } {
  try {
    const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/ (?=[^)]*$)/);
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { seconds: (Number(fields[10]) + Number(fields[11])) / 100, peak: Number(peak) / 1e6 };
  } catch {
    return { seconds: 0, peak: 0 };
  }
}

try {
  const servers = () => cluster.servers.reduce((sum, { process: own }) => sum + spent(own.pid).seconds, 0);
  const address = `clickhouse://${user}@127.0.0.1:${cluster.servers[0].port}/default/${table}`;
  const [before, from] = [servers(), performance.now()];
  const child = spawn(
    process.execPath,
    ["dist/cli/main.js", "fit", address, "--target", "y", "--json", ...options],
    {
      env: { ...process.env, SPARROW_CLICKHOUSE_PASSWORD: "sparrow" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [out, err, last] = ["", "", spent(child.pid)];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const watch = setInterval(() => {
    const now = spent(child.pid);
    if (now.peak > 0) last = now;
  }, 50);
  const status = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(watch);
  const seconds = (performance.now() - from) / 1000;
  if (status !== 0) throw new Error(err);
  const { rows, columns, timing, variables, certificate } = JSON.parse(out);
  console.log(
    JSON.stringify({
      ...{
        table,
        rows,
        columns,
        seconds,
        servers: servers() - before,
        ours: last.seconds,
        peakGB: last.peak,
        timing,
      },
      selected: variables.filter(({ selected }: { selected: boolean }) => selected).length,
      complete: certificate.complete,
    }),
  );
  console.log(err.split("\n").find((line) => /questions were asked/.test(line)));
} finally {
  await cluster.stop();
}
