/**
 * Simulated data on their way into a store, some columns of all rows at a time: one job draws chunks of rows, in the
 * order in which they would be read; the other puts columns into the order of the store, and writes their runs.
 */

import { crc32 } from "node:zlib";
import { simulationRoom } from "../../kernels/simulation.js";
import { shiftOf } from "../../store/build/column-facts.js";
import { firstRow, type Layout, rowsIn, runOffset } from "../../store/layout/layout.js";
import { columnLanes } from "../../tables/checksum.js";
import type { Job } from "../../workers/job.js";
import { CHUNK_ROWS, type Simulation } from "../simulated.js";
import { ChunkDraws, DRAWS_END } from "./chunk-draws.js";
import { put, type SimulatedFile } from "./simulated-file.js";

/** What all threads see. */
export interface SharedRows {
  /** Columns of all rows, as they are drawn. */
  readonly columns: SharedArrayBuffer;
  readonly target: SharedArrayBuffer;
  /** Where the streams of the chunks stand, and what the columns of a row have in common. */
  readonly states: SharedArrayBuffer;
  readonly shared: SharedArrayBuffer;
  /** Place i of the store belongs to row order[i]. */
  readonly order: SharedArrayBuffer;
}

export interface DrawPiece {
  readonly simulation: Simulation;
  readonly rows: SharedRows;
  /** Columns [first, last), and chunks [from, to). */
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** Columns that are drawn at a time: 64 of a chunk stay in the cache. */
const PER_STEP = 64;

export const drawJob: Job<DrawPiece, void, unknown> = {
  name: "simulate-draw",
  start(_, { simulation, rows, first, last, from, to }) {
    const draws = new ChunkDraws(simulation);
    const columns = new Float32Array(rows.columns);
    const target = new Float32Array(rows.target);
    const states = new Int32Array(rows.states);
    const shared = new Float64Array(rows.shared);
    const room = simulationRoom();
    const place = room.free + DRAWS_END;
    const buffer = room.buffer(DRAWS_END + 4 * PER_STEP * CHUNK_ROWS);
    let chunk = from;
    const stand = (): void => {
      const start = chunk * CHUNK_ROWS;
      if (first > 0) {
        draws.resume(chunk, {
          column: first,
          state: states.subarray(4 * chunk, 4 * chunk + 4),
          shared: shared.subarray(start, Math.min(simulation.rows, start + CHUNK_ROWS)),
        });
        return;
      }
      draws.begin(chunk);
      target.set(draws.target, draws.first);
      shared.set(draws.standing().shared, draws.first);
    };
    return {
      next() {
        stand();
        for (let c = first; c < last; c += PER_STEP) {
          const count = Math.min(PER_STEP, last - c);
          draws.next(place, 4 * CHUNK_ROWS, count);
          for (let j = 0; j < count; j++) {
            const drawn = new Float32Array(buffer, place + 4 * CHUNK_ROWS * j, draws.rows);
            columns.set(drawn, (c - first + j) * simulation.rows + draws.first);
          }
        }
        states.set(draws.standing().state, 4 * chunk);
        chunk += 1;
        return chunk < to;
      },
      get done() {
        return 0;
      },
      result() {},
    };
  },
};

export interface PlacePiece extends SimulatedFile {
  readonly layout: Layout;
  /** Where the blocks begin in the file. */
  readonly data: number;
  readonly order: SharedArrayBuffer;
  /** Columns of all rows, of which [first, last) are the runs from `run` on. */
  readonly columns: SharedArrayBuffer;
  readonly first: number;
  readonly last: number;
  readonly run: number;
}

/** Of every column of a piece. */
export interface Placed {
  readonly shift: Float64Array;
  /** As `combined` takes them. */
  readonly lanes: readonly Int32Array[];
  /** CRC-32 of the runs, block by block. */
  readonly checksums: Uint32Array;
}

/** One job follows the other in a thread, and all need about the same. */
let held = new Float32Array(0);

function heldRuns(length: number): Float32Array<ArrayBuffer> {
  if (held.length < length) held = new Float32Array(length);
  return held;
}

export const placeJob: Job<PlacePiece, Placed, unknown> = {
  name: "simulate-place",
  start(_, piece) {
    const { layout, data, first, last, run } = piece;
    const { rows, blocks, stride } = layout;
    const order = new Uint32Array(piece.order);
    const count = last - first;
    const columns = Array.from({ length: count }, (_, j) => {
      return new Float32Array(piece.columns, 4 * (first + j) * rows, rows);
    });
    const placed = {
      shift: Float64Array.from(columns, (values) => shiftOf([{ values, count: values.length }])),
      lanes: columns.map(columnLanes),
      checksums: new Uint32Array(blocks * count),
    };
    /** `[block][column][row]`, as in the file, but for the columns of others. */
    const runs = heldRuns(blocks * count * stride);
    const runBytes = 4 * stride;
    const bytes = new Uint8Array(runs.buffer);
    let [column, block] = [0, 0];

    /** Column by column: one of them stays in the cache while its rows are picked out of it. */
    const putInOrder = (j: number): void => {
      for (let b = 0; b < blocks; b++) {
        const from = firstRow(layout, b);
        const own = order.subarray(from, from + rowsIn(layout, b));
        const at = b * count + j;
        gather(runs.subarray(at * stride, (at + 1) * stride), columns[j], own, placed.shift[j]);
        placed.checksums[at] = crc32(bytes.subarray(at * runBytes, (at + 1) * runBytes));
      }
    };
    return {
      next() {
        if (column < count) {
          putInOrder(column++);
          return true;
        }
        const all = bytes.subarray(block * count * runBytes, (block + 1) * count * runBytes);
        put(piece, all, data + runOffset(layout, block, run));
        block += 1;
        return block < blocks;
      },
      get done() {
        return block * count;
      },
      result: () => placed,
    };
  },
};

/** Adding 0 turns −0 into 0, as everywhere in a store. What is beyond the rows of a short block stays 0. */
export function gather(out: Float32Array, values: Float32Array, order: Uint32Array, shift: number): void {
  const { length } = order;
  for (let i = 0; i < length; i++) out[i] = values[order[i]] - shift + 0;
  out.fill(0, length);
}
