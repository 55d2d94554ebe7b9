/** A run on disk. It appears whole or not at all, and never in the place of another one. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SparrowError } from "../errors.js";

/** Fails early, before any work is done, when the folder could not be written at the end. */
export function checkRunFolder(path: string): void {
  if (existsSync(path)) {
    throw new SparrowError(`${path} exists already; choose another --out or remove it first.`);
  }
  // The probe goes where folders exist already: a run that fails later must not leave its parents behind.
  let parent = dirname(resolve(path));
  while (!existsSync(parent)) parent = dirname(parent);
  attempt(path, () => rmSync(mkdtempSync(join(parent, ".sparrow-")), { recursive: true, force: true }));
}

/** A file's content, or what writes it to a path. */
export type FileContent = string | Uint8Array | ((path: string) => Promise<void>);

export async function saveRun(path: string, files: Readonly<Record<string, FileContent>>): Promise<void> {
  const folder = attempt(path, () => mkdtempSync(temporary(path)));
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, name);
      if (typeof content === "function") await content(file);
      else attempt(path, () => writeFileSync(file, content));
    }
    if (existsSync(path)) throw new SparrowError(`${path} exists already; choose another --out.`);
    // A temporary folder is private; a run is as open as any other folder of the user.
    attempt(path, () => chmodSync(folder, 0o777 & ~process.umask()));
    attempt(path, () => renameSync(folder, path));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function temporary(path: string): string {
  const parent = dirname(resolve(path));
  mkdirSync(parent, { recursive: true });
  return join(parent, `.${basename(path)}-`);
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof SparrowError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOSPC"
        ? "the disk is full"
        : code === "EACCES" || code === "EROFS" || code === "EPERM"
          ? "the folder may not be written to"
          : code === "ENOTDIR" || code === "EEXIST"
            ? "a part of the path is a file"
            : message;
    throw new SparrowError(`${path} could not be written: ${why}.`);
  }
}
