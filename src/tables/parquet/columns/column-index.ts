/** Where the numbers of every column of Parquet files lie, as far as they can be read without DuckDB. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import * as zlib from "node:zlib";
import { BINARY, CompactReader, I32, I64, LIST, STRUCT } from "../compact.js";

/** Field numbers and values are those of parquet.thrift. */
const [INT32, INT64, FLOAT, DOUBLE] = [1, 2, 4, 5];
const PHYSICAL = { [INT32]: "int32", [INT64]: "int64", [FLOAT]: "float", [DOUBLE]: "double" } as const;
const [REQUIRED, OPTIONAL] = [0, 1];
/** UINT_8 … UINT_64 and INT_8 … INT_64. */
const [FIRST_UNSIGNED, LAST_UNSIGNED, LAST_SIGNED] = [11, 14, 18];
const LOGICAL_INTEGER = 10;
export const [PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY] = [0, 2, 3, 8];
const ENCODINGS = new Set([PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY]);
export const [UNCOMPRESSED, SNAPPY, GZIP, ZSTD] = [0, 1, 2, 6];
/** Newer versions of Node unpack it. */
const CODECS = new Set([UNCOMPRESSED, SNAPPY, GZIP, ...("zstdDecompressSync" in zlib ? [ZSTD] : [])]);
/** Footers of more bytes, or of more pieces, are DuckDB's to read. */
const [LARGEST_FOOTER, MOST_PIECES] = [64e6, 2e6];

export type NumberKind = "float" | "double" | "int32" | "uint32" | "int64" | "uint64";

export interface IndexedColumn {
  readonly name: string;
  readonly kind: NumberKind;
  /** Whether values may be missing. */
  readonly isOptional: boolean;
}

/** Plain data, so that any thread can read any column. Row groups are numbered through all files. */
export interface ColumnIndex {
  readonly rows: number;
  readonly paths: readonly string[];
  /** Of every row group: its file, and how many rows it has. */
  readonly files: Uint32Array;
  readonly groupRows: Float64Array;
  /** Undefined where DuckDB has to read the column. */
  readonly columns: readonly (IndexedColumn | undefined)[];
  /** Of piece `group · columns + column`: where its bytes lie in the file, and how they are packed. */
  readonly starts: Float64Array;
  readonly sizes: Float64Array;
  readonly codecs: Uint8Array;
}

/** Undefined where nothing can be read in this way, or where DuckDB has to say what is wrong with the files. */
export function columnIndex(paths: readonly string[]): ColumnIndex | undefined {
  try {
    const found = paths.map(readFile);
    const [first] = found;
    const isSame = found.every(
      ({ columns }) =>
        columns.length === first.columns.length &&
        columns.every((column, c) => JSON.stringify(column) === JSON.stringify(first.columns[c])),
    );
    const names = new Set(first.columns.map(({ name }) => name));
    if (!isSame || names.size < first.columns.length) return undefined;
    return joined(paths, found, first.columns);
  } catch {
    return undefined;
  }
}

interface FileColumn {
  readonly name: string;
  readonly kind: NumberKind | undefined;
  readonly isOptional: boolean;
}

interface Piece {
  readonly start: number;
  readonly size: number;
  readonly codec: number;
  readonly isPlain: boolean;
}

interface FileFound {
  readonly columns: readonly FileColumn[];
  readonly groups: readonly { readonly rows: number; readonly pieces: readonly Piece[] }[];
}

function joined(
  paths: readonly string[],
  found: readonly FileFound[],
  columns: readonly FileColumn[],
): ColumnIndex | undefined {
  const width = columns.length;
  const groups = found.flatMap(({ groups }, file) => groups.map((group) => ({ ...group, file })));
  if (groups.length * width > MOST_PIECES || groups.some(({ pieces }) => pieces.length !== width))
    return undefined;
  const pieces = groups.flatMap((group) => group.pieces);
  const isReadable = Array.from(columns, ({ kind }) => kind !== undefined);
  pieces.forEach(({ codec, isPlain }, i) => {
    if (!isPlain || !CODECS.has(codec)) isReadable[i % width] = false;
  });
  return {
    rows: groups.reduce((sum, { rows }) => sum + rows, 0),
    paths,
    files: Uint32Array.from(groups, ({ file }) => file),
    groupRows: Float64Array.from(groups, ({ rows }) => rows),
    columns: columns.map(({ name, kind, isOptional }, c) =>
      isReadable[c] && kind !== undefined ? { name, kind, isOptional } : undefined,
    ),
    starts: Float64Array.from(pieces, ({ start }) => start),
    sizes: Float64Array.from(pieces, ({ size }) => size),
    codecs: Uint8Array.from(pieces, ({ codec }) => codec),
  };
}

function readFile(path: string): FileFound {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = bytesAt(file, size - 8, 8);
    const length = tail.readUInt32LE(0);
    if (tail.toString("latin1", 4) !== "PAR1" || length > LARGEST_FOOTER)
      throw new RangeError("There is no footer.");
    return readFooter(bytesAt(file, size - 8 - length, length), size - 8 - length);
  } finally {
    closeSync(file);
  }
}

