/**
 * Which process a file belongs to. A number alone says little: it is given to another process later. With the time at
 * which the process started, the start of the system and the space in which numbers are counted (containers have their
 * own), it names one process for ever.
 */

import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface Owner {
  readonly pid: number;
  /** In ticks since the system started; empty where the system does not say. */
  readonly started: string;
  readonly boot: string;
  readonly space: string;
  readonly host: string;
}

export type Standing = "alive" | "dead" | "unknown";

let own: Owner | undefined;

export function thisProcess(): Owner {
  own ??= {
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "",
    space: attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "",
    host: hostname(),
  };
  return own;
}

/** Whether a process still runs; of another machine or container nothing is known. */
export function standing(owner: Owner): Standing {
  const here = thisProcess();
  if (owner.host !== here.host && owner.boot !== here.boot) return "unknown";
  if (owner.boot !== here.boot) return "dead";
  if (owner.space !== here.space || (owner.boot === "" && owner.host !== here.host)) return "unknown";
  if (here.started !== "") return startOf(owner.pid) === owner.started ? "alive" : "dead";
  try {
    process.kill(owner.pid, 0);
    return "alive";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "dead" : "alive";
  }
}

/** In milliseconds. A lock without a name is that of a process that was killed in between: a while later it is sure. */
const UNNAMED = 600_000;

/** Who holds a lock; where it names nobody, the age of `beside` tells. */
export function lockOwner(
  lock: string,
  beside = lock,
): { readonly owner?: Owner; readonly text: string; readonly standing: Standing } {
  const text = attempt(() => readFileSync(lock, "utf8")) ?? "";
  const owner = ownerIn(text);
  if (owner) return { owner, text, standing: standing(owner) };
  const { mtimeMs } = lstatSync(beside);
  return { text, standing: Date.now() - mtimeMs > UNNAMED ? "dead" : "unknown" };
}

/** Undefined where the text names no process. */
function ownerIn(text: string): Owner | undefined {
  const found = attempt(() => JSON.parse(text) as Partial<Record<keyof Owner, unknown>>);
  if (typeof found !== "object" || found === null || !Number.isSafeInteger(found.pid)) return undefined;
  const { pid, started, boot, space, host } = found;
  const texts = [started, boot, space, host];
  if (!texts.every((each) => typeof each === "string")) return undefined;
  return { pid, started, boot, space, host } as Owner;
}

/** Field 22 of its line; the name before may hold blanks and brackets. A zombie does nothing any more. */
function startOf(pid: number): string | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (line === undefined) return undefined;
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
