/**
 * The one door. From what a user names (a path, a list of them, a pattern, `-` for standard input, a folder, data in
 * memory) to a table, or to whoever reads it. Addresses, patterns and paths are told apart here and nowhere else.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { SparrowError } from "../errors.js";
import { database } from "./duckdb/database.js";
import { literal } from "./duckdb/sql.js";
import { type DataInMemory, tableInMemory } from "./in-memory.js";
import type { Reader, ReaderSettings } from "./reader.js";
import { readers as register } from "./readers/register.js";
import { readerOf } from "./source.js";
import { received } from "./standard-input.js";
import type { Table } from "./table.js";

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

export async function open(data: Data, settings: OpenOptions = {}): Promise<Table> {
  if (!isInFiles(data)) return tableInMemory(data, settings.keys);
  return openLocated(await locate(data, settings), settings);
}

/** The table of what was located, which is given up when the table is closed. */
export async function openLocated(
  { name, reader, paths, close }: Located,
  { keys, memory }: Omit<ReaderSettings, "name">,
): Promise<Table> {
  try {
    const table = await reader.open(paths, { name, keys, memory });
    return {
      ...table,
      close() {
        table.close?.();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

export function isInFiles(data: Data): data is DataInFiles {
  return typeof data === "string" || (Array.isArray(data) && typeof data[0] === "string");
}

export async function locate(
  data: DataInFiles,
  { readers = register, input = process.stdin, onReceived }: Omit<OpenOptions, "keys" | "memory"> = {},
): Promise<Located> {
  if (data === "-") {
    const { path, remove } = await received(input, onReceived);
    try {
      return { name: "standard input", reader: commonReader([path], readers), paths: [path], close: remove };
    } catch (error) {
      remove();
      throw error;
    }
  }
  const paths = await expand(data);
  const name = typeof data === "string" ? data : data.join(", ");
  return { name, reader: commonReader(paths, readers), paths, close() {} };
}

function commonReader(paths: readonly string[], readers: readonly Reader[]): Reader {
  const found = paths.map((path) => {
    checkPath(path);
    return readerOf(path, readers) ?? refuseFolder(path);
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

async function expand(data: DataInFiles): Promise<string[]> {
  if (typeof data === "string" && exists(data)) return [data];
  const parts = typeof data === "string" ? data.split(",").map((piece) => piece.trim()) : data;
  const paths: string[] = [];
  for (const part of parts) {
    if (exists(part)) paths.push(part);
    else if (/^[a-z][a-z\d+.-]*:\/\//i.test(part)) {
      throw new SparrowError(`${part} is an address; fetch what is there and name the file.`, "file");
    } else if (/[*?[]/.test(part)) paths.push(...(await matches(part)));
    else paths.push(part);
  }
  return paths;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
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
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SparrowError(`There is no file ${path}; check the path.`, "file");
  if (!stats.isDirectory() && stats.size === 0) throw new SparrowError(`${path} is empty.`, "format");
}

function refuseFolder(path: string): never {
  throw new SparrowError(
    `${path} is a directory; name a file, or the files in it as ${join(path, "*.csv")}.`,
    "file",
  );
}
