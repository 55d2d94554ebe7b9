/**
 * A Parquet file of float32 columns without holes, neither packed nor encoded: a page a column in every row group. So
 * the place of every number follows from its row and column, and any number of writers can fill the file at once.
 */

import { listed, type Struct, thrift } from "./thrift.js";

/** What DuckDB takes, to the thousand: fewer make many pages of a wide file, more hinder readers in parallel. */
export const GROUP_ROWS = 120_000;

export const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);
/** parquet.thrift: Type, Encoding, FieldRepetitionType, CompressionCodec and PageType by their numbers. */
const [FLOAT, PLAIN, RLE, REQUIRED, UNCOMPRESSED, DATA_PAGE] = [4, 0, 3, 0, 0, 0];

export interface FloatLayout {
  readonly rows: number;
  readonly columns: number;
}

export interface RowGroup {
  readonly first: number;
  readonly rows: number;
  /** Where it begins in the file. */
  readonly start: number;
  /** What stands before the numbers of every column. */
  readonly pageHeader: Uint8Array;
}

/** Bytes of a column, with what stands before its numbers. */
const columnBytes = ({ rows, pageHeader }: RowGroup): number => pageHeader.length + 4 * rows;

export function rowGroup({ rows, columns }: FloatLayout, index: number): RowGroup {
  const whole = groupOf(0, Math.min(rows, GROUP_ROWS), MAGIC.length);
  if (index === 0) return whole;
  const first = index * GROUP_ROWS;
  return groupOf(
    first,
    Math.min(rows - first, GROUP_ROWS),
    MAGIC.length + index * columns * columnBytes(whole),
  );
}

function groupOf(first: number, rows: number, start: number): RowGroup {
  const bytes = 4 * rows;
  const values: Struct = [
    [1, rows],
    [2, PLAIN],
    [3, RLE],
    [4, RLE],
  ];
  return {
    first,
    rows,
    start,
    pageHeader: thrift([
      [1, DATA_PAGE],
      [2, bytes],
      [3, bytes],
      [5, values],
    ]),
  };
}

/** Where the page of a column begins. */
export const pageStart = (group: RowGroup, column: number): number =>
  group.start + column * columnBytes(group);

/** The end of the file: where it is, and what it says. */
export function footer(
  layout: FloatLayout,
  nameOf: (column: number) => string,
): { at: number; bytes: Uint8Array } {
  const groups = Array.from({ length: Math.ceil(layout.rows / GROUP_ROWS) }, (_, g) => rowGroup(layout, g));
  const last = groups[groups.length - 1];
  const root: Struct = [
    [4, "schema"],
    [5, layout.columns],
  ];
  const element = (column: number): Struct => [
    [1, FLOAT],
    [3, REQUIRED],
    [4, nameOf(column)],
  ];
  const said = thrift([
    [1, 1],
    [2, { structs: listed(1 + layout.columns, (i) => (i === 0 ? root : element(i - 1))) }],
    [3, { long: layout.rows }],
    [4, { structs: groups.map((group) => groupSaid(group, layout.columns, nameOf)) }],
    [6, "sparrow"],
  ]);
  const length = new Uint8Array(Uint32Array.of(said.length).buffer);
  const bytes = new Uint8Array(said.length + 8);
  bytes.set(said);
  bytes.set(length, said.length);
  bytes.set(MAGIC, said.length + 4);
  return { at: pageStart(last, layout.columns), bytes };
}

function groupSaid(group: RowGroup, count: number, nameOf: (column: number) => string): Struct {
  const bytes = columnBytes(group);
  const columns = listed(count, (c): Struct => {
    const start = pageStart(group, c);
    const described: Struct = [
      [1, FLOAT],
      [2, { numbers: [PLAIN] }],
      [3, { texts: [nameOf(c)] }],
      [4, UNCOMPRESSED],
      [5, { long: group.rows }],
      [6, { long: bytes }],
      [7, { long: bytes }],
      [9, { long: start }],
      // No value is missing: readers need not look (a sixth of the time of ours).
      [12, [[3, { long: 0 }]]],
    ];
    return [
      [2, { long: start }],
      [3, described],
    ];
  });
  return [
    [1, { structs: columns }],
    [2, { long: bytes * count }],
    [3, { long: group.rows }],
  ];
}
