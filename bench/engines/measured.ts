/** A fit by the command line of a table on a cluster: time, memory of our own process, and what the servers spent. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Cluster } from "../../scripts/cluster.js";

/** Seconds of processor time so far, and the most memory, of a process. */
export function spent(pid: number | undefined): { readonly seconds: number; readonly peak: number } {
  try {
    const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/ (?=[^)]*$)/);
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { seconds: (Number(fields[10]) + Number(fields[11])) / 100, peak: Number(peak) / 1e6 };
  } catch {
    return { seconds: 0, peak: 0 };
  }
}

/** Prints what there is to know. */
export async function fitMeasured(
  cluster: Cluster,
  table: string,
  options: readonly string[] = [],
  user = "reader",
): Promise<void> {
  const servers = () => cluster.servers.reduce((sum, { process: own }) => sum + spent(own.pid).seconds, 0);
  const address = `clickhouse://${user}@127.0.0.1:${cluster.servers[0].port}/default/${table}`;
  const [before, from] = [servers(), performance.now()];
  const words = ["dist/cli/main.js", "fit", address, "--target", "y", "--json", ...options];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, SPARROW_CLICKHOUSE_PASSWORD: "sparrow" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let last = spent(child.pid);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on("data", (text) => out.push(String(text)));
  child.stderr.on("data", (text) => err.push(String(text)));
  const watch = setInterval(() => {
    const now = spent(child.pid);
    if (now.peak > 0) last = now;
  }, 50);
  const status = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  const seconds = (performance.now() - from) / 1000;
  if (status !== 0) throw new Error(err.join(""));
  const { rows, columns, timing, variables, certificate } = JSON.parse(out.join(""));
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
      },
      timing,
      selected: variables.filter(({ selected }: { selected: boolean }) => selected).length,
      complete: certificate.complete,
    }),
  );
  console.log(
    err
      .join("")
      .split("\n")
      .find((line) => /questions were asked/.test(line)),
  );
}
