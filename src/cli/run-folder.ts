/** A run on disk. It appears whole or not at all, and never in the place of another one. */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

export function writeRunFolder(path: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  attempt(path, () => {
    const folder = mkdtempSync(temporary(path));
    try {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      if (existsSync(path)) throw new SparrowError(`${path} exists already; choose another --out.`);
      renameSync(folder, path);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  });
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
