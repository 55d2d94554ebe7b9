/**
 * What comes of a case. Right: as it must be, by an independent look. Refused: one clear sentence. Taken: read, where
 * nothing tells what would be right. Wrong: other numbers than are there, without a word. Broken: an error that was
 * not meant for people.
 */

import { SparrowError } from "../src/errors.js";
import type { Rng } from "../src/math/rng.js";
import type { ColumnTable, Table } from "../src/tables/table.js";

export type Verdict = "right" | "refused" | "taken" | "wrong" | "broken";

export interface Outcome {
  readonly verdict: Verdict;
  readonly words: string;
}

export interface Place {
  readonly corpus: string;
  /** A folder for the files of a case. */
  readonly scratch: string;
}

export const right: Outcome = { verdict: "right", words: "" };
export const taken: Outcome = { verdict: "taken", words: "" };
export const wrong = (words: string): Outcome => ({ verdict: "wrong", words });

/** An error is meant for people, in one sentence without anything that a terminal obeys, or it is a fault of ours. */
function refused(error: unknown): Outcome {
  const words = error instanceof Error ? error.message : String(error);
  const fine = error instanceof SparrowError && /[.?]$/.test(words) && !/^Internal|Assertion/.test(words);
  return { verdict: fine ? "refused" : "broken", words };
}

export async function judged(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    return refused(error);
  }
}

export type Case = (rng: Rng, place: Place) => Promise<Outcome>;

/** All numbers of a table, as a text that two readings share only where they agree. */
export async function readThrough(table: Table): Promise<string> {
  if (table.by === "columns") {
    const { rows, numbers } = await numbersIn(table);
    return `${rows} ${JSON.stringify([...numbers])}`;
  }
  const parts: string[] = [];
  try {
    for await (const chunk of table.chunks()) {
      for (let i = 0; i < chunk.rows; i++) {
        const entries: string[] = [];
        for (let e = chunk.starts[i]; e < chunk.starts[i + 1]; e++) {
          entries.push(`${chunk.columns[e] + 1}:${chunk.values[e]}`);
        }
        parts.push([chunk.target[i], ...entries].join(" "));
      }
    }
  } finally {
    table.close?.();
  }
  return parts.join("\n");
}

/** The values of all columns that can be read, by name, and which of them are plain numbers. */
export async function numbersIn(table: ColumnTable): Promise<{
  readonly rows: number;
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  readonly isPlain: (name: string) => boolean;
}> {
  const readable = table.columns.flatMap(({ problem }, i) => (problem === undefined ? [i] : []));
  const values = readable.map((): number[] => []);
  let rows = 0;
  try {
    if (readable.length > 0) {
      for await (const chunk of table.chunks(readable)) {
        rows += chunk.rows;
        for (const [i, into] of values.entries())
          for (let row = 0; row < chunk.rows; row++) into.push(chunk.columns[i][row]);
      }
    }
  } finally {
    table.close?.();
  }
  const plain = new Set(
    table.columns.flatMap(({ name, kind = "number", reading }) =>
      kind === "number" && reading === undefined ? [name] : [],
    ),
  );
  return {
    rows,
    numbers: new Map(readable.map((c, i) => [table.columns[c].name, values[i]])),
    isPlain: (name) => plain.has(name),
  };
}
