/**
 * A place to write to, from the start of the work to its end. A lock beside it names the process, so that a second
 * writer is refused at once; what is written grows under a name that nobody can guess, never through a link, and takes
 * its place whole, never over anything that is there.
 */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SparrowError, writing } from "../errors.js";
import { option } from "../wording.js";
import { settle } from "./durable.js";
import { lockOwner, thisProcess } from "./owner.js";

export interface Claim {
  readonly path: string;
  /** Where to write until all is there: a file or a folder of this name, which does not exist yet. */
  readonly partial: string;
  /** Puts what was written in its place, and sees to it that it is on the disk. */
  publish(): void;
  /** Gives the place up; what was not published is removed. */
  release(): void;
}

export interface ClaimOptions {
  /** Makes the folders on the way, and removes them again where nothing comes of it. */
  readonly parents?: boolean;
  /** What is there already is ours to write again. */
  readonly replace?: boolean;
}

const held = new Set<Claim>();
let watching = false;

export function claim(path: string, { parents = false, replace = false }: ClaimOptions = {}): Claim {
  const parent = dirname(resolve(path));
  // Whoever was killed between putting its output in its place and giving the place up left a lock.
  removeDead(parent);
  if (!replace) refuseExisting(path);
  const made = parents ? writing(path, () => madeFolders(parent)) : [];
  const { lock, partial } = namesFor(parent, basename(resolve(path)));
  try {
    writing(path, () => lockFor(path, lock, partial));
    checkSpace(path, LEAST_SPACE);
  } catch (error) {
    removeFolders(made);
    throw error;
  }
  let published = false;
  const claimed: Claim = {
    path,
    partial,
    publish() {
      writing(path, () => {
        if (!replace) refuseExisting(path);
        settle(partial);
        if (replace) putInPlace(partial, path);
        else if (lstatSync(partial).isDirectory()) renameSync(partial, path);
        else moveToFree(partial, path);
        settle(parent);
      });
      published = true;
    },
    release() {
      if (!held.delete(claimed)) return;
      rmSync(partial, { recursive: true, force: true });
      rmSync(lock, { force: true });
      if (!published) removeFolders(made);
    },
  };
  held.add(claimed);
  if (!watching) process.on("exit", releaseAll);
  watching = true;
  return claimed;
}

function releaseAll(): void {
  for (const each of held) quietly(() => each.release());
}

/** Does what writes to a place, and gives the place up in the end. */
export async function claiming<T>(
  path: string,
  options: ClaimOptions,
  work: (claimed: Claim) => Promise<T>,
): Promise<T> {
  const claimed = claim(path, options);
  try {
    return await work(claimed);
  } finally {
    claimed.release();
  }
}

/** A link that leads nowhere is something, too. */
export function refuseExisting(path: string): void {
  if (writing(path, () => lstatSync(path, { throwIfNoEntry: false })) === undefined) return;
  throw new SparrowError(
    `${path} exists already; choose another ${option("out")} or remove it first.`,
    "write",
  );
}

/** With less than this no result of any kind can be kept. */
const LEAST_SPACE = 16_384;

/** Fails where the disk has no room for so many bytes. */
export function checkSpace(path: string, bytes: number): void {
  const free = quietly(() => {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    return bavail * bsize;
  });
  if (free === undefined || free >= bytes) return;
  const room = (size: number) =>
    size >= 1e9 ? `${(size / 1e9).toFixed(1)} GB` : `${(size / 1e6).toFixed(1)} MB`;
  throw new SparrowError(
    bytes <= LEAST_SPACE
      ? `${path} could not be written: the disk is full.`
      : `${path} could not be written: the disk is full (it needs ${room(bytes)}, and ${room(free)} are left).`,
    "write",
  );
}

const PARTIAL = /^\.sparrow-[0-9a-f]{16}-/;
const LOCK = /^\.sparrow-lock-/;
/** Names may have 255 bytes; ours are longer than those they stand for. */
const LONG = 200;

function namesFor(parent: string, name: string): { lock: string; partial: string } {
  const short =
    Buffer.byteLength(name) <= LONG ? name : Buffer.from(name).subarray(-LONG).toString("hex").slice(-LONG);
  const token = randomBytes(8).toString("hex");
  return {
    lock: join(parent, `.sparrow-lock-${short}`),
    partial: join(parent, `.sparrow-${token}-${short}`),
  };
}

function lockFor(path: string, lock: string, partial: string): void {
  let file: number;
  try {
    file = openSync(lock, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw takenBy(path, lock);
    throw error;
  }
  try {
    writeSync(file, JSON.stringify({ ...thisProcess(), partial: basename(partial) }));
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function takenBy(path: string, lock: string): SparrowError {
  const { owner, standing } = lockOwner(lock);
  if (standing === "alive" && owner) {
    return new SparrowError(
      `${path} is being written by another run (process ${owner.pid}); wait for it or choose another ${option("out")}.`,
      "write",
    );
  }
  const whom = owner ? `process ${owner.pid} on ${owner.host}` : "another run";
  return new SparrowError(
    `${path} is claimed by ${whom}; choose another ${option("out")}, or remove ${lock} if that run is over.`,
    "write",
  );
}

/** Removes what killed processes left in a folder: their locks, and what they had written so far. */
function removeDead(parent: string): void {
  for (const name of quietly(() => readdirSync(parent)) ?? []) {
    if (!LOCK.test(name)) continue;
    const lock = join(parent, name);
    quietly(() => {
      const { text, standing } = lockOwner(lock);
      if (standing !== "dead") return;
      // Another process may be doing the same, and hold a lock of this name by now: what was taken away tells.
      const aside = join(parent, `.sparrow-${randomBytes(8).toString("hex")}-lock`);
      renameSync(lock, aside);
      const taken = lockOwner(aside).text;
      if (taken !== text) linkSync(aside, lock);
      else removePartial(parent, text);
      rmSync(aside, { force: true });
    });
  }
}

/** What a lock says is not to be trusted: only names of ours are removed, and only here. */
function removePartial(parent: string, text: string): void {
  const { partial } = (quietly(() => JSON.parse(text)) ?? {}) as { partial?: unknown };
  if (typeof partial !== "string" || !PARTIAL.test(partial) || basename(partial) !== partial) return;
  for (const name of [partial, replaced(partial)])
    rmSync(join(parent, name), { recursive: true, force: true });
}

/** What was in the place that a folder takes, until it has taken it. */
const replaced = (partial: string): string => `${partial}.old`;

/** A folder takes the place of another only when that has gone. */
function putInPlace(partial: string, path: string): void {
  const old = replaced(partial);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) renameSync(path, old);
  renameSync(partial, path);
  rmSync(old, { recursive: true, force: true });
}

/** A second name fails where there is something; a new one would replace it. Not every disk knows second names. */
function moveToFree(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") refuseExisting(path);
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK"].includes(code)) throw error;
    renameSync(partial, path);
    return;
  }
  rmSync(partial);
}

/** The folders that were not there, outermost first. */
function madeFolders(parent: string): string[] {
  const made: string[] = [];
  for (let at = parent; lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    made.unshift(at);
  mkdirSync(parent, { recursive: true });
  return made;
}

function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) quietly(() => rmdirSync(folder));
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
