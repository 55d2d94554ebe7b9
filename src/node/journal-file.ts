/**
 * The journal of a run in a folder. Results of jobs stand in one file, record after record, each with its length and
 * checksum, so that one that a crash cut short is seen and left out. Where jobs and loops stand is in a file of its own
 * for each, which is replaced whole. Nothing is written before the run has taken a while.
 */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { SparrowError } from "../errors.js";
import { settle } from "../files/durable.js";
import type { Journal } from "../workers/journal.js";

export interface JournalSettings {
  readonly folder: string;
  /** What is to be done again, kept beside the journal. */
  readonly command: object;
  /** Milliseconds before the first record is written, and between two looks at jobs under way. */
  readonly interval?: number;
  /** The time in milliseconds, by the clock of the process unless told. */
  readonly now?: () => number;
  /** Stops the run: what is asked from then on is asked for the sake of an early answer, and is not kept. */
  readonly signal?: AbortSignal;
}

export interface JournalFile extends Journal {
  readonly folder: string;
  /** Makes the folder, with what is to be done again, for those who have more to keep there. */
  begin(): void;
  /** Whether there is something to go on from. */
  readonly begun: boolean;
  /** Milliseconds that writing has taken. */
  readonly spent: number;
  /** Writes what still waits. */
  flush(): void;
}

interface Result {
  readonly key: string;
  readonly job: string;
  readonly value: unknown;
}

interface Standing {
  readonly calls: number;
  readonly value: unknown;
}

const RESULTS = "results";
export const COMMAND = "command.json";
const HEAD = 8;
/** Of the time of a run, what writing down where it stands may take: on a slow disk it is done less often. */
const MOST_SPENT = 0.01;

export function journalFile(settings: JournalSettings): JournalFile {
  const { interval = 10_000, signal, now = () => performance.now() } = settings;
  const files = journalFolder(settings, interval, now);
  const began = now();
  const told = new Set<string>();
  /** Whether writing has had its share of the time: what is new, and a run that is being stopped, are written all the same. */
  const enough = (name: string) =>
    told.has(name) && !signal?.aborted && files.spent > MOST_SPENT * (now() - began);
  const tell = (name: string, value: unknown) => {
    keepStanding(name, { calls, value });
    told.add(name);
  };
  const { results, keepRecord, keepStanding, standing } = files;
  const jobs = new Map(
    [...results.values()]
      .filter(({ job }) => job !== "")
      .map(({ key, job }) => [Number.parseInt(key, 10), job]),
  );
  let calls = 0;
  /** The first call after the run was stopped. */
  let stoppedAt = Number.POSITIVE_INFINITY;
  return {
    interval,
    folder: settings.folder,
    begin: files.begin,
    get begun() {
      return files.begun;
    },
    get spent() {
      return files.spent;
    },
    flush: files.flush,
    onData(checksum) {
      // A run may fit twice: with holes, and without the rows that have them.
      const key = `data ${calls}`;
      const before = results.get(key);
      if (before === undefined) keepRecord({ key, job: "", value: checksum });
      else if (before.value !== checksum) {
        throw new SparrowError("The data are not those that the run was begun on; begin it anew.", "data");
      }
    },
    call(job) {
      if (signal?.aborted) stoppedAt = Math.min(stoppedAt, calls);
      const call = calls++;
      const before = jobs.get(call);
      if (before !== undefined && before !== job) {
        throw new SparrowError(
          "The run was begun in another way and cannot be resumed; begin it anew.",
          "format",
        );
      }
      jobs.set(call, job);
      return call;
    },
    result(call, index) {
      // Nobody asks twice, and what a long run has come to is more than it may hold.
      const key = `${call} ${index}`;
      const found = results.get(key);
      results.delete(key);
      return found;
    },
    state: (call, index) => standing(`state-${call}-${index}`)?.value,
    keepResult(call, index, value) {
      if (signal?.aborted) return;
      keepRecord({ key: `${call} ${index}`, job: jobs.get(call)!, value });
      files.forget(`state-${call}-${index}`);
    },
    keepState(call, index, value) {
      const name = `state-${call}-${index}`;
      if (call < stoppedAt && !enough(name)) tell(name, value);
    },
    loop() {
      const name = `loop-${calls}`;
      const early = signal?.aborted === true;
      const found = standing(name);
      if (found) calls = found.calls;
      let last = now();
      return {
        saved: found?.value,
        keep(state, atOnce = false) {
          if (early || (!atOnce && (now() - last < interval || enough(name)))) return;
          tell(name, state());
          last = now();
        },
      };
    },
  };
}

