/** What the columns of an engine are: judged by the first rows, by the same judge as those of a file. */

import { SparrowError } from "../../errors.js";
import type { ReadingHints } from "../../tables/judge/hints.js";
import { judgedTable } from "../../tables/judge/judged-table.js";
import type { RawChunk, RawType } from "../../tables/judge/raw-table.js";
import type { ColumnTable, TableColumn } from "../../tables/table.js";
import { option } from "../../wording.js";
import type { Asker } from "../asker.js";
import type { AnswerType, EngineColumn } from "../engine.js";
import { where } from "../question.js";

export const answerType = (type: RawType): AnswerType =>
  type === "cells" || type === "words" ? "text" : "number";

/** As an answer has it. */
export function selected({ rows: { engine } }: Asker, column: EngineColumn): string {
  const { dialect } = engine;
  return answerType(column.type) === "text" ? dialect.text(column.value) : dialect.number(column.value);
}

/** A table whose columns are known and whose rows are never read: `chunks` are its first rows. */
export function judged(asker: Asker, hints: ReadingHints): Promise<ColumnTable> {
  const { engine, conditions } = asker.rows;
  const first = async function* (some: readonly number[], most: number): AsyncIterable<RawChunk> {
    const columns = some.map((c) => engine.columns[c]);
    const list = columns.map((column) => selected(asker, column)).join(", ");
    const sql = `SELECT ${list} FROM ${engine.table}${where(conditions)} LIMIT ${most}`;
    const rows = await asker.all(
      "what columns hold, by the first rows",
      sql,
      columns.map(({ type }) => answerType(type)),
    );
    yield {
      rows: rows.length,
      columns: some.map((_, i) => rows.map((row) => row[i])) as RawChunk["columns"],
    };
  };
  return judgedTable(
    {
      name: engine.name,
      columns: engine.columns,
      head: first,
      chunks: (some) => first(some, MOST_ROWS),
    },
    { hints },
  );
}

const MOST_ROWS = 20_480;

/** What a file's reader makes of cells, a question cannot: such columns are refused, with what to do about them. */
export function refuseUnlike(name: string, raw: EngineColumn, column: TableColumn): void {
  const fail = (problem: string): never => {
    throw new SparrowError(`${name}: column "${raw.name}" ${problem}`, "column");
  };
  const leaveOut = `or leave it out with ${option("exclude", [raw.name])}`;
  const { kind = "number", reading } = column;
  const isText = answerType(raw.type) === "text";
  if (isText && kind !== "text") {
    fail(
      `is text that holds ${PLURAL[kind]}; make ${PLURAL[kind]} of it in the database, take it for words with ${option("text", [raw.name])}, ${leaveOut}.`,
    );
  }
  if (!isText && kind === "text") {
    fail(`holds numbers; make texts of them in the database where they are names, ${leaveOut}.`);
  }
  if (isText && reading?.as === "text" && reading.other !== undefined) {
    fail(
      `has too many different values to be categories; keep the frequent ones in the database, ${leaveOut}.`,
    );
  }
  if (!isText && reading !== undefined) {
    fail(
      `looks like moments; make dates of it in the database, take it for numbers with ${option("number", [raw.name])}, ${leaveOut}.`,
    );
  }
}

const PLURAL = { number: "numbers", boolean: "booleans", date: "dates", text: "words" } as const;
