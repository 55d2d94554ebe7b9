/**
 * Columns of numbers as a Parquet file: one row group, a page a column, neither packed nor encoded. What it says of
 * itself is written in Thrift's compact protocol (thrift.ts); numbers of fields are those of parquet.thrift.
 */

import { joined } from "../packed/data-file.js";
import { type Struct, thrift } from "./thrift.js";

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
