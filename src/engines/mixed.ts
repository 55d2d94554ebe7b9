/** A mixed model of data that stay where they are: sums of products by group are asked, and nothing else. */

import { SparrowError } from "../errors.js";
import { type MixedRun, mixedTable } from "../mixed/mixed-table.js";
import type { MixedOptions } from "../mixed/options.js";
import { mixedReading } from "../mixed/rows/rows-table.js";
import type { ColumnTable } from "../tables/table.js";
import { option } from "../wording.js";
import type { Crew } from "../workers/crew.js";
import type { Engine } from "./engine.js";
import { countRows, engineTable } from "./engine-table.js";
import { groupedAsked } from "./grouped.js";
import { everyRow, hashed, keyOf } from "./reading/read.js";
import { telling } from "./run-engine.js";

/** Rows that are read where the model needs them themselves. */
const MOST_ROWS = 1_000_000;

export async function mixedEngine(
  engine: Engine,
  options: Partial<MixedOptions>,
  crew?: Crew,
  mostRows = MOST_ROWS,
): Promise<MixedRun> {
  const asker = everyRow(engine, { signal: options.signal, onRead: telling(options) });
  const count = await countRows(asker, "how many rows there are");
  const order = hashed(engine, engine.key ?? keyOf(engine, [...engine.columns.keys()]), 1, "order");
  const table = await engineTable(asker, { count, order }, mixedReading(options));
  const { engine: _, where: __, query: ___, ...others } = options;
  return mixedTable(
    count > mostRows ? unreadable(table, count, mostRows) : table,
    others,
    crew,
    groupedAsked(asker),
  );
}

/** Several groupings, weights, classes and counts work on the rows themselves. */
function unreadable(table: ColumnTable, count: number, most: number): ColumnTable {
  return {
    ...table,
    chunks() {
      throw new SparrowError(
        `Such a model works on the rows themselves, and the ${count} of ${table.name} are too many to come here (${most} may); sums by group suffice for a target of plain numbers and one ${option("group")}, or leave rows out with ${option("where")}.`,
        "data",
      );
    },
  };
}
