/** Rows that were set aside, as a table: predictions are scored on them as on those of a file. */

import type { ReadingHints } from "../tables/judge/hints.js";
import { judgedTable } from "../tables/judge/judged-table.js";
import type { RawChunk } from "../tables/judge/raw-table.js";
import type { ColumnTable } from "../tables/table.js";
import type { Asker } from "./asker.js";
import { where } from "./question.js";
import { answerType, selected } from "./reading/judged.js";
import { type AskedData, hashed } from "./reading/read.js";
import { picking } from "./sample.js";

/** More rows make a score no better. */
const MOST_ROWS = 100_000;

export async function heldOutTable(
  data: AskedData & { readonly heldOut: Asker },
  hints: ReadingHints,
  seed: number,
): Promise<ColumnTable> {
  const { engine, conditions } = data.heldOut.rows;
  const count = async (asker: Asker) =>
    (await asker.sums("how many rows are held out", { layers: [], aggregates: ["count(*)"] }))[0];
  const all = await count(data.heldOut);
  const picked = picking(data, MOST_ROWS, all, seed);
  const asker = data.heldOut.about({ engine, conditions: [...conditions, ...picked] });
  const rows = picked.length > 0 ? await count(asker) : all;
  const query = (some: readonly number[]): string => {
    const list = some.map((c) => selected(asker, engine.columns[c])).join(", ");
    const order = hashed(engine, data.key, seed, "sample");
    return `SELECT ${list} FROM ${engine.table}${where(asker.rows.conditions)} ORDER BY ${order}`;
  };
  const types = (some: readonly number[]) => some.map((c) => answerType(engine.columns[c].type));
  const chunks = (some: readonly number[]): AsyncIterable<RawChunk> =>
    asker.stream("rows that are held out", query(some), types(some), rows);
  return judgedTable(
    {
      name: engine.name,
      columns: engine.columns,
      rows,
      chunks,
      async *head(some, most) {
        const [first] = [Math.min(most, rows)];
        yield* asker.stream("the first rows that are held out", `${query(some)} LIMIT ${first}`, types(some), first);
      },
    },
    { hints },
  );
}
