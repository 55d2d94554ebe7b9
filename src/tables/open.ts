/**
 * The one door. From what a user names (a path, a list of them, a pattern, `-` for standard input, a folder, data in
 * memory) to a table, or to whoever reads it. Addresses, patterns and paths are told apart here and nowhere else.
 */

import { createReadStream, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { SparrowError } from "../errors.js";
import { span } from "../profile.js";
import { database } from "./duckdb/database.js";
import { literal } from "./duckdb/sql.js";
import { filesIn } from "./folder.js";
import { type DataInMemory, tableInMemory } from "./in-memory.js";
import { pastSurprises } from "./judge/late.js";
import { statsOf } from "./paths.js";
import type { Reader, ReaderSettings } from "./reader.js";
import { readers as register } from "./readers/register.js";
import { sharedReading } from "./reading-asked.js";
import { readerOf } from "./source.js";
import { received as receive } from "./standard-input.js";
import type { Table } from "./table.js";
import { unchanged } from "./unchanged.js";

/** A path, paths with commas between them, a pattern (`data/*.csv`) or `-`; or a list of paths and patterns. */
export type DataInFiles = string | readonly string[];
export type Data = DataInFiles | DataInMemory;

export interface OpenOptions extends Omit<ReaderSettings, "name"> {
  /** Those in the register unless given. */
  readonly readers?: readonly Reader[] | undefined;
  /** What is read where the data are `-`: standard input unless given. */
  readonly input?: Readable | undefined;
  /** Hears of the bytes that have come through standard input. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
}

/** Files that are there, of one kind, and who reads them. */
export interface Located {
  /** What the user called them. */
  readonly name: string;
  readonly reader: Reader;
  readonly paths: readonly string[];
  /** Removes what had to be kept for a while. */
  close(): void;
}

export async function open(data: Data, options: OpenOptions = {}): Promise<Table> {
  const { readers, input, onReceived, ...settings } = options;
  if (!isInFiles(data)) return tableInMemory(data, settings);
  const located = await locate(data, { readers, input, onReceived, signal: settings.signal });
  try {
    const table = await openPaths(located, settings);
    return {
      ...table,
      close() {
        table.close?.();
        located.close();
      },
    };
  } catch (error) {
    located.close();
    throw error;
  }
}

/** Does something with the table of what was located, however often it takes to find out how it is to be read. */
export async function reading<T>(
  located: Located,
  settings: Omit<ReaderSettings, "name">,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  try {
    return await pastSurprises(settings, async (asked) => using(await openPaths(located, asked), work));
  } finally {
    located.close();
  }
}

export async function using<T>(table: Table, work: (table: Table) => Promise<T>): Promise<T> {
  try {
    return await work(table);
  } finally {
    table.close?.();
  }
}

async function openPaths(
  { name, reader, paths }: Located,
  settings: Omit<ReaderSettings, "name">,
): Promise<Table> {
  const table = await span("opening files", () =>
    unchanged(name, paths, () => reader.open(paths, { name, ...settings })),
  );
  const asked = sharedReading(settings);
  return asked && table.by === "columns" ? { ...table, asked } : table;
}

export function isInFiles(data: Data): data is DataInFiles {
  return typeof data === "string" || (Array.isArray(data) && typeof data[0] === "string");
}

export async function locate(
  data: DataInFiles,
  {
    readers = register,
    input = process.stdin,
    onReceived,
    signal,
  }: Pick<OpenOptions, "readers" | "input" | "onReceived" | "signal"> = {},
): Promise<Located> {
  const named = data === "-" ? [data] : await expand(data, readers);
  const received: { path: string; remove(): void }[] = [];
  const close = () => {
    for (const { remove } of received) remove();
  };
  try {
    const paths: string[] = [];
    for (const path of named) {
      const source = path === "-" ? input : isStream(path) ? createReadStream(path) : undefined;
      if (!source) paths.push(path);
      else {
        const own = path === "-" ? "Standard input" : path;
        received.push(await receive(source, onReceived, own, signal));
        paths.push(received[received.length - 1].path);
      }
    }
    const name = data === "-" ? "standard input" : typeof data === "string" ? data : data.join(", ");
    return { name, reader: commonReader(paths, readers), paths, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** What a shell puts in the place of a command, `<(...)`, can be read only once. */
function isStream(path: string): boolean {
  const stats = statsOf(path);
  return stats?.isFIFO() === true || stats?.isCharacterDevice() === true || stats?.isSocket() === true;
}

function commonReader(paths: readonly string[], readers: readonly Reader[]): Reader {
  const found = paths.map((path) => {
    checkPath(path);
    return readerOf(path, readers)!;
  });
  const other = found.findIndex((reader) => reader !== found[0]);
  if (other > 0) {
    throw new SparrowError(
      `${paths[0]} is ${found[0].name} but ${paths[other]} is ${found[other].name}; all files must be of one kind.`,
      "format",
    );
  }
  return found[0];
}

async function expand(data: DataInFiles, readers: readonly Reader[]): Promise<string[]> {
  if (typeof data === "string" && exists(data)) return parts(data, readers);
  const pieces = typeof data === "string" ? data.split(",").map((piece) => piece.trim()) : data;
  const paths: string[] = [];
  for (const piece of pieces) {
    if (exists(piece)) paths.push(...parts(piece, readers));
    else if (/^[a-z][a-z\d+.-]*:\/\//i.test(piece)) {
      throw new SparrowError(`${piece} is an address; fetch what is there and name the file.`, "file");
    } else if (/[*?[]/.test(piece))
      paths.push(...(await matches(piece)).flatMap((path) => parts(path, readers)));
    else paths.push(piece);
  }
  return paths;
}

/** A file is itself; a folder that nobody reads as a whole is the files in it. */
function parts(path: string, readers: readonly Reader[]): string[] {
  if (statSync(path).isDirectory() && !readerOf(path, readers)) return filesIn(path, readers);
  return [path];
}

function exists(path: string): boolean {
  return statsOf(path) !== undefined;
}

async function matches(pattern: string): Promise<string[]> {
  const { connection, close } = await database();
  try {
    const found = await connection.runAndReadAll(`SELECT file FROM glob(${literal(pattern)}) ORDER BY file`);
    const paths = found.getRows().map(([file]) => String(file));
    if (paths.length === 0) throw new SparrowError(`No file matches ${pattern}; check the pattern.`, "file");
    return paths;
  } finally {
    close();
  }
}

/** A path that can be opened: it exists, and where it is a file it holds something. */
function checkPath(path: string): void {
  const stats = statsOf(path);
  if (!stats) throw new SparrowError(`There is no file ${path}; check the path.`, "file");
  if (!stats.isDirectory() && stats.size === 0) throw new SparrowError(`${path} is empty.`, "format");
}
