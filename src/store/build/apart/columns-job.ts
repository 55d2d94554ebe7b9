/**
 * Columns that lie apart in their files, each read at once and put where it belongs in the memory of the store, in its
 * final order. A column of a few hundred kilobytes stays in the cache from its bytes to its place. Several threads share
 * the work: each takes the next column that nobody has taken.
 */

import { closeSync, openSync } from "node:fs";
import { wasmKernelsAtOnce } from "../../../kernels/wasm.js";
import { newLanes } from "../../../tables/checksum.js";
import type { ColumnIndex } from "../../../tables/parquet/columns/column-index.js";
import { ParquetColumns } from "../../../tables/parquet/columns/read-column.js";
import { type Layout, runOffset } from "../../layout/layout.js";
import type { Task } from "../../open/room.js";
import { DATA_START } from "../../store.js";
import { areTiny, type ColumnFacts, HEAD_ROWS, onlyValue, shiftOf } from "../column-facts.js";
import { writeAll } from "../write-all.js";

export interface ColumnsPiece {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
  readonly index: ColumnIndex;
  /** In the order of runs; the target comes last. */
  readonly columns: readonly number[];
  /** Where it is told which row belongs at a place, and which column is the next one. */
  readonly order: number;
  readonly next: number;
  /** Where there is room for a column on its way. */
  readonly room: number;
  /** Where columns go, one after the other, that do not fit into memory. */
  readonly file?: string | undefined;
}

/** What was learnt of a column. */
export interface ColumnRead extends Omit<ColumnFacts, "counts"> {
  readonly run: number;
  /** Of the checksum. */
  readonly lanes: Int32Array;
  /** Whether it holds NaN as a value of its own. */
  readonly hasNaN: boolean;
}

/** What comes before the numbers of a column on its way: the sum and the lanes. */
const STATE = 16;

/** For the numbers as they are read and, behind them, as they are kept in a file. */
export const roomForColumn = (rows: number): number => 64 * Math.ceil((STATE + 12 * rows) / 64);

/** Undefined where bytes make no sense or numbers are too large: then somebody else has to read them, and say so. */
export const columnsJob: Task<ColumnsPiece, ColumnRead[] | undefined> = {
  name: "read-columns",
  start(_, piece) {
    const { columns, memory, index } = piece;
    const next = new Int32Array(memory.buffer as ArrayBuffer, piece.next, 1);
    const reader = new ParquetColumns(index);
    const file = piece.file === undefined ? undefined : openSync(piece.file, "r+");
    const place = placing(piece, file);
    let found: ColumnRead[] | undefined = [];
    return {
      next() {
        const run = Atomics.add(next, 0, 1);
        if (!found || run >= columns.length) return false;
        try {
          found.push(place(reader, run));
          return true;
        } catch {
          found = undefined;
          Atomics.store(next, 0, columns.length);
          return false;
        }
      },
      get done() {
        return found?.length ?? 0;
      },
      result() {
        reader.close();
        if (file !== undefined) closeSync(file);
        return found;
      },
    };
  },
};

function placing({ memory, layout, index, columns, order, room }: ColumnsPiece, file: number | undefined) {
  const { rows } = layout;
  const kernels = wasmKernelsAtOnce(memory);
  const buffer = memory.buffer as ArrayBuffer;
  const at = room + STATE;
  const sum = new Float64Array(buffer, room, 1);
  const lanes = new Int32Array(buffer, room + 8, 2);
  const stored = new Float32Array(buffer, at, rows);
  const doubles = new Float64Array(buffer, at, rows);
  const put = (run: number): void => {
    if (file === undefined) {
      const column = DATA_START + runOffset(layout, 0, run);
      kernels.gatherBlocks(column, runOffset(layout, 1, 0), layout.blocks, rows, at, order);
      return;
    }
    const ordered = at + 8 * rows;
    kernels.gather(ordered, at, order, rows);
    writeAll(file, new Uint8Array(buffer, ordered, 4 * rows), 4 * rows * run);
  };
  return (reader: ParquetColumns, run: number): ColumnRead => {
    const isFloat = index.columns[columns[run]]?.kind === "float";
    const numbers = isFloat ? stored : doubles;
    const absent = reader.read(columns[run], numbers);
    const shift = shiftOf([{ values: numbers, count: Math.min(numbers.length, SHIFT_ROWS) }]);
    const tiny = !isFloat && areTiny(numbers);
    sum[0] = 0;
    lanes.set(newLanes());
    (isFloat ? kernels.settleFloats : kernels.settleDoubles)(at, at, shift, rows, room);
    const facts = Number.isFinite(sum[0]) ? { missing: 0, firstMissing: 0, sum: sum[0] } : counted(stored);
    put(run);
    const only = onlyValue(Number.NaN, stored);
    return {
      run,
      shift,
      ...facts,
      only,
      ...(tiny && { tiny }),
      lanes: lanes.slice(),
      hasNaN: facts.missing > absent,
    };
  };
}

/** Rows in which the shift looks for its values, should some be missing: those of a chunk of DuckDB's. */
const SHIFT_ROWS = 2 * HEAD_ROWS;

/** Where the sum says that not all are numbers. */
function counted(values: Float32Array): Pick<ColumnFacts, "missing" | "firstMissing" | "sum"> {
  let [missing, firstMissing, sum] = [0, 0, 0];
  values.forEach((value, row) => {
    if (Number.isFinite(value)) sum += value;
    else if (!Number.isNaN(value)) throw new RangeError("A number is too large.");
    else if (missing++ === 0) firstMissing = row + 1;
  });
  return { missing, firstMissing, sum };
}
