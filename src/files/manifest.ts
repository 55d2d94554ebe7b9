/**
 * The list of a run folder's files with their lengths and checksums (SHA-256), written last. Whatever is read from a
 * run is checked against it first: a changed byte is an error that names the file, never another answer.
 */

import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../errors.js";
import { option } from "../wording.js";

export const MANIFEST = "manifest.json";
const FORMAT = "sparrow-run";
const VERSION = 1;
/** Made for people from the other files, and made again whenever they ask: never read. */
const PAGE = "report.html";

interface Listed {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly folder: string;
  readonly files: ReadonlyMap<string, Listed>;
}

export function manifestOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== PAGE);
  const files = Object.fromEntries(names.sort().map((name) => [name, fileListed(join(folder, name))]));
  return { [MANIFEST]: written(files) };
}

const written = (files: Readonly<Record<string, Listed>>): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, files }, null, 2)}\n`;

/** Bytes read at a time. */
const PIECE = 1 << 22;

/** A file may be larger than memory. */
function fileListed(path: string): Listed {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  const file = openSync(path, "r");
  let bytes = 0;
  try {
    for (;;) {
      const length = readSync(file, piece, 0, PIECE, bytes);
      if (length === 0) break;
      hash.update(piece.subarray(0, length));
      bytes += length;
    }
  } finally {
    closeSync(file);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Opens a run folder: what it says it holds. */
export function openManifest(folder: string): Manifest {
  if (!existsSync(folder))
    throw new SparrowError(`There is no run folder ${folder}; check the path.`, "file");
  // Within a file nothing can be looked for.
  const isFolder = statSync(folder).isDirectory();
  if (!isFolder || !lstatSync(join(folder, MANIFEST), { throwIfNoEntry: false })?.isFile()) {
    throw new SparrowError(
      `${folder} is not a run folder: it has no ${MANIFEST}, which sparrow fit and sparrow mixed write with ${option("out", "DIR")}.`,
      "file",
    );
  }
  const path = join(folder, MANIFEST);
  const bytes = readFileSync(path);
  const found = jsonIn(path, bytes) as { format?: unknown; version?: unknown; files?: unknown };
  if (found?.format !== FORMAT || typeof found.version !== "number")
    throw damagedRun(path, "it lists no run");
  if (found.version !== VERSION) {
    throw new SparrowError(
      `${folder} is a run of format ${found.version}, but this Sparrow reads format ${VERSION}; run the command again.`,
      "format",
    );
  }
  const entries = Object.entries(typeof found.files === "object" && found.files !== null ? found.files : {});
  if (!entries.every(([, value]) => isListed(value))) throw damagedRun(path, "an entry has no checksum");
  const listed = entries as [string, Listed][];
  const files = Object.fromEntries(listed.map(([name, { bytes, sha256 }]) => [name, { bytes, sha256 }]));
  // It has no checksum of its own; but there is one way only to write it.
  if (!bytes.equals(Buffer.from(written(files)))) throw damagedRun(path, CHANGED);
  return { folder, files: new Map(listed) };
}

function isListed(value: unknown): value is Listed {
  const { bytes, sha256 } = (value ?? {}) as Partial<Listed>;
  return Number.isSafeInteger(bytes) && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256);
}

/** Fails where a file of the run is not what was written; false where the run has no such file. */
export function checkFile(manifest: Manifest, name: string): boolean {
  const expected = lengthChecked(manifest, name);
  if (expected === undefined) return false;
  const path = join(manifest.folder, name);
  if (fileListed(path).sha256 !== expected.sha256) throw damagedRun(path, CHANGED);
  return true;
}

const CHANGED = "its bytes have been changed";

/** What the manifest says of a file, which has that length. */
function lengthChecked({ folder, files }: Manifest, name: string): Listed | undefined {
  const expected = files.get(name);
  const path = join(folder, name);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (expected === undefined) {
    if (there !== undefined) throw damagedRun(path, `${MANIFEST} does not list it`);
    return undefined;
  }
  if (!there?.isFile()) throw damagedRun(folder, `${name} is missing`);
  if (there.size !== expected.bytes)
    throw damagedRun(path, `it has ${there.size} bytes, not ${expected.bytes}`);
  return expected;
}

/** The very bytes that are checked are read. */
export function jsonOf(manifest: Manifest, name: string): unknown {
  const expected = lengthChecked(manifest, name);
  if (expected === undefined) return undefined;
  const path = join(manifest.folder, name);
  const bytes = readFileSync(path);
  if (createHash("sha256").update(bytes).digest("hex") !== expected.sha256) throw damagedRun(path, CHANGED);
  return jsonIn(path, bytes);
}

function jsonIn(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw damagedRun(path, "it is not JSON");
  }
}

export function damagedRun(path: string, why: string): SparrowError {
  return new SparrowError(`${path} is damaged: ${why}; run the command again.`, "format");
}
