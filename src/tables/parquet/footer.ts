/**
 * What a Parquet file says of its columns, cut into pieces that can be put together anew for some of them. Field numbers
 * are those of parquet.thrift.
 */

import { BINARY, CompactReader, countBytes, I32, I64, LIST, listHead, STRUCT } from "./compact.js";

export interface FooterColumn {
  readonly name: string;
  /** Where it stands in the schema, with all that is in it. */
  readonly from: number;
  readonly to: number;
  /** The numbers of what is stored apart. */
  readonly firstLeaf: number;
  readonly leaves: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
}

/** One column of one row group: where it is described, and where its values lie in the file. */
interface Stored extends Piece {
  readonly start: number;
  readonly end: number;
}

interface RowGroup {
  readonly stored: readonly Stored[];
  readonly bytes: Piece;
  readonly rows: Piece;
}

export interface Footer {
  readonly columns: readonly FooterColumn[];
  /** Bytes of the file in which the values of some columns lie. */
  ranges(some: readonly FooterColumn[]): { readonly start: number; readonly end: number }[];
  /** What a file says that holds only these. */
  of(some: readonly FooterColumn[]): Uint8Array;
}

/**
 * Undefined where there are no more columns than `beyond`, or where they are not all in this file, or not open to read.
 * Fails where the bytes make no sense.
 */
export function readFooter(bytes: Uint8Array, beyond: number): Footer | undefined {
  const reader = new CompactReader(bytes);
  let columns: FooterColumn[] = [];
  let groups: RowGroup[] | undefined;
  let isPlain = true;
  const parts = new Map<number, Piece>();
  reader.struct((field, kind) => {
    const from = reader.at;
    if (field === 2 && kind === LIST) columns = schemaColumns(reader);
    else if (field === 4 && kind === LIST && columns.length > beyond) {
      groups = Array.from({ length: reader.list().length }, () => rowGroup(reader));
    } else if ((field === 1 && kind === I32) || (field === 3 && kind === I64)) reader.count();
    else if (field === 6 && kind === BINARY) reader.text();
    // Encrypted.
    else if (field === 8) isPlain = false;
    parts.set(field, { from, to: reader.at });
  });
  const leaves = columns.reduce((sum, column) => sum + column.leaves, 0);
  if (!isPlain || !groups?.every(({ stored }) => stored.length === leaves)) return undefined;
  return footer(bytes, columns, groups, parts);
}

function footer(
  bytes: Uint8Array,
  columns: readonly FooterColumn[],
  groups: readonly RowGroup[],
  parts: ReadonlyMap<number, Piece>,
): Footer {
  const raw = ({ from, to }: Piece) => bytes.subarray(from, to);
  const storedOf = ({ stored }: RowGroup, some: readonly FooterColumn[]) =>
    some.flatMap(({ firstLeaf, leaves }) => stored.slice(firstLeaf, firstLeaf + leaves));
  return {
    columns,
    ranges: (some) => groups.flatMap((group) => storedOf(group, some)),
    of(some) {
      const root = [0x48, 4, ...Buffer.from("root"), 0x15, ...countBytes(2 * some.length), 0];
      const elements = some.reduce((sum, { from, to }) => sum + countElements(bytes, from, to), 1);
      const out: Uint8Array[] = [];
      const put = (...more: number[]) => out.push(Uint8Array.from(more));
      put(0x15);
      out.push(raw(parts.get(1)!));
      put(0x19, ...listHead(elements, STRUCT), ...root);
      out.push(...some.map(raw));
      put(0x16);
      out.push(raw(parts.get(3)!));
      put(0x19, ...listHead(groups.length, STRUCT));
      for (const group of groups) {
        const stored = storedOf(group, some);
        put(0x19, ...listHead(stored.length, STRUCT));
        out.push(...stored.map(raw));
        put(0x16);
        out.push(raw(group.bytes));
        put(0x16);
        out.push(raw(group.rows));
        put(0);
      }
      const writer = parts.get(6);
      if (writer) {
        put(0x28);
        out.push(raw(writer));
      }
      put(0);
      return Buffer.concat(out);
    },
  };
}

/** How many elements of a schema stand between two places. */
function countElements(bytes: Uint8Array, from: number, to: number): number {
  const reader = new CompactReader(bytes.subarray(from, to));
  let count = 0;
  for (; reader.at < reader.bytes.length; count++) reader.struct();
  return count;
}

/** The columns below the root, each with what is in it. */
function schemaColumns(reader: CompactReader): FooterColumn[] {
  const { length } = reader.list();
  const elements = Array.from({ length }, () => {
    const from = reader.at;
    let [name, children] = ["", 0];
    reader.struct((field, kind) => {
      if (field === 4 && kind === BINARY) name = reader.text();
      else if (field === 5 && kind === I32) children = reader.integer();
    });
    return { name, children, from, to: reader.at };
  });
  const columns: FooterColumn[] = [];
  let leaf = 0;
  for (let at = 1; at < elements.length; ) {
    const [first, firstLeaf] = [at, leaf];
    let open = 1;
    while (open > 0) {
      const children = elements[at++]?.children ?? -1;
      if (children < 0) throw new RangeError("The schema is not whole.");
      if (children === 0) leaf += 1;
      open += children - 1;
    }
    const { name, from } = elements[first];
    columns.push({ name, from, to: elements[at - 1].to, firstLeaf, leaves: leaf - firstLeaf });
  }
  if (elements[0]?.children !== columns.length) throw new RangeError("The schema is not whole.");
  return columns;
}

function rowGroup(reader: CompactReader): RowGroup {
  let stored: Stored[] = [];
  const parts = new Map<number, Piece>();
  reader.struct((field, kind) => {
    const from = reader.at;
    if (field === 1 && kind === LIST) {
      stored = Array.from({ length: reader.list().length }, () => storedColumn(reader));
    } else if (kind === I64) reader.count();
    parts.set(field, { from, to: reader.at });
  });
  const [bytes, rows] = [parts.get(2), parts.get(3)];
  if (!bytes || !rows) throw new RangeError("A row group does not say how long it is.");
  return { stored, bytes, rows };
}

function storedColumn(reader: CompactReader): Stored {
  const from = reader.at;
  let [size, values, dictionary] = [-1, -1, 0];
  reader.struct((field, kind) => {
    // In another file, or encrypted.
    if (field === 1 || field === 8 || field === 9) throw new RangeError("The values are elsewhere.");
    if (field !== 3 || kind !== STRUCT) return;
    reader.struct((inner, type) => {
      if (type !== I64) return;
      if (inner === 7) size = reader.integer();
      else if (inner === 9) values = reader.integer();
      else if (inner === 11) dictionary = reader.integer();
    });
  });
  const start = dictionary > 0 ? Math.min(dictionary, values) : values;
  if (size < 0 || start < 0) throw new RangeError("A column does not say where it is.");
  return { from, to: reader.at, start, end: start + size };
}
