/** What is on the disk, not only on its way there: a crash of the machine may lose anything that was not asked for. */

import { closeSync, fsyncSync, openSync } from "node:fs";

/** A file's content, or a folder's names. */
export function settle(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    // Windows opens no folders.
    if (["EISDIR", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return;
    throw error;
  }
  try {
    fsyncSync(file);
  } catch (error) {
    // Some disks, and Windows, cannot do this for folders or for files that are open to be read.
    if (!["EINVAL", "ENOTSUP", "EPERM", "EBADF"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
  } finally {
    closeSync(file);
  }
}