function readFooter(bytes: Uint8Array, end: number): FileFound {
  const reader = new CompactReader(bytes);
  let columns: FileColumn[] = [];
  let groups: FileFound["groups"] = [];
  let rows = -1;
  reader.struct((field, kind) => {
    if (field === 2 && kind === LIST) columns = schemaColumns(reader);
    else if (field === 3 && kind === I64) rows = reader.integer();
    else if (field === 4 && kind === LIST)
      groups = Array.from({ length: reader.list().length }, () => rowGroup(reader, end));
    else if (field === 8) throw new RangeError("The file is encrypted.");
  });
  if (groups.reduce((sum, group) => sum + group.rows, 0) !== rows)
    throw new RangeError("Row groups do not make up the rows.");
  return { columns, groups };
}

/** Fails where a column has parts of its own. */
function schemaColumns(reader: CompactReader): FileColumn[] {
  const { length } = reader.list();
  let children = 0;
  const columns: FileColumn[] = [];
  for (let i = 0; i < length; i++) {
    const element = schemaElement(reader);
    if (i === 0) children = element.children;
    else if (element.children > 0) throw new RangeError("Columns are nested.");
    else columns.push(element);
  }
  if (children !== columns.length) throw new RangeError("The schema is not whole.");
  return columns;
}

function schemaElement(reader: CompactReader): FileColumn & { readonly children: number } {
  let [name, children, physical, repetition, converted] = ["", 0, -1, -1, -1];
  let logical: { readonly field: number; readonly isSigned: boolean } | undefined;
  reader.struct((field, kind) => {
    if (field === 4 && kind === BINARY) name = reader.text();
    else if (field === 10 && kind === STRUCT) logical = logicalType(reader);
    else if (kind === I32) {
      const value = reader.integer();
      if (field === 1) physical = value;
      else if (field === 3) repetition = value;
      else if (field === 5) children = value;
      else if (field === 6) converted = value;
    }
  });
  const isRow = repetition === REQUIRED || repetition === OPTIONAL;
  const kind = isRow ? numberKind(physical, converted, logical) : undefined;
  return { name, children, kind, isOptional: repetition === OPTIONAL };
}

function logicalType(reader: CompactReader): { readonly field: number; readonly isSigned: boolean } {
  let [found, isSigned] = [-1, true];
  reader.struct((field, kind) => {
    found = field;
    if (field !== LOGICAL_INTEGER || kind !== STRUCT) return;
    // A truth is told by its kind: 1 or 2.
    reader.struct((inner, truth) => {
      if (inner === 2) isSigned = truth === 1;
    });
  });
  return { field: found, isSigned };
}

/** What is stored as a number and means one: not days, moments or decimals. */
function numberKind(
  physical: number,
  converted: number,
  logical: { readonly field: number; readonly isSigned: boolean } | undefined,
): NumberKind | undefined {
  const stored = (PHYSICAL as Record<number, "int32" | "int64" | "float" | "double">)[physical];
  if (stored === undefined || stored === "float" || stored === "double")
    return converted < 0 && logical === undefined ? stored : undefined;
  if (logical !== undefined && logical.field !== LOGICAL_INTEGER) return undefined;
  if (converted >= 0 && (converted < FIRST_UNSIGNED || converted > LAST_SIGNED)) return undefined;
  const isUnsigned = logical ? !logical.isSigned : converted >= 0 && converted <= LAST_UNSIGNED;
  return isUnsigned ? `u${stored}` : stored;
}

function rowGroup(reader: CompactReader, end: number): FileFound["groups"][number] {
  let pieces: Piece[] = [];
  let rows = -1;
  reader.struct((field, kind) => {
    if (field === 1 && kind === LIST)
      pieces = Array.from({ length: reader.list().length }, () => piece(reader, end));
    else if (field === 3 && kind === I64) rows = reader.integer();
  });
  if (rows < 0) throw new RangeError("A row group does not say how long it is.");
  return { rows, pieces };
}

function piece(reader: CompactReader, end: number): Piece {
  let [codec, size, values, dictionary, isPlain] = [-1, -1, -1, 0, true];
  reader.struct((field, kind) => {
    // In another file, or encrypted.
    if (field === 1 || field === 8 || field === 9) throw new RangeError("The values are elsewhere.");
    if (field !== 3 || kind !== STRUCT) return;
    reader.struct((inner, type) => {
      if (inner === 2 && type === LIST) {
        const { length } = reader.list();
        for (let i = 0; i < length; i++) if (!ENCODINGS.has(reader.integer())) isPlain = false;
      } else if (inner === 4 && type === I32) codec = reader.integer();
      else if (type === I64) {
        const value = reader.integer();
        if (inner === 7) size = value;
        else if (inner === 9) values = value;
        else if (inner === 11) dictionary = value;
      }
    });
  });
  const start = dictionary > 0 ? Math.min(dictionary, values) : values;
  if (size < 0 || start < 0 || start + size > end) throw new RangeError("A column lies beyond the file.");
  return { start, size, codec, isPlain };
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (at < 0 || readSync(file, bytes, 0, length, at) < length) throw new RangeError("The file is too short.");
  return bytes;
}
