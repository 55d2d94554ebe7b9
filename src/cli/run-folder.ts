/** A run on disk. It appears whole or not at all, and never in the place of another one. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { writing } from "../errors.js";
import { checkNew } from "./outputs.js";

/** Fails early, before any work is done, when the folder could not be written at the end. */
export function checkRunFolder(path: string): void {
  checkNew(path);
  // The probe goes where folders exist already: a run that fails later must not leave its parents behind.
  let parent = dirname(resolve(path));
  while (!existsSync(parent)) parent = dirname(parent);
  writing(path, () => rmSync(mkdtempSync(join(parent, ".sparrow-")), { recursive: true, force: true }));
}

/** A file's content, or what writes it to a path. */
export type FileContent = string | Uint8Array | ((path: string) => Promise<void>);

export async function saveRun(path: string, files: Readonly<Record<string, FileContent>>): Promise<void> {
  const folder = writing(path, () => mkdtempSync(temporary(path)));
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, name);
      if (typeof content === "function") await content(file);
      else writing(path, () => writeFileSync(file, content));
    }
    checkNew(path);
    // A temporary folder is private; a run is as open as any other folder of the user.
    writing(path, () => chmodSync(folder, 0o777 & ~process.umask()));
    writing(path, () => renameSync(folder, path));
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
