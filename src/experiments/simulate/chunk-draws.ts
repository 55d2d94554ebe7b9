/**
 * The rows of a chunk as `simulatedTable` has them, number for number, drawn by the kernels: first the columns that
 * cause the target, and the target; then the others, in turn, as many at a time as are asked for. What has been drawn
 * is a state of sixteen bytes, so columns can be drawn later, or by another thread.
 */

import { type SimulationRoom, simulationRoom } from "../../kernels/simulation.js";
import { Rng } from "../../math/rng.js";
import {
  CHUNK_ROWS,
  respond,
  SIMULATIONS,
  type SimulatedStudy,
  type Simulation,
  TRUE_COLUMNS,
  trueCoefficients,
} from "../simulated.js";

/** Places in the memory of the thread, behind what the kernels need: whoever draws has it from `DRAWS_END` on. */
const SHARED = 64;
const TARGET = SHARED + 8 * CHUNK_ROWS;
const CAUSES = TARGET + 8 * CHUNK_ROWS;
export const DRAWS_END = 64 * Math.ceil((CAUSES + 4 * TRUE_COLUMNS * CHUNK_ROWS) / 64);

/** Where the stream of a chunk stands between two columns. */
export interface Standing {
  readonly column: number;
  readonly state: Int32Array;
  readonly shared: Float64Array;
}

export class ChunkDraws {
  /** Rows of the chunk, of which the first is number `first` of all. */
  rows = 0;
  first = 0;
  private column = 0;
  private readonly study: SimulatedStudy;
  private readonly root: Rng;
  private readonly beta: Float64Array;
  private readonly causes: number;
  private readonly room: SimulationRoom = simulationRoom();
  private readonly base = this.room.free;

  constructor(private readonly simulation: Simulation) {
    const { kind, columns, seed } = simulation;
    this.study = SIMULATIONS[kind];
    this.root = Rng.seeded(seed);
    this.causes = Math.min(TRUE_COLUMNS, columns);
    this.beta = trueCoefficients(this.causes, kind);
  }

  private at(chunk: number): void {
    this.first = chunk * CHUNK_ROWS;
    this.rows = Math.min(CHUNK_ROWS, this.simulation.rows - this.first);
  }

  /** Draws what the target depends on, and the target. */
  begin(chunk: number): void {
    this.at(chunk);
    const { base, rows, first, room } = this;
    const { noiseVariance = 1 } = this.simulation;
    const buffer = room.buffer(DRAWS_END);
    const rng = this.root.split(chunk);
    const { key, state } = rng.save();
    const words = new Int32Array(buffer, base, 4);
    words.set(state);
    const noisy = Number(this.study.family.noise !== undefined);
    const [shared, target] = [base + SHARED, base + TARGET];
    const { kernels, edges } = room;
    kernels.drawShared(shared, target, base, edges, Math.SQRT1_2, noisy, Math.sqrt(noiseVariance), rows);
    this.column = 0;
    this.draw(base + CAUSES, 4 * CHUNK_ROWS, this.causes);
    const y = new Float64Array(buffer, target, rows);
    const causes = Array.from(this.beta, (b, j) => {
      const z = new Float32Array(buffer, base + CAUSES + 4 * CHUNK_ROWS * j, rows);
      for (let i = 0; i < rows; i++) y[i] += b * z[i];
      return z;
    });
    if (noisy === 0) {
      const own = Rng.restore({ key, state: [words[0], words[1], words[2], words[3]] });
      respond(this.study, own, { first, rows, y, shared: new Float64Array(buffer, shared, rows), causes });
      words.set(own.save().state);
    }
    this.column = 0;
  }

  /** Targets of the rows, once they have been begun. */
  get target(): Float64Array {
    return new Float64Array(this.room.buffer(DRAWS_END), this.base + TARGET, this.rows);
  }

  /** The next columns, to a place in the memory, `stride` bytes apart. */
  next(out: number, stride: number, count: number): void {
    const { base, rows, causes } = this;
    const known = Math.max(0, Math.min(count, causes - this.column));
    if (known > 0) {
      const bytes = new Uint8Array(this.room.buffer(DRAWS_END));
      for (let j = 0; j < known; j++) {
        const from = base + CAUSES + 4 * CHUNK_ROWS * (this.column + j);
        bytes.copyWithin(out + j * stride, from, from + 4 * rows);
      }
      this.column += known;
    }
    this.draw(out + known * stride, stride, count - known);
  }

  private draw(out: number, stride: number, count: number): void {
    const { base, room, rows } = this;
    room.kernels.drawColumns(out, stride, count, base + SHARED, base, room.edges, Math.SQRT1_2, rows);
    this.column += count;
  }

  /** Where the stream stands. Columns that cause the target must have been taken. */
  standing(): Standing {
    const buffer = this.room.buffer(DRAWS_END);
    return {
      column: this.column,
      state: new Int32Array(buffer, this.base, 4).slice(),
      shared: new Float64Array(buffer, this.base + SHARED, this.rows).slice(),
    };
  }

  /** Goes on where a stream stood. */
  resume(chunk: number, { column, state, shared }: Standing): void {
    this.at(chunk);
    const buffer = this.room.buffer(DRAWS_END);
    new Int32Array(buffer, this.base, 4).set(state);
    new Float64Array(buffer, this.base + SHARED, this.rows).set(shared);
    this.column = column;
  }
}
