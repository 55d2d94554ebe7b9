import { withTable } from "../../node/open.js";
import { count } from "../../report/text/numbers.js";
import type { Table } from "../../tables/table.js";
import type { Verified } from "./verified.js";

export interface Looking {
  readonly memory?: number | undefined;
  readonly signal: AbortSignal;
  readonly onRows: (done: number) => void;
}

/** Data from the first row to the last, as a fit would read them. */
export async function verifyData(path: string, { memory, signal, onRows }: Looking): Promise<Verified> {
  return withTable(path, { memory, signal }, async (table) => {
    const { rows, missing, looked, texts } = await readThrough(table, signal, onRows);
    const columns = table.by === "columns" ? `, ${count(table.columns.length, "column")}` : "";
    const packed = /\.(gz|zst|bz2|xz)$/i.test(path);
    return {
      path,
      kind: "data",
      found: `Data: ${count(rows, "row")}${columns}`,
      checked: [
        `Every row was read to the end: ${count(looked, "number")}, ${missing} of them missing.`,
        ...(packed
          ? ["The packed file is whole, and has the checksum that it carries, if it carries one."]
          : []),
      ],
      unchecked: [
        ...(texts.length > 0 ? [`What the texts say: ${texts.join(", ")}.`] : []),
        "Whether these are the data that were meant: such files carry no checksum of their content.",
      ],
    };
  });
}

async function readThrough(table: Table, signal: AbortSignal, onRows: (done: number) => void) {
  let [rows, missing, looked] = [0, 0, 0];
  const told = (more: number): void => {
    signal.throwIfAborted();
    rows += more;
    onRows(rows);
  };
  if (table.by === "entries") {
    for await (const chunk of table.chunks()) {
      looked += chunk.values.length;
      told(chunk.rows);
    }
    return { rows, missing, looked, texts: [] };
  }
  const isText = table.columns.map(({ kind, problem }) => kind === "text" || problem !== undefined);
  const numbers = table.columns.map((_, i) => i).filter((i) => !isText[i]);
  // Rows are counted by a column, whichever there is.
  for await (const chunk of table.chunks(numbers.length > 0 ? numbers : [0])) {
    if (numbers.length > 0) {
      for (const values of chunk.columns) {
        for (let i = 0; i < chunk.rows; i++) if (Number.isNaN(values[i])) missing += 1;
      }
      looked += chunk.rows * chunk.columns.length;
    }
    told(chunk.rows);
  }
  return { rows, missing, looked, texts: table.columns.filter((_, i) => isText[i]).map(({ name }) => name) };
}
