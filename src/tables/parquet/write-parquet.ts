/**
 * Columns of numbers as a Parquet file: one row group, a page a column, neither packed nor encoded. What it says of
 * itself is written in Thrift's compact protocol; numbers of fields are those of parquet.thrift.
 */

import { joined } from "../packed/data-file.js";

export interface WrittenColumn {
  readonly name: string;
  readonly values: Float64Array;
  /** Whether the values are whole numbers of 32 bits. */
  readonly isWhole: boolean;
}

const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);
/** parquet.thrift: Type, Encoding, FieldRepetitionType, CompressionCodec and PageType by their numbers. */
const [INT32, DOUBLE, PLAIN, RLE, REQUIRED, UNCOMPRESSED, DATA_PAGE] = [1, 5, 0, 3, 0, 0, 0];

export function parquetBytes(columns: readonly WrittenColumn[]): Uint8Array {
  const rows = columns[0]?.values.length ?? 0;
  const parts: Uint8Array[] = [MAGIC];
  let at = MAGIC.length;
  const chunks = columns.map((column) => {
    const data = plainBytes(column);
    const header = thrift([
      [1, DATA_PAGE],
      [2, data.length],
      [3, data.length],
      [
        5,
        [
          [1, rows],
          [2, PLAIN],
          [3, RLE],
          [4, RLE],
        ],
      ],
    ]);
    const start = at;
    parts.push(header, data);
    at += header.length + data.length;
    return { column, start, bytes: at - start };
  });
  const footer = thrift(footerOf(chunks, rows));
  parts.push(footer, Uint8Array.of(...new Uint8Array(Uint32Array.of(footer.length).buffer)), MAGIC);
  return joined(parts);
}

function plainBytes({ values, isWhole }: WrittenColumn): Uint8Array {
  return isWhole
    ? new Uint8Array(Int32Array.from(values).buffer)
    : new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

interface Chunk {
  readonly column: WrittenColumn;
  readonly start: number;
  readonly bytes: number;
}

function footerOf(chunks: readonly Chunk[], rows: number): Struct {
  const typeOf = ({ isWhole }: WrittenColumn) => (isWhole ? INT32 : DOUBLE);
  const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  const elements: Struct[] = chunks.map(({ column }) => [
    [1, typeOf(column)],
    [3, REQUIRED],
    [4, column.name],
  ]);
  const columns: Struct[] = chunks.map(({ column, start, bytes }) => {
    const described: Struct = [
      [1, typeOf(column)],
      [2, { numbers: [PLAIN] }],
      [3, { texts: [column.name] }],
      [4, UNCOMPRESSED],
      [5, { long: rows }],
      [6, { long: bytes }],
      [7, { long: bytes }],
      [9, { long: start }],
    ];
    return [
      [2, { long: start }],
      [3, described],
    ];
  });
  return [
    [1, 1],
    [
      2,
      {
        structs: [
          [
            [4, "schema"],
            [5, chunks.length],
          ],
          ...elements,
        ],
      },
    ],
    [3, { long: rows }],
    [
      4,
      {
        structs: [
          [
            [1, { structs: columns }],
            [2, { long: total }],
            [3, { long: rows }],
          ],
        ],
      },
    ],
    [6, "sparrow"],
  ];
}

/** Fields by their numbers, which rise. */
type Struct = readonly (readonly [number, Value])[];
type Value =
  | number
  | string
  | Struct
  | { readonly long: number }
  | { readonly numbers: readonly number[] }
  | { readonly texts: readonly string[] }
  | { readonly structs: readonly Struct[] };

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];
const utf8 = new TextEncoder();

function thrift(struct: Struct): Uint8Array {
  const out: number[] = [];
  writeStruct(out, struct);
  return Uint8Array.from(out);
}

function writeStruct(out: number[], struct: Struct): void {
  let before = 0;
  for (const [field, value] of struct) {
    // No two fields here are more than fifteen apart.
    out.push(((field - before) << 4) | kindOf(value));
    before = field;
    writeValue(out, value);
  }
  out.push(0);
}

function kindOf(value: Value): number {
  if (typeof value === "number") return I32;
  if (typeof value === "string") return BINARY;
  if (Array.isArray(value)) return STRUCT;
  return "long" in value ? I64 : LIST;
}

function writeValue(out: number[], value: Value): void {
  if (typeof value === "number") writeInteger(out, value);
  else if (typeof value === "string") writeText(out, value);
  else if ("long" in value) writeInteger(out, value.long);
  else if ("numbers" in value) writeList(out, I32, value.numbers, writeInteger);
  else if ("texts" in value) writeList(out, BINARY, value.texts, writeText);
  else if ("structs" in value) writeList(out, STRUCT, value.structs, writeStruct);
  else writeStruct(out, value);
}

/** A long list has its length behind the kind of its values, a short one beside it. */
function writeList<T>(
  out: number[],
  kind: number,
  values: readonly T[],
  write: (out: number[], value: T) => void,
): void {
  if (values.length < 15) out.push((values.length << 4) | kind);
  else {
    out.push(0xf0 | kind);
    writeCount(out, values.length);
  }
  for (const value of values) write(out, value);
}

function writeText(out: number[], text: string): void {
  const bytes = utf8.encode(text);
  writeCount(out, bytes.length);
  for (const byte of bytes) out.push(byte);
}

/** Zigzag: what is written here is never negative. */
const writeInteger = (out: number[], value: number): void => writeCount(out, 2 * value);

/** Seven bits at a time, the lowest first; numbers may go beyond 32 bits. */
function writeCount(out: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}
