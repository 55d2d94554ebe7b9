/** How a command that fails says so: one sentence and an exit status, whatever went wrong. */

import { SparrowError } from "../errors.js";
import { asFlag, option, spelt } from "../wording.js";

/** What the system refuses, by the code or the words of its error. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/EMFILE|ENFILE/, "the system allows too few open files; allow more (ulimit -n)"],
  [
    /ENOMEM|failed to map segment|bad allocation|could not allocate memory|allocation failed|ERR_WORKER_OUT_OF_MEMORY|Out of memory/i,
    `the system gives no more memory; allow more, or use less ${option("memory")} or fewer ${option("threads")}`,
  ],
  [
    /EAGAIN|ERR_WORKER_INIT_FAILED|pthread|thread constructor failed|Resource temporarily unavailable/,
    `the system allows no more threads; allow more (ulimit -u), or use fewer ${option("threads")}`,
  ],
  [/ENOSPC|EDQUOT|EFBIG/, "the disk is full, or its quota is used up"],
  [/without null bytes/, "a path holds a null character, which no path can"],
  [/EROFS/, "the disk is read-only"],
  [/EIO\b/, "a disk or a terminal failed"],
];

export interface Failure {
  readonly message: string;
  readonly status: 1 | 2;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof SparrowError) {
    return { message: `sparrow: ${oneLine(error.commandLine)}\n`, status: error.code === "option" ? 2 : 1 };
  }
  const { code = "" } = (error ?? {}) as { code?: string };
  const words = error instanceof Error ? error.message.split("\n")[0] : String(error);
  const refusal = REFUSALS.find(([pattern]) => pattern.test(`${code} ${words}`))?.[1];
  const sentence =
    refusal === undefined
      ? `something unexpected went wrong: ${words} (set DEBUG=1 for the details)`
      : spelt(refusal, asFlag);
  return { message: `sparrow: ${oneLine(sentence)}.\n`, status: 1 };
}

/** Names may hold ends of lines; a sentence does not. */
const oneLine = (sentence: string): string => sentence.replaceAll("\n", "\\u000a");
