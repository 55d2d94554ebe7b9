/** Arrow IPC files and streams (Feather 2 among them) as tables, a record batch at a time. */

import { DataType, type RecordBatch, RecordBatchReader, type Schema, type Vector } from "apache-arrow";
import { SparrowError } from "../../errors.js";
import { columnHints, wantsWords } from "../judge/hints.js";
import { judgedTable } from "../judge/judged-table.js";
import type { RawChunk, RawColumn, RawTable, RawType, RawValues } from "../judge/raw-table.js";
import { type DataFile, isAboutBytes, sizeOf } from "../packed/data-file.js";
import { damaged, readError, refuseDuplicates } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { checkBatch } from "./check-batch.js";
import { handleOf } from "./file-handle.js";
import { verifyArrow } from "./verify-arrow.js";

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
export async function arrowTable(files: readonly DataFile[], settings: ReaderSettings): Promise<ColumnTable> {
  const { name } = settings;
  const called = (file: DataFile) => (files.length === 1 ? name : file.name);
  const schemas = await Promise.all(files.map((file) => schemaOf(file, called(file))));
  const fields = schemas[0].fields;
  const other = schemas.findIndex((schema) => String(schema) !== String(schemas[0]));
  if (other > 0) {
    throw new SparrowError(
      `${files[other].name} does not have the same columns as ${files[0].name}; all files must.`,
      "format",
    );
  }
  const names = fields.map((field) => field.name);
  refuseDuplicates(names, name);
  const hints = columnHints(names, settings, name);
  const columns = fields.map((field, c): RawColumn => {
    // Beyond 2⁵³ a number loses digits that may name something.
    const type = isLong(field.type) && wantsWords(hints[c]) ? "cells" : typeOf(field.type);
    return type === undefined
      ? { name: field.name, type: "words", problem: `values of type ${field.type}` }
      : { name: field.name, type };
  });
  const total = sizeOf(files);
  async function* batches(): AsyncIterable<{ batch: RecordBatch; share: number }> {
    let before = 0;
    for (const file of files) {
      const { size } = file;
      try {
        // A batch at a time, by its place in the file; a stream has to be read front to back.
        const reader = await RecordBatchReader.from(handleOf(file));
        let [done, count] = [0, 1];
        for await (const batch of batchesOf(reader)) {
          if (reader.isFile()) count = reader.numRecordBatches;
          checkBatch(batch, size);
          done += 1;
          yield { batch, share: (before + (size * Math.min(done, count)) / (count + 1)) / total };
        }
      } catch (error) {
        throw arrowError(called(file), error);
      }
      before += size;
    }
  }

  const raw: RawTable = {
    name,
    columns,
    bytes: total,
    async *chunks(wanted): AsyncIterable<RawChunk> {
      for await (const { batch, share } of batches()) {
        const values = wanted.map((i) => valuesOf(batch, i, columns[i].type));
        yield { rows: batch.numRows, columns: values, share };
      }
    },
    async notNumbers(some) {
      const found = new Set<number>();
      for await (const { batch } of batches()) {
        for (const i of some) {
          const vector = batch.getChildAt(i) as Vector;
          for (let row = 0; row < batch.numRows && columns[i].type === "number"; row++) {
            if (Number.isNaN(vector.get(row))) found.add(i);
          }
        }
      }
      return [...found];
    },
  };
  return judgedTable(raw, { hints: settings, thorough: settings.thorough });
}

async function schemaOf(file: DataFile, name: string): Promise<Schema> {
  try {
    await verifyArrow(file);
    const reader = await RecordBatchReader.from(handleOf(file));
    await reader.open();
    return reader.schema;
  } catch (error) {
    throw arrowError(name, error);
  }
}

/** The library's own errors are about bytes that are not what they should be. */
function arrowError(name: string, error: unknown): unknown {
  return isAboutBytes(error) ? damaged(name) : readError(name, error);
}

function typeOf(type: DataType): RawType | undefined {
  if (DataType.isFloat(type)) return "number";
  if (DataType.isInt(type)) return "integer";
  if (DataType.isBool(type)) return "boolean";
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return "date";
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return "cells";
  if (!DataType.isDictionary(type)) return undefined;
  const inner = typeOf(type.dictionary);
  return inner === "cells" ? "words" : inner;
}

function isLong(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isLong(type.dictionary);
  return DataType.isInt(type) && type.bitWidth === 64;
}

const MILLISECONDS_A_DAY = 86_400_000;

function valuesOf(batch: RecordBatch, i: number, type: RawType): RawValues {
  const vector = batch.getChildAt(i) as Vector;
  const isNumber = type === "number" || type === "integer";
  if (isNumber && vector.nullCount === 0) {
    const values = vector.toArray();
    if (values instanceof Float64Array || values instanceof Float32Array || values instanceof Int32Array)
      return values;
  }
  if (type === "cells" || type === "words") {
    return Array.from({ length: batch.numRows }, (_, row) => {
      const value: unknown = vector.get(row);
      return value === null || value === undefined ? null : String(value);
    });
  }
  return Float64Array.from({ length: batch.numRows }, (_, row) => {
    const value = vector.get(row);
    if (value === null || value === undefined) return Number.NaN;
    // Dates and times come as milliseconds, whatever their unit in the file.
    return type === "date" ? Number(value) / MILLISECONDS_A_DAY : Number(value);
  });
}
