import { asFlag, asProperty, spelt } from "./wording.js";

/** What went wrong, for programs: messages may change, codes stay. */
export type ErrorCode =
  /** An option is missing, unknown, wrong, or has no meaning beside the others. */
  | "option"
  /** There is no such column, or it cannot play its part. */
  | "column"
  /** A file or folder is not there or may not be opened. */
  | "file"
  /** A file is damaged, cut short, or not what it should be. */
  | "format"
  /** The values cannot be fitted as they are: missing, constant, too few, of the wrong kind. */
  | "data"
  /** Something could not be written. */
  | "write"
  /** A chain ran away. */
  | "diverged"
  /** The run was stopped before there was a result. */
  | "stopped";

/** An error meant for people: one sentence that names the file, column, row or option and says what to do. */
export class SparrowError extends Error {
  override readonly name = "SparrowError";
  /** The message before options were spelt. */
  readonly marked: string;

  constructor(
    message: string,
    readonly code: ErrorCode = "data",
  ) {
    super(spelt(message, asProperty));
    this.marked = message;
  }

  /** The message with options as the command line spells them. */
  get commandLine(): string {
    return spelt(this.marked, asFlag);
  }
}

/** Does something that a signal may stop; where it then has no result, the error has a code like any other. */
export async function untilStopped<T>(
  { signal }: { readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SparrowError || !signal?.aborted || error !== signal.reason) throw error;
    throw new SparrowError("Stopped before there was a result.", "stopped");
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
  return new SparrowError(`${path} could not be written: ${REASONS[code] ?? message}${advice}.`, "write");
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
