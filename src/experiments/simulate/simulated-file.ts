/** What every job that writes simulated data is told: the data, the file, and what to call it in sentences. */

import { writing } from "../../errors.js";
import { writeAll } from "../../store/build/write-all.js";
import { CHUNK_ROWS, type Simulation } from "../simulated.js";

export interface SimulatedFile {
  readonly simulation: Simulation;
  /** The number of the open file, which all threads of the process share. */
  readonly file: number;
  readonly called: string;
}

/** As much as a job needs to know. */
export const told = ({ simulation, file, called }: SimulatedFile): SimulatedFile => ({
  simulation,
  file,
  called,
});

export function put({ file, called }: SimulatedFile, bytes: Uint8Array, at: number): void {
  writing(called, () => writeAll(file, bytes, at));
}

export const chunksOf = ({ rows }: Simulation): number => Math.ceil(rows / CHUNK_ROWS);

/** z1, z2, … and, last, y. */
export const columnName = ({ columns }: Simulation, column: number): string =>
  column < columns ? `z${column + 1}` : "y";

/** [first, last) of pieces of a range, none longer than `most`. */
export function pieces(length: number, most: number): { first: number; last: number }[] {
  return Array.from({ length: Math.ceil(length / most) }, (_, i) => ({
    first: i * most,
    last: Math.min(length, (i + 1) * most),
  }));
}
