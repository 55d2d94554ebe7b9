/** Reads a table by entries, row by row. A column is a number; what has no entry is zero, so nothing is missing. */

import { TargetEvidence } from "../../families/evidence.js";
import type { EntryTable, SparseChunk, TableColumn } from "../../tables/table.js";
import { type ColumnFacts, emptyFacts, Shift } from "./column-facts.js";
import { entryBlocks } from "./entry-blocks.js";
import { EntryFacts } from "./entry-facts.js";
import type { EntryStage } from "./entry-rows.js";
import { type Imported, type ReadSettings, readTable } from "./read-table.js";

export interface EntrySettings extends ReadSettings {
  readonly table: EntryTable;
  /** Which of the columns, given by name, are wanted; called once all have been seen. */
  readonly choose: (columns: readonly TableColumn[]) => readonly number[];
}

/** All that the encoding asks of these columns is whether they vary: with millions of them, two facts do for all. */
const VARYING: Readonly<ColumnFacts> = { ...emptyFacts(), only: undefined };
const CONSTANT: Readonly<ColumnFacts> = { ...emptyFacts(), only: 0 };

/** Close the stage when the blocks have been laid out. */
export function readEntries(settings: EntrySettings, stage: EntryStage): Promise<Imported> {
  const { table } = settings;
  const facts = new EntryFacts(table);
  const target = new TargetEvidence();
  const targetShift = new Shift();
  let wanted: readonly number[] = [];
  return readTable(
    {
      table,
      missing: "error",
      plain: false,
      chunks: () => table.chunks(),
      take(chunk: SparseChunk) {
        facts.look(chunk);
        stage.append(chunk);
        for (let i = 0; i < chunk.rows; i++) {
          target.look(chunk.target[i]);
          targetShift.look(chunk.target[i]);
        }
      },
      end(rows) {
        facts.checkColumns();
        const columns = Array.from(
          { length: facts.columns },
          (_, j): TableColumn => ({ name: String(j + 1) }),
        );
        columns.push({ name: table.target });
        wanted = settings.choose(columns);
        return {
          table: { name: table.name, columns },
          columns: [...wanted, facts.columns],
          numbered: true,
          reading: {
            rows,
            withoutTarget: 0,
            withoutPredictor: 0,
            facts: [
              ...wanted.map((j) => (facts.isConstant(j) ? CONSTANT : VARYING)),
              { ...(target.values.length === 1 ? CONSTANT : VARYING), shift: targetShift.value },
            ],
            target,
          },
        };
      },
      blocks: (shuffled, { sources }, plan) =>
        entryBlocks(
          shuffled,
          facts,
          sources.map(({ staged }) => wanted[staged]),
          plan,
        ),
    },
    stage,
    settings,
  );
}
