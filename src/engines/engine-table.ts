/** Rows of an engine as a table like any other: all of them, where they are few, or those that were held out. */

import type { ReadingHints } from "../tables/judge/hints.js";
import { judgedTable } from "../tables/judge/judged-table.js";
import type { RawChunk } from "../tables/judge/raw-table.js";
import type { ColumnTable } from "../tables/table.js";
import type { Asker } from "./asker.js";
import { areTold, inBlocks } from "./in-blocks.js";
import { where } from "./question.js";
import { answerType, selected } from "./reading/judged.js";

/** Of an answer: in this order its rows come, whatever machine they come from; without one they come as they come. */
export interface Rows {
  readonly count: number;
  readonly order?: string;
}

export async function countRows(asker: Asker, purpose: string): Promise<number> {
  return (await asker.sums(purpose, { layers: [], aggregates: ["count(*)"] }))[0];
}

export function engineTable(asker: Asker, { count, order }: Rows, hints: ReadingHints): Promise<ColumnTable> {
  const { engine, conditions } = asker.rows;
  const query = (some: readonly number[]): string => {
    const list = some.map((c) => selected(asker, engine.columns[c])).join(", ");
    const ordered = order === undefined ? "" : ` ORDER BY ${[order, ...(engine.key ?? [])].join(", ")}`;
    return `SELECT ${list} FROM ${engine.table}${where(conditions)}${ordered}`;
  };
  const types = (some: readonly number[]) => some.map((c) => answerType(engine.columns[c].type));
  const real = engine.columns.map((column, c) => ({ ...column, c })).filter((column) => column.real);
  return judgedTable(
    {
      name: engine.name,
      columns: engine.columns,
      rows: count,
      async *chunks(some): AsyncIterable<RawChunk> {
        const rowsOf = (columns: readonly number[]) =>
          asker.stream("rows", query(columns), types(columns), count);
        const width = engine.limits.columns;
        const isMany = order !== undefined && some.length > width;
        if (isMany && (await areTold(asker, order, count))) yield* inBlocks(some, width, count, rowsOf);
        else yield* rowsOf(some);
      },
      async *head(some, most) {
        const first = Math.min(most, count);
        yield* asker.stream("the first rows", `${query(some)} LIMIT ${first}`, types(some), first);
      },
      async notNumbers(some) {
        const asked = real.filter(({ c }) => some.includes(c));
        const { isNaN: isNotNumber } = engine.dialect;
        const found = await asker.sums("which columns hold NaN", {
          layers: [Object.fromEntries(asked.map(({ c, value }) => [`s_raw${c}`, value]))],
          aggregates: asked.map(({ c }) => `sum(CASE WHEN ${isNotNumber(`s_raw${c}`)} THEN 1 ELSE 0 END)`),
        });
        return asked.filter((_, i) => found[i] > 0).map(({ c }) => c);
      },
    },
    { hints },
  );
}
