/** The same file through both doors: that of Node, and that of a page. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { withTable as inPage } from "../../src/browser/with-table.js";
import { SparrowError } from "../../src/errors.js";
import { withTable as inNode } from "../../src/node/open.js";
import { describeTable } from "../../src/selection/describe/describe.js";
import { type ReadingAsked, readingOf } from "../../src/tables/reading-asked.js";
import type { Table } from "../../src/tables/table.js";

export type Asked = ReadingAsked & { readonly target?: string };

/** All that a table says and holds; numbers as texts, so that NaN is like NaN. */
async function everything(table: Table) {
  if (table.by === "entries") {
    const rows: string[] = [];
    for await (const { rows: count, starts, target, columns, values } of table.chunks()) {
      for (let i = 0; i < count; i++) {
        const entries = Array.from(columns.subarray(starts[i], starts[i + 1]), (column, e) => [
          column,
          values[starts[i] + e],
        ]);
        rows.push(JSON.stringify([target[i], entries]));
      }
    }
    return { target: table.target, rows };
  }
  const readable = [...table.columns.keys()].filter((c) => table.columns[c].problem === undefined);
  const values: string[][] = readable.map(() => []);
  for await (const chunk of table.chunks(readable)) {
    values.forEach((column, i) => {
      for (let row = 0; row < chunk.rows; row++) column.push(String(chunk.columns[i][row]));
    });
  }
  return {
    columns: table.columns.map(({ levels, ...column }) => ({ ...column, levels: levels && [...levels] })),
    values,
    remarks: table.remarks?.(readable),
    notNumbers: await table.notNumbers?.(readable),
    asked: table.asked,
  };
}

const described = (target: string | undefined) => (table: Table) =>
  describeTable(table, target === undefined ? {} : { target });

/** What comes of it, or what is said instead, without the name of the file. */
async function told(name: string, work: () => Promise<unknown>): Promise<unknown> {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(name, "FILE")) as unknown;
  try {
    return plain(await work());
  } catch (error) {
    if (!(error instanceof SparrowError)) throw error;
    return plain({ says: error.commandLine, code: error.code });
  }
}

/** What both make of a file: as a table, and, where a description is asked for, in words. */
export async function bothDoors(path: string, asked: Asked = {}, isDescribed = false) {
  const name = basename(path);
  const blob = () => Object.assign(new Blob([readFileSync(path)]), { name });
  const settings = readingOf(asked);
  const describing = described(asked.target);
  return {
    node: [
      await told(path, () => inNode(path, settings, everything)),
      ...(isDescribed ? [await told(path, () => inNode(path, settings, describing))] : []),
    ],
    page: [
      await told(name, () => inPage(blob(), settings, everything)),
      ...(isDescribed ? [await told(name, () => inPage(blob(), settings, describing))] : []),
    ],
  };
}
