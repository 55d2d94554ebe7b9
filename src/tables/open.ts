/** From what a user types (a path, a list, a pattern, or `-`) to a table. */

import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SparrowError, temporaryError, writingTemporary } from "../errors.js";
import { database } from "./duckdb/database.js";
import { damaged, readError } from "./read-errors.js";
import { duckdbTable, literal } from "./readers/duckdb.js";
import type { Table } from "./table.js";

export type Format = "csv" | "tsv" | "jsonl" | "parquet" | "arrow" | "libsvm" | "store";

/** The table behind a path, several paths with commas between them, a pattern (`data/*.csv`) or `-` (standard input). */
export async function fileTable(
  source: string,
  input: Readable = process.stdin,
  /** Hears of the bytes that have come through standard input. */
  onReceived?: (bytes: number) => void,
): Promise<Table> {
  if (source === "-") return inputTable(input, onReceived);
  const paths = await expand(source);
  return tableOf(paths, source);
}

async function tableOf(paths: readonly string[], name: string): Promise<Table> {
  for (const path of paths) checkPath(path);
  const formats = paths.map((path) => formatOf(path));
  const format = formats[0];
  const other = formats.findIndex((each) => each !== format);
  if (other > 0) {
    throw new SparrowError(
      `${paths[0]} is ${format} but ${paths[other]} is ${formats[other]}; all files must be of one kind.`,
    );
  }
  if (format === "store") {
    throw new SparrowError(
      `${paths[0]} is a store; it can be fitted alone, not read again or with other files.`,
    );
  }
  // Readers that bring packages of their own are loaded when a file asks for them.
  if (format === "arrow") return (await import("./readers/arrow.js")).arrowTable(paths, name);
  if (format === "libsvm") return (await import("./readers/libsvm.js")).libsvmTable(paths, name);
  return duckdbTable(paths, format, name);
}

async function expand(source: string): Promise<string[]> {
  const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;
  if (exists(source)) return [source];
  const paths: string[] = [];
  for (const part of source.split(",").map((piece) => piece.trim())) {
    if (exists(part) || !/[*?[]/.test(part)) paths.push(part);
    else paths.push(...(await matches(part)));
  }
  return paths;
}

async function matches(pattern: string): Promise<string[]> {
  const { connection, close } = await database();
  try {
    const found = await connection.runAndReadAll(`SELECT file FROM glob(${literal(pattern)}) ORDER BY file`);
    const paths = found.getRows().map(([file]) => String(file));
    if (paths.length === 0) throw new SparrowError(`No file matches ${pattern}; check the pattern.`);
    return paths;
  } finally {
    close();
  }
}

/** A path that can be opened: it exists, is a file, and holds something. */
export function checkPath(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SparrowError(`There is no file ${path}; check the path.`);
  if (stats.isDirectory()) {
    throw new SparrowError(
      `${path} is a directory; name a file, or the files in it as ${join(path, "*.csv")}.`,
    );
  }
  if (stats.size === 0) throw new SparrowError(`${path} is empty.`);
}

/** Standard input waits in a file until it has all come, because its first rows must be read twice. */
async function inputTable(input: Readable, onReceived?: (bytes: number) => void): Promise<Table> {
  const folder = writingTemporary(tmpdir(), () => mkdtempSync(join(tmpdir(), "sparrow-input-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "input");
    let received = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        onReceived?.(received);
        done(null, chunk);
      },
    });
    await pipeline(input, counted, createWriteStream(path)).catch((error) => {
      throw temporaryError(tmpdir(), error);
    });
    if (statSync(path).size === 0) throw new SparrowError("Standard input is empty.");
    await unpack(path);
    const table = await tableOf([path], "standard input");
    return {
      ...table,
      close() {
        table.close?.();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What packed files start with. */
const PACKED = { gz: "1f8b", zst: "28b52ffd", bz2: "425a68", xz: "fd377a585a00" } as const;

/** Standard input has no name whose ending would tell that it is packed. */
async function unpack(path: string): Promise<void> {
  const start = firstBytes(path, 6).toString("hex");
  const ending = Object.entries(PACKED).find(([, magic]) => start.startsWith(magic))?.[0];
  if (ending === undefined) return;
  const packed = `${path}.${ending}`;
  renameSync(path, packed);
  const { fileBytes } = await import("./packed/decompress.js");
  await pipeline(
    fileBytes(packed, () => {}),
    createWriteStream(path),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? damaged("standard input") : temporaryError(tmpdir(), error);
  });
  rmSync(packed);
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  pq: "parquet",
  arrow: "arrow",
  feather: "arrow",
  ipc: "arrow",
  svm: "libsvm",
  libsvm: "libsvm",
  svmlight: "libsvm",
  sparrow: "store",
};

/** By the name's ending or, where that says nothing, by the first bytes. */
export function formatOf(path: string): Format {
  const ending = /\.(\w+)(?:\.(?:gz|zst|bz2|xz))?$/i.exec(path)?.[1].toLowerCase();
  const known = ending === undefined ? undefined : EXTENSIONS[ending];
  // Of what is packed this way only LIBSVM files can be read, and theirs often have no other ending.
  return known ?? (/\.(bz2|xz)$/i.test(path) ? "libsvm" : sniff(path));
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw readError(path, error);
  }
}

function firstBytes(path: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  const file = opened(path);
  const length = readSync(file, bytes, 0, most, 0);
  closeSync(file);
  return bytes.subarray(0, length);
}

function sniff(path: string): Format {
  const text = firstBytes(path, 4096).toString("latin1");
  if (text.startsWith("PAR1")) return "parquet";
  if (text.startsWith("ARROW1")) return "arrow";
  if (text.startsWith("SPARROW\n")) return "store";
  if (/^\s*\{/.test(text)) return "jsonl";
  const line = text.split("\n").find((each) => each.trim() !== "" && !each.startsWith("#")) ?? "";
  if (/^\s*[-+.\w]+(\s+qid:\d+)?(\s+\d+:\S+)+\s*(#.*)?$/.test(line)) return "libsvm";
  return "csv";
}
