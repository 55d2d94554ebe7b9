/**
 * Draws rows of a chunk and writes them as lines. How long the lines are is known only when they are there, so jobs
 * take turns: a job that has its lines tells the next one where to go on, and then writes.
 */

import { simulationRoom } from "../../kernels/simulation.js";
import type { Job } from "../../workers/job.js";
import { CHUNK_ROWS } from "../simulated.js";
import { ChunkDraws, DRAWS_END } from "./chunk-draws.js";
import { put, type SimulatedFile } from "./simulated-file.js";

export interface CsvPiece extends SimulatedFile {
  /** The number of the piece, whose rows follow those of the piece before. */
  readonly index: number;
  readonly chunk: number;
  /** Rows [first, last) of the chunk. */
  readonly first: number;
  readonly last: number;
  /** Bytes for lines that wait to be written. */
  readonly text: number;
  readonly turns: SharedArrayBuffer;
}

/** Whose turn it is, and where in the file that one goes on. */
export function newTurns(position: number): SharedArrayBuffer {
  const turns = new SharedArrayBuffer(16);
  new Float64Array(turns)[1] = position;
  return turns;
}

/** Columns that are drawn at a time: 64 of a chunk stay in the cache. */
const PER_STEP = 64;
/** The longest number has nineteen characters. */
const CELL = 20;
/** Bytes of lines between two looks at whether the work is to go on. */
const SLICE = 1 << 22;
/** Milliseconds between two looks at whose turn it is. */
const PATIENCE = 20;

/** Bytes that the lines of one row may take, with what is written beyond the end. */
export const lineBytes = (columns: number): number => CELL * (columns + 1) + 64;

export const csvJob: Job<CsvPiece, void, unknown> = {
  name: "simulate-csv",
  start(_, piece) {
    const { simulation, index, last, first } = piece;
    const width = simulation.columns + 1;
    const whole = Math.max(0, last - first);
    const room = simulationRoom();
    const drawn = room.free + DRAWS_END;
    const values = drawn + 4 * PER_STEP * CHUNK_ROWS;
    const text = values + 4 * whole * width;
    const turn = new Int32Array(piece.turns);
    const position = new Float64Array(piece.turns);
    const end = text + Math.max(piece.text, lineBytes(width));
    let at = text;
    let row = -1;

    const draw = (): void => {
      room.buffer(end - room.free);
      const draws = new ChunkDraws(simulation);
      draws.begin(piece.chunk);
      const { columns } = simulation;
      for (let c = 0; c < columns; c += PER_STEP) {
        const count = Math.min(PER_STEP, columns - c);
        draws.next(drawn, 4 * CHUNK_ROWS, count);
        room.kernels.turnRows(values + 4 * c, 4 * width, drawn, 4 * CHUNK_ROWS, count, first, whole);
      }
      const numbers = new Float32Array(room.buffer(end - room.free), values, whole * width);
      const y = draws.target;
      for (let i = 0; i < whole; i++) numbers[i * width + columns] = y[first + i];
      row = 0;
    };
    const lines = (): void => {
      const fitting = Math.floor((Math.min(SLICE, end - at) - 64) / (CELL * width));
      const count = Math.max(1, Math.min(whole - row, fitting));
      at = room.kernels.writeLines(at, values + 4 * row * width, count, width, room.powers);
      row += count;
    };
    /** False where it is not our turn yet. */
    const flush = (): boolean => {
      const whose = Atomics.load(turn, 0);
      if (whose !== index) {
        Atomics.wait(turn, 0, whose, PATIENCE);
        return false;
      }
      const bytes = new Uint8Array(room.buffer(0), text, at - text);
      const to = position[1];
      position[1] += bytes.length;
      if (row === whole) {
        Atomics.store(turn, 0, index + 1);
        Atomics.notify(turn, 0);
      }
      put(piece, bytes, to);
      at = text;
      return true;
    };
    return {
      next() {
        if (row < 0) draw();
        else if (row < whole && end - at >= lineBytes(width)) lines();
        else if (flush()) return row < whole;
        return true;
      },
      get done() {
        return Math.max(0, row);
      },
      result() {},
    };
  },
};
