/** Columns that go with the predictions as they are: what names a row, so that it can be found again. */

import { SparrowError } from "../errors.js";
import { labelOf } from "../tables/labels.js";
import { noColumn } from "../tables/named/no-column.js";
import type { Table } from "../tables/table.js";
import { option } from "../wording.js";
import { matchColumns } from "./match-columns.js";

/** Their texts by name, empty where a row has none. */
export async function carriedOver(
  table: Table,
  names: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (table.by !== "columns") {
    throw new SparrowError(`${table.name} has no columns with names to carry over.`, "column");
  }
  const known = table.columns.map(({ name }) => name);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) throw noColumn(table.name, stranger, known, option("id"));
  const places = matchColumns(table, names);
  const carried = names.map((): string[] => []);
  for await (const { rows, columns } of table.chunks(places)) {
    columns.forEach((values, c) => {
      for (let i = 0; i < rows; i++) {
        carried[c].push(Number.isNaN(values[i]) ? "" : labelOf(table.columns[places[c]], values[i]));
      }
    });
  }
  return Object.fromEntries(names.map((name, c) => [name, carried[c]]));
}
