import type { RawChunk, RawValues } from "../judge/raw-table.js";

/** The columns of several readers of the same rows as one: their chunks may end at different rows. */
export async function* sideBySide(readers: readonly AsyncIterable<RawChunk>[]): AsyncIterable<RawChunk> {
  const parts = readers.map((reader) => ({
    chunks: reader[Symbol.asyncIterator](),
    chunk: NOTHING,
    used: 0,
  }));
  try {
    for (;;) {
      await Promise.all(
        parts.map(async (part) => {
          if (part.used < part.chunk.rows) return;
          const { done, value } = await part.chunks.next();
          part.chunk = done ? NOTHING : value;
          part.used = 0;
        }),
      );
      const rows = Math.min(...parts.map(({ chunk, used }) => chunk.rows - used));
      if (rows === 0) return;
      const columns = parts.flatMap(({ chunk, used }) =>
        rows === chunk.rows ? chunk.columns : chunk.columns.map((values) => slice(values, used, used + rows)),
      );
      for (const part of parts) part.used += rows;
      const { share } = parts[0].chunk;
      yield { rows, columns, ...(share !== undefined && { share }) };
    }
  } finally {
    await Promise.all(parts.map(({ chunks }) => chunks.return?.()));
  }
}

const NOTHING: RawChunk = { rows: 0, columns: [] };

function slice(values: RawValues, from: number, to: number): RawValues {
  if (values instanceof Float64Array || values instanceof Float32Array) return values.subarray(from, to);
  return Array.prototype.slice.call(values, from, to);
}
