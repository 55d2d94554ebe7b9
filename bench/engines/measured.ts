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

/** What a run of the command line took and said. */
export interface Measured {
  readonly seconds: number;
  /** Seconds of processor time. */
  readonly ours: number;
  readonly peakGB: number;
  readonly out: string;
  readonly err: string;
}

export async function commandMeasured(words: readonly string[]): Promise<Measured> {
  const from = performance.now();
  const child = spawn(process.execPath, ["dist/cli/main.js", ...words], {
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
  if (status !== 0) throw new Error(err.join(""));
  const seconds = (performance.now() - from) / 1000;
  return { seconds, ours: last.seconds, peakGB: last.peak, out: out.join(""), err: err.join("") };
}

/** Prints what a fit came to, with what it took. */
export function tellFit(what: object, { out, err, ...took }: Measured): void {
  const { rows, columns, timing, variables, certificate } = JSON.parse(out);
  const selected = variables.filter((own: { selected: boolean }) => own.selected).length;
  console.log(
    JSON.stringify({ ...what, rows, columns, ...took, timing, selected, complete: certificate.complete }),
  );
  const told = err.indexOf("questions were asked");
  if (told >= 0) console.log(err.slice(err.lastIndexOf("\n", told) + 1).trim());
}

/** Prints what there is to know of a fit of a table on a cluster. */
export async function fitMeasured(
  cluster: Cluster,
  table: string,
  options: readonly string[] = [],
  user = "reader",
): Promise<void> {
  const servers = () => cluster.servers.reduce((sum, { process: own }) => sum + spent(own.pid).seconds, 0);
  const address = `clickhouse://${user}@127.0.0.1:${cluster.servers[0].port}/default/${table}`;
  const before = servers();
  const measured = await commandMeasured(["fit", address, "--target", "y", "--json", ...options]);
  tellFit({ table, servers: servers() - before }, measured);
}
