/**
 * Folders for what is needed while something runs. Each holds a lock that names its process; it is removed by whoever
 * made it, at the latest when the process ends, and what a killed process left is removed by the next one.
 */

import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writingTemporary } from "../errors.js";
import { lockOwner, thisProcess } from "./owner.js";

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

const PREFIX = "sparrow-";
const LOCK = "process.lock";
const mine = new Set<string>();
const swept = new Set<string>();
let watching = false;

export function temporaryFolder(parent = tmpdir()): TemporaryFolder {
  sweepTemporary(parent);
  const path = writingTemporary(parent, () => mkdtempSync(join(parent, PREFIX)));
  mine.add(path);
  if (!watching) process.on("exit", removeAll);
  watching = true;
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    mine.delete(path);
  };
  try {
    writingTemporary(parent, () => writeFileSync(join(path, LOCK), JSON.stringify(thisProcess())));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

function removeAll(): void {
  for (const path of mine) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}

/** Once a process is enough. */
function sweepTemporary(parent: string): void {
  if (swept.has(parent)) return;
  swept.add(parent);
  removeLeftovers(parent);
}

/** What dead processes left in a folder of temporary files. */
export function removeLeftovers(parent = tmpdir()): void {
  for (const name of namesIn(parent)) {
    const path = join(parent, name);
    if (!/^sparrow-\w{6}$/.test(name) || mine.has(path)) continue;
    try {
      if (isLeftover(path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // It belongs to somebody else, or is gone by now.
    }
  }
}

function isLeftover(path: string): boolean {
  const { uid } = lstatSync(path);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  // What holds other things but no lock is not ours.
  if (namesIn(path).some((name) => name !== LOCK) && !namesIn(path).includes(LOCK)) return false;
  return lockOwner(join(path, LOCK), path).standing === "dead";
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
