/** Parquet files without DuckDB: what a page reads them with. Columns of a row group are decoded one after the other. */

import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { columnHints, wantsWords } from "../judge/hints.js";
import { judgedTable } from "../judge/judged-table.js";
import type { RawChunk, RawTable, RawValues } from "../judge/raw-table.js";
import { type DataFile, isAboutBytes } from "../packed/data-file.js";
import { damaged, noRows, refuseDuplicates } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { parquetColumn } from "./parquet-types.js";

/** Rows handed over at a time. */
const CHUNK_ROWS = 8192;

export async function parquetTable(file: DataFile, settings: ReaderSettings): Promise<ColumnTable> {
  const { name } = settings;
  const buffer = bufferOf(file);
  const metadata = await whole(name, () => parquetMetadataAsync(buffer, { geoparquet: false }));
  const { children } = parquetSchema(metadata);
  const names = children.map(({ element }) => element.name);
  refuseDuplicates(names, name);
  const rows = Number(metadata.num_rows);
  if (rows === 0) throw noRows(name);
  const hints = columnHints(names, settings, name);
  const columns = children.map((node, c) => parquetColumn(node, wantsWords(hints[c])));
  const physical = physicalOnly(metadata);

  /** The decoded columns of one row group after the other; at most of the first `most` rows. */
  async function* groups(wanted: readonly number[], most = rows) {
    for (let first = 0, g = 0; first < most && g < metadata.row_groups.length; g++) {
      const count = Number(metadata.row_groups[g].num_rows);
      const last = Math.min(first + count, most);
      const read = wanted.map((c) => names[c]);
      const scan = await parquetScan({
        file: buffer,
        metadata: physical,
        columns: [...new Set(read)],
        rowStart: first,
        rowEnd: last,
        compressors,
        utf8: false,
        geoparquet: false,
        parsers: { timestampFromNanoseconds: (nanos) => Number(nanos / 1000n) / 1e6 / 86_400 },
      });
      yield {
        rows: last - first,
        column: (i: number) => scan.readColumn({ column: read[i], rowStart: first, rowEnd: last }),
      };
      first += count;
    }
  }

  async function* chunks(wanted: readonly number[], most?: number): AsyncIterable<RawChunk> {
    for await (const group of groups(wanted, most)) {
      const values: RawValues[] = [];
      for (const [i, c] of wanted.entries()) {
        const column = columns[c];
        if (column.problem !== undefined) values.push([]);
        else
          values.push(
            await whole(name, async () => checked(column.values(await group.column(i)), group.rows)),
          );
      }
      for (let from = 0; from < group.rows; from += CHUNK_ROWS) {
        const to = Math.min(group.rows, from + CHUNK_ROWS);
        yield { rows: to - from, columns: values.map((column) => part(column, from, to)) };
      }
    }
  }

  const raw: RawTable = {
    name,
    columns: columns.map(({ name, type, problem }) => ({
      name,
      type,
      ...(problem !== undefined && { problem }),
    })),
    rows,
    bytes: file.size,
    chunks: (wanted) => chunks(wanted),
    head: (wanted, most) => chunks(wanted, Math.min(most, rows)),
    async notNumbers(some) {
      const real = some.filter((c) => columns[c].isReal);
      const found = new Set<number>();
      for await (const group of groups(real)) {
        for (const [i, c] of real.entries()) {
          const values = (await group.column(i)) as ArrayLike<unknown>;
          for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row])) found.add(c);
        }
      }
      return real.filter((c) => found.has(c));
    },
  };
  return judgedTable(raw, { hints: settings, thorough: settings.thorough });
}

/** What a file says of its size, without anything of it being decoded. */
export async function parquetSize(file: DataFile): Promise<ParquetSize> {
  const metadata = await whole(file.name, () => parquetMetadataAsync(bufferOf(file), { geoparquet: false }));
  const most = (of: (group: FileMetaData["row_groups"][number]) => bigint): number =>
    metadata.row_groups.reduce((largest, group) => Math.max(largest, Number(of(group))), 0);
  return {
    rows: Number(metadata.num_rows),
    columns: parquetSchema(metadata).children.length,
    groupRows: most((group) => group.num_rows),
    groupBytes: most((group) => group.total_byte_size),
  };
}

export interface ParquetSize {
  readonly rows: number;
  readonly columns: number;
  /** Of the largest row group, which is decoded at once: rows, and bytes before they are packed. */
  readonly groupRows: number;
  readonly groupBytes: number;
}

function bufferOf(file: DataFile): AsyncBuffer {
  return {
    byteLength: file.size,
    async slice(from, to = file.size) {
      const bytes = await file.slice(from, to);
      // A part of a larger buffer is not what the package asks for.
      return bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
        ? bytes.buffer
        : Uint8Array.from(bytes).buffer;
    },
  };
}

/** Dates, decimals and their like are ours to read: their digits would be lost on the way. Texts are texts. */
function physicalOnly(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map((element) => {
    const { converted_type: converted, logical_type: logical, ...physical } = element;
    const isNested = (element.num_children ?? 0) > 0;
    const isText = [logical?.type, converted].some(
      (kind) => kind === "STRING" || kind === "UTF8" || kind === "ENUM",
    );
    if (isNested) return element;
    return isText ? { ...physical, converted_type: "UTF8" as const } : physical;
  });
  return { ...metadata, schema };
}

function checked(values: RawValues, rows: number): RawValues {
  if (values.length !== rows) throw new Error("A column has another length than its row group");
  return values;
}

function part(values: RawValues, from: number, to: number): RawValues {
  if (values.length === 0 || (from === 0 && to === values.length)) return values;
  return ArrayBuffer.isView(values)
    ? (values as unknown as Float64Array).subarray(from, to)
    : Array.prototype.slice.call(values, from, to);
}

/** What the package fails with is about bytes that are not what they should be. */
async function whole<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAboutBytes(error) ? damaged(name) : error;
  }
}
