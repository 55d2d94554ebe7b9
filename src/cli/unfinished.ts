/**
 * A long run keeps beside its output what it has come to, in a folder `RUN.unfinished`, until it is finished. There
 * `sparrow resume RUN` finds what was asked and how far it came.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { SparrowError } from "../errors.js";
import { COMMAND, type JournalFile, journalFile, partialOf } from "../node/journal-file.js";
import { anything, list, object, type Shape, text } from "../shape.js";
import { version } from "./version.js";

/** What was asked, as plain data. */
export interface Asked {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

interface Kept extends Asked {
  readonly version: string;
  /** Names of files are told from here. */
  readonly folder: string;
  /** Of all the others as JSON: another seed would give another answer. */
  readonly sha256: string;
}

const checksumOf = (kept: Omit<Kept, "sha256">): string =>
  createHash("sha256").update(JSON.stringify(kept)).digest("hex");

const keptShape: Shape = object({
  version: text,
  command: text,
  folder: text,
  positionals: list(text),
  options: object({ out: anything }),
  sha256: text,
});

export const unfinishedFolder = (out: string): string => `${out.replace(/[/\\]+$/, "")}.unfinished`;

/** Runs may be resumed where the clock decides nothing and the data can be read again. */
function canResume({ positionals, options }: Asked): boolean {
  return options.out !== undefined && options.seconds === undefined && !positionals.includes("-");
}

/** Does a run that keeps what it comes to; it is over when `work` says that its result is whole. */
export async function keepingState(
  asked: Asked,
  { resumed, signal }: { readonly resumed: boolean; readonly signal: AbortSignal },
  work: (journal: JournalFile | undefined) => Promise<{ readonly whole: boolean }>,
): Promise<{ readonly unfinished: boolean }> {
  if (!canResume(asked)) {
    await work(undefined);
    return { unfinished: false };
  }
  const folder = unfinishedFolder(String(asked.options.out));
  if (!resumed && keepsNothing(folder)) rmSync(folder, { recursive: true });
  if (!resumed && existsSync(folder)) {
    throw new SparrowError(
      `${asked.options.out} was begun before and is not finished; sparrow resume ${asked.options.out} goes on, or remove ${folder} to begin anew.`,
      "write",
    );
  }
  const { command: name, positionals, options } = asked;
  const what = { version: version(), folder: process.cwd(), command: name, positionals, options };
  const command: Kept = { ...what, sha256: checksumOf(what) };
  const journal = journalFile({ folder, command, signal, ...interval() });
  try {
    const { whole } = await work(journal);
    if (whole) removeFolder(folder);
    else journal.flush();
    return { unfinished: !whole && journal.begun };
  } catch (error) {
    // What cannot work will not work later; what was stopped, or found the disk full, may.
    if (error instanceof SparrowError && !["stopped", "write"].includes(error.code)) {
      if (!resumed) removeFolder(folder);
    } else journal.flush();
    throw error;
  }
}

/** Whoever was killed when the folder was there, and what was asked not yet, has left nothing to go on from. */
function keepsNothing(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).every((name) => name === partialOf(COMMAND));
}

/** What was asked goes last: whoever is killed meanwhile leaves something that can be resumed, or removed. */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name !== COMMAND) rmSync(join(folder, name), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds between two looks, where the surroundings say: tests are shorter than the runs that need this. */
const interval = (): { interval?: number } => {
  const told = Number(process.env.SPARROW_JOURNAL_INTERVAL ?? 0);
  return told > 0 ? { interval: told } : {};
};

/** Undefined where the run is finished. */
export function readAsked(run: string): Asked | undefined {
  const folder = unfinishedFolder(run);
  const path = join(folder, COMMAND);
  if (!existsSync(path)) {
    if (existsSync(run)) return undefined;
    if (keepsNothing(folder)) {
      throw new SparrowError(
        `${run} was stopped before it had kept anything: there is nothing to resume; begin it anew.`,
        "file",
      );
    }
    throw new SparrowError(
      `There is no ${folder}: a run keeps its state there once it has taken ten seconds.`,
      "file",
    );
  }
  const kept = parsed(path);
  const problem = keptShape(kept, "");
  if (problem !== undefined) throw damaged(path, problem);
  const { sha256, ...what } = kept as Kept;
  if (checksumOf(what) !== sha256) throw damaged(path, "its bytes have been changed");
  const { version: before, folder: from, ...asked } = what;
  if (before !== version()) {
    throw new SparrowError(
      `${run} was begun by version ${before} and cannot be resumed by ${version()}; begin it anew.`,
      "format",
    );
  }
  const own = resolve(folder);
  process.chdir(from);
  if (resolve(unfinishedFolder(String(asked.options.out))) !== own) {
    throw new SparrowError(`${folder} has been moved; move it back to resume the run.`, "file");
  }
  return asked;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw damaged(path, "it is not JSON");
  }
}

const damaged = (path: string, why: string): SparrowError =>
  new SparrowError(`${path} is damaged: ${why}; begin the run anew.`, "format");
