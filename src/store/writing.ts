import { SparrowError } from "../errors.js";

/** Does something that writes to disk; when it cannot, says in a sentence why. */
export function writing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof SparrowError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new SparrowError(`${path} could not be written: ${REASONS[code] ?? message}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  EFBIG: "the disk does not take files that large",
  EACCES: "the folder may not be written to",
  EPERM: "the folder may not be written to",
  EROFS: "the disk is read-only",
  ENOENT: "its folder does not exist",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  EISDIR: "it is a directory",
};
