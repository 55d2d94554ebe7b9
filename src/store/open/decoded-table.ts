/** A store as the table that it was made of: columns by their names, texts as texts, rows in their first order. */

import type { Chunk, ColumnTable, TableColumn } from "../../tables/table.js";
import { variableNames } from "../layout/encoding.js";
import type { Store } from "../store.js";
import { eachBlock } from "./in-order.js";

/** Rows handed over at a time. */
const CHUNK_ROWS = 2048;

interface Decoded extends TableColumn {
  /** Position of its first variable in the store. */
  readonly first: number;
}

/** `refuse` is asked with the bytes that reading some of the columns will take. */
export function decodedTable(store: Store, name: string, refuse: (bytes: number) => void): ColumnTable {
  const { layout, record } = store;
  const { target } = record.encoding;
  const columns: Decoded[] = [];
  let first = 0;
  for (const code of record.encoding.columns) {
    const levels = code.kind === "text" ? [code.baseline, ...code.levels] : undefined;
    columns.push({ name: code.column, kind: code.kind, first, ...(levels && { levels }) });
    first += variableNames({ ...record.encoding, columns: [code] }).length;
  }
  const classes = target.kind === "text" && target.values?.map(String);
  columns.push({
    name: target.column,
    kind: target.kind,
    first: layout.columns,
    ...(classes && { levels: classes }),
  });
  return {
    by: "columns",
    name,
    columns,
    rows: layout.rows,
    target: target.column,
    *chunks(wanted): Iterable<Chunk> {
      refuse(4 * layout.rows * wanted.length);
      const whole = wanted.map(() => new Float32Array(layout.rows));
      eachBlock(store, (block, rows) => {
        wanted.forEach((column, c) => {
          gather(whole[c], store, block, rows, columns[column]);
        });
      });
      for (let from = 0; from < layout.rows; from += CHUNK_ROWS) {
        const rows = Math.min(CHUNK_ROWS, layout.rows - from);
        yield {
          rows,
          columns: wanted.map((column, c) => {
            const by = columns[column].levels ? 0 : store.shift[columns[column].first];
            return Float64Array.from(whole[c].subarray(from, from + rows), (value) => value + by);
          }),
        };
      }
    },
    close: () => store.close?.(),
  };
}

/** The values of a column in a block, without their shift; of a text, the codes of its levels. */
function gather(
  out: Float32Array,
  store: Store,
  block: number,
  rows: Uint32Array,
  { first, levels }: Decoded,
): void {
  const numbers = new Float32Array(store.kernels.memory.buffer);
  const isTarget = first === store.layout.columns;
  if (!levels || isTarget) {
    const from = store.run(block, first) / 4;
    for (let i = 0; i < rows.length; i++) out[rows[i]] = numbers[from + i];
    return;
  }
  for (let code = 1; code < levels.length; code++) {
    const variable = first + code - 1;
    const from = store.run(block, variable) / 4;
    const by = store.shift[variable];
    for (let i = 0; i < rows.length; i++) if (numbers[from + i] + by > 0.5) out[rows[i]] = code;
  }
}
