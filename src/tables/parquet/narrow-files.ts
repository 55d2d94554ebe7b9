/**
 * Parquet files of very many columns as several files of some columns each, in the folder of temporary files. DuckDB goes
 * through all columns of a file whenever it is asked for some of them: 20 rows of 50,000 columns took 34 s of a processor
 * and 950 MB. Values keep their places, between which there are holes, so that what is said of them stays true.
 */

import { closeSync, ftruncateSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../files/temporary.js";
import { GROUP } from "../duckdb/by-groups.js";
import { type Footer, type FooterColumn, readFooter } from "./footer.js";

/** Some columns, of all files. */
export interface NarrowGroup {
  readonly names: readonly string[];
  readonly paths: readonly string[];
}

export interface NarrowFiles {
  readonly groups: readonly NarrowGroup[];
  remove(): void;
}

/** So many columns take DuckDB 20 MB and a few milliseconds. */
const COLUMNS = 500;
/** Larger files are not copied: they have so many rows that columns are the lesser part of the work. */
const LARGEST = 1e9;
const MAGIC = "PAR1";
/** Some writers leave the header of a dictionary out when they say how long a column is. */
const MARGIN = 128;

export interface Narrowing {
  /** Files of no more columns than this are left as they are. */
  readonly beyond?: number;
  /** How many are to be together. */
  readonly columns?: number;
}

/** Undefined where there are few columns, or where DuckDB has to say what is wrong with the files. */
export function narrowFiles(
  paths: readonly string[],
  { beyond = GROUP, columns = COLUMNS }: Narrowing = {},
): NarrowFiles | undefined {
  let folder: TemporaryFolder | undefined;
  try {
    const wide = paths.map((path) => openWide(path, beyond));
    const files = wide.filter((file) => file !== undefined);
    const names = files[0]?.footer.columns.map(({ name }) => name) ?? [];
    const isSame = files.every(
      ({ byName }) => byName.size === names.length && names.every((name) => byName.has(name)),
    );
    const size = files.reduce((sum, { size }) => sum + size, 0);
    if (files.length < paths.length || !isSame || size > LARGEST) return undefined;
    folder = temporaryFolder();
    const { path, remove } = folder;
    const groups = Array.from({ length: Math.ceil(names.length / columns) }, (_, g): NarrowGroup => {
      const some = names.slice(g * columns, (g + 1) * columns);
      const copies = files.map((file, i) => {
        const copy = join(path, `${i}-${g}.parquet`);
        writeSome(
          file,
          some.map((name) => file.byName.get(name)!),
          copy,
        );
        return copy;
      });
      return { names: some, paths: copies };
    });
    return { groups, remove };
  } catch {
    // It makes no sense, or there is no room for copies: both are the reader's to say, or to live with.
    folder?.remove();
    return undefined;
  }
}

interface WideFile {
  readonly path: string;
  readonly size: number;
  /** Where the values end and what is said of them begins. */
  readonly end: number;
  readonly footer: Footer;
  readonly byName: ReadonlyMap<string, FooterColumn>;
}

function openWide(path: string, beyond: number): WideFile | undefined {
  const { size } = statSync(path);
  const file = openSync(path, "r");
  try {
    const tail = bytesAt(file, size - 8, 8);
    const length = tail.readUInt32LE(0);
    const end = size - 8 - length;
    // A column takes more than this.
    if (tail.toString("latin1", 4) !== MAGIC || length < 20 * beyond || end < 4) return undefined;
    const footer = readFooter(bytesAt(file, end, length), beyond);
    if (!footer) return undefined;
    const byName = new Map(footer.columns.map((column) => [column.name, column]));
    return byName.size === footer.columns.length ? { path, size, end, footer, byName } : undefined;
  } finally {
    closeSync(file);
  }
}

function writeSome({ path, end, footer }: WideFile, some: readonly FooterColumn[], to: string): void {
  const source = openSync(path, "r");
  const copy = openSync(to, "wx");
  try {
    for (const range of joinedRanges(footer.ranges(some), end)) {
      for (let at = range.start; at < range.end; at += PIECE) {
        const bytes = bytesAt(source, at, Math.min(PIECE, range.end - at));
        writeSync(copy, bytes, 0, bytes.length, at);
      }
    }
    const said = footer.of(some);
    const tail = Buffer.alloc(8);
    tail.writeUInt32LE(said.length, 0);
    tail.write(MAGIC, 4);
    writeSync(copy, Buffer.concat([said, tail]), 0, said.length + 8, end);
    ftruncateSync(copy, end + said.length + 8);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    closeSync(source);
    closeSync(copy);
  }
}

const PIECE = 1 << 22;

/** Ranges that follow one another as one. */
function joinedRanges(
  ranges: readonly { readonly start: number; readonly end: number }[],
  most: number,
): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    if (end > most) throw new RangeError("Values lie beyond the end of the file.");
    const last = out.at(-1);
    const to = Math.min(most, end + MARGIN);
    if (last && start >= last.start && start <= last.end) last.end = Math.max(last.end, to);
    else out.push({ start, end: to });
  }
  return out;
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (at < 0 || readSync(file, bytes, 0, length, at) < length) throw new RangeError("The file is too short.");
  return bytes;
}
