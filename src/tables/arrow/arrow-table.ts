/** Arrow IPC files and streams (Feather 2 among them) as tables, a record batch at a time. */

import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { DataType, type RecordBatch, RecordBatchReader, type Schema, type Vector } from "apache-arrow";
import { SparrowError } from "../../errors.js";
import { Levels } from "../levels.js";
import { totalSize } from "../paths.js";
import { damaged, readError, refuseDuplicates } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { Chunk, ColumnKind, ColumnTable, TableColumn } from "../table.js";

/** By their places in a file: its own loop never ends where a place holds something else than a batch. */
async function* batchesOf(reader: RecordBatchReader): AsyncIterable<RecordBatch> {
  if (!reader.isFile()) {
    yield* reader;
    return;
  }
  await reader.open();
  for (let i = 0; i < reader.numRecordBatches; i++) {
    const batch = await reader.readRecordBatch(i);
    if (!batch) throw new Error("A record batch is not where it should be");
    yield batch;
  }
}

/** One table from files with the same columns. */
export async function arrowTable(
  paths: readonly string[],
  { name, keys = [] }: ReaderSettings,
): Promise<ColumnTable> {
  const called = (path: string) => (paths.length === 1 ? name : path);
  const schemas = await Promise.all(paths.map((path) => schemaOf(path, called(path))));
  const fields = schemas[0].fields;
  const other = schemas.findIndex((schema) => String(schema) !== String(schemas[0]));
  if (other > 0) {
    throw new SparrowError(
      `${paths[other]} does not have the same columns as ${paths[0]}; all files must.`,
      "format",
    );
  }
  refuseDuplicates(
    fields.map((field) => field.name),
    name,
  );
  const levels = fields.map((field) => new Levels(name, field.name, keys.includes(field.name)));
  const kinds = fields.map(({ type }) => kindOf(type));
  const columns = fields.map((field, i): TableColumn => {
    const kind = kinds[i];
    if (kind === undefined) return { name: field.name, problem: `values of type ${field.type}` };
    return { name: field.name, kind, ...(kind === "text" && { levels: levels[i].names }) };
  });
  const total = totalSize(paths);
  async function* batches(): AsyncIterable<{ batch: RecordBatch; share: number }> {
    let before = 0;
    for (const path of paths) {
      const size = statSync(path).size;
      // A batch at a time, by its place in the file; a stream has to be read front to back.
      const file = await open(path);
      try {
        const reader = await RecordBatchReader.from(file);
        let [done, count] = [0, 1];
        for await (const batch of batchesOf(reader)) {
          if (reader.isFile()) count = reader.numRecordBatches;
          done += 1;
          yield { batch, share: (before + (size * Math.min(done, count)) / (count + 1)) / total };
        }
      } catch (error) {
        throw arrowError(called(path), error);
      } finally {
        await file.close().catch(() => {});
      }
      before += size;
    }
  }

  return {
    by: "columns",
    name,
    columns,
    bytes: total,
    async *chunks(wanted): AsyncIterable<Chunk> {
      for await (const { batch, share } of batches()) {
        const numbers = wanted.map((i) => numbersOf(batch, i, kinds[i]!, levels[i]));
        yield { rows: batch.numRows, columns: numbers, share };
      }
    },
    async notNumbers(some) {
      const found = new Set<number>();
      for await (const { batch } of batches()) {
        for (const i of some) {
          const vector = batch.getChildAt(i) as Vector;
          for (let row = 0; row < batch.numRows && kinds[i] === "number"; row++) {
            if (Number.isNaN(vector.get(row))) found.add(i);
          }
        }
      }
      return [...found];
    },
  };
}

async function schemaOf(path: string, name: string): Promise<Schema> {
  const file = await open(path);
  try {
    const reader = await RecordBatchReader.from(file);
    await reader.open();
    return reader.schema;
  } catch (error) {
    throw arrowError(name, error);
  } finally {
    await file.close().catch(() => {});
  }
}

/** The library's own errors are about bytes that are not what they should be. */
function arrowError(path: string, error: unknown): unknown {
  const known = error instanceof SparrowError || (error as NodeJS.ErrnoException).code !== undefined;
  return known ? readError(path, error) : damaged(path);
}

function kindOf(type: DataType): ColumnKind | undefined {
  if (DataType.isFloat(type) || DataType.isInt(type)) return "number";
  if (DataType.isBool(type)) return "boolean";
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return "date";
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return "text";
  if (DataType.isDictionary(type)) return kindOf(type.dictionary);
  return undefined;
}

const MILLISECONDS_A_DAY = 86_400_000;

function numbersOf(batch: RecordBatch, i: number, kind: ColumnKind, levels: Levels): ArrayLike<number> {
  const vector = batch.getChildAt(i) as Vector;
  if (kind === "number" && vector.nullCount === 0) {
    const values = vector.toArray();
    if (values instanceof Float64Array || values instanceof Float32Array || values instanceof Int32Array)
      return values;
  }
  return Float64Array.from({ length: batch.numRows }, (_, row) => {
    const value = vector.get(row);
    if (value === null || value === undefined) return Number.NaN;
    // Dates and times come as milliseconds, whatever their unit in the file.
    if (kind === "date") return Number(value) / MILLISECONDS_A_DAY;
    return kind === "text" ? levels.code(String(value)) : Number(value);
  });
}
