/** Draws some chunks of rows and writes them where they belong in a Parquet file, some columns at a time. */

import { simulationRoom } from "../../kernels/simulation.js";
import { type FloatLayout, GROUP_ROWS, pageStart, rowGroup } from "../../tables/parquet/float-layout.js";
import type { Job } from "../../workers/job.js";
import { CHUNK_ROWS } from "../simulated.js";
import { ChunkDraws, DRAWS_END, type Standing } from "./chunk-draws.js";
import { put, type SimulatedFile } from "./simulated-file.js";

export interface ParquetPiece extends SimulatedFile {
  /** Chunks [first, last), all of one row group. */
  readonly first: number;
  readonly last: number;
}

/** Bytes that are drawn before they are written. */
const PIECE = 1 << 21;

export const parquetJob: Job<ParquetPiece, void, unknown> = {
  name: "simulate-parquet",
  start(_, piece) {
    const { simulation, first, last } = piece;
    const { columns } = simulation;
    const layout: FloatLayout = { rows: simulation.rows, columns: columns + 1 };
    const group = rowGroup(layout, Math.floor((first * CHUNK_ROWS) / GROUP_ROWS));
    const from = first * CHUNK_ROWS;
    const rows = Math.min(simulation.rows, last * CHUNK_ROWS) - from;
    const draws = new ChunkDraws(simulation);
    const perStep = Math.max(8, Math.floor(PIECE / (4 * rows)));
    const room = simulationRoom();
    const start = room.free + DRAWS_END;
    const standing: (Standing | undefined)[] = new Array(last - first);
    const y = new Float32Array(rows);
    let column = 0;
    let written = 0;

    const write = (c: number, values: Uint8Array): void => {
      const at = pageStart(group, c);
      if (from === group.first) put(piece, group.pageHeader, at);
      put(piece, values, at + group.pageHeader.length + 4 * (from - group.first));
    };
    const step = (count: number): void => {
      const stride = 4 * rows;
      const bytes = new Uint8Array(room.buffer(DRAWS_END + count * stride));
      for (let chunk = first; chunk < last; chunk++) {
        const stood = standing[chunk - first];
        if (stood) draws.resume(chunk, stood);
        else draws.begin(chunk);
        if (!stood) y.set(draws.target, (chunk - first) * CHUNK_ROWS);
        draws.next(start + 4 * (draws.first - from), stride, count);
        if (column + count < columns) standing[chunk - first] = draws.standing();
      }
      for (let j = 0; j < count; j++)
        write(column + j, bytes.subarray(start + j * stride, start + (j + 1) * stride));
      column += count;
    };
    return {
      next() {
        if (column === columns) return false;
        step(Math.min(perStep, columns - column));
        written = Math.floor((rows * column) / columns);
        if (column === columns) write(columns, new Uint8Array(y.buffer));
        return column < columns;
      },
      get done() {
        return written;
      },
      result() {},
    };
  },
};
