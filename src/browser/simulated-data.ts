/** Data that are made in the page, a chunk of rows at a time as they are asked for. */

import { type Simulation, simulatedTable } from "../experiments/simulated.js";
import type { ColumnTable } from "../tables/table.js";

/** What `describe`, `fit`, `run` and `compare` take in the place of a file. */
export class SimulatedData {
  constructor(
    /** What the data are called. */
    readonly name: string,
    /** As `sparrow simulate` makes them. */
    readonly simulation: Simulation,
  ) {}

  table(): ColumnTable {
    return { ...simulatedTable(this.simulation), name: this.name };
  }
}