/** The files of a journal. Whether they can be written makes no difference to the run. */
function journalFolder({ folder, command }: JournalSettings, interval: number, now: () => number) {
  const at = (name: string) => join(folder, name);
  const { records, end, rest } = readRecords(at(RESULTS));
  let begun = records.length > 0;
  // What stands behind the last whole record was cut short, and nothing behind it would be found.
  if (rest > 0) truncateSync(at(RESULTS), end);
  const results = new Map(records.map((record) => [record.key, record]));
  let pending: Buffer[] = [];
  /** Where jobs stood whose results wait to be written. */
  const stale: string[] = [];
  let [written, spent] = [now(), 0];
  let given = false;
  const timed = (action: () => void): void => {
    if (given) return;
    const start = now();
    try {
      action();
    } catch {
      // A disk that takes no more does not end a run that may still come to its end.
      given = true;
    }
    spent += now() - start;
  };
  const begin = (): void => {
    if (begun) return;
    mkdirSync(folder, { recursive: true });
    replace(at(COMMAND), Buffer.from(`${JSON.stringify(command, null, 2)}\n`));
    settle(folder);
    begun = true;
  };
  const flush = (): void => {
    if (pending.length === 0) return;
    timed(() => {
      begin();
      append(at(RESULTS), Buffer.concat(pending));
      pending = [];
      written = now();
      for (const name of stale.splice(0)) rmSync(at(name), { force: true });
    });
  };
  return {
    results,
    flush,
    begin: () => timed(begin),
    get begun() {
      return begun;
    },
    get spent() {
      return spent;
    },
    keepRecord(record: Result): void {
      if (record.job === "") results.set(record.key, record);
      timed(() => {
        const bytes = framed(record);
        if (bytes) pending.push(bytes);
      });
      if (now() - written >= interval) flush();
    },
    keepStanding(name: string, value: Standing): void {
      // What came before must be there first: a job is found by its number.
      flush();
      timed(() => {
        const bytes = framed(value);
        if (!bytes) return;
        begin();
        replace(at(name), bytes);
      });
    },
    standing(name: string): Standing | undefined {
      const [found] = readRecords(at(name)).records as unknown as Standing[];
      return found;
    },
    forget(name: string): void {
      stale.push(name);
    },
  };
}

/** Undefined for what is no plain data: it will be done again. */
function framed(record: unknown): Buffer | undefined {
  let body: Buffer;
  try {
    body = serialize(record);
  } catch {
    return undefined;
  }
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([head, body]);
}

function append(path: string, bytes: Buffer): void {
  const file = openSync(path, "a");
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What a file is called until it is whole. */
export const partialOf = (path: string): string => `${path}.partial`;

function replace(path: string, bytes: Buffer): void {
  const partial = partialOf(path);
  writeFileSync(partial, bytes, { flush: true });
  // Whether a crash leaves the old name or the new one, there is a state to go on from.
  renameSync(partial, path);
}

/** All records up to the first that is not whole. */
function readRecords(path: string): { records: Result[]; end: number; rest: number } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return { records: [], end: 0, rest: 0 };
  }
  const records: Result[] = [];
  let at = 0;
  while (at + HEAD <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const body = bytes.subarray(at + HEAD, at + HEAD + length);
    if (body.length < length || crc32(body) !== bytes.readUInt32LE(at + 4)) break;
    const record = deserialized(body);
    if (record === undefined) break;
    records.push(record);
    at += HEAD + length;
  }
  return { records, end: at, rest: bytes.length - at };
}

/** Of zeros, which a disk may leave behind what was written last, the checksum is right: they are nothing. */
function deserialized(body: Buffer): Result | undefined {
  try {
    return deserialize(body) as Result;
  } catch {
    return undefined;
  }
}
