/**
 * An error meant for the user: one sentence that names the file, column, row or option and says what to do.
 * `usage` marks a wrong command line (exit status 2), everything else is about the data or the run (1).
 */
export class SparrowError extends Error {
  override readonly name = "SparrowError";
  constructor(
    message: string,
    readonly kind: "data" | "usage" = "data",
  ) {
    super(message);
  }
}

/** Does something that writes to disk; when it cannot, says in a sentence why. */
export function writing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** The same for the folder of temporary files, which users can choose. */
export function writingTemporary<T>(folder: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw temporaryError(folder, error);
  }
}

export function temporaryError(folder: string, error: unknown): unknown {
  return writeError(
    `The folder for temporary files, ${folder},`,
    error,
    "; make room there, or set TMPDIR to another folder",
  );
}

function writeError(path: string, error: unknown, advice = ""): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof SparrowError || code === undefined) return error;
  return new SparrowError(`${path} could not be written: ${REASONS[code] ?? message}${advice}.`);
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
