/** Sends questions, in as many queries as an engine's limits make of them, and keeps what was sent. */

import { SparrowError } from "../errors.js";
import type { PlannedQuestions, SentQuestion } from "../selection/run.js";
import type { RawChunk } from "../tables/judge/raw-table.js";
import type { AnswerType, Read } from "./engine.js";
import { type Layer, OWN_NAMES, type Question, questionSql, type RowsAsked } from "./question.js";
import { Repeated } from "./repeated.js";

export interface Asker {
  readonly rows: RowsAsked;
  /** Everything so far. */
  readonly sent: readonly SentQuestion[];
  /** What was planned of it. */
  readonly planned: readonly PlannedQuestions[];
  /** Says how many queries will be asked for something, before they are. */
  plan(purpose: string, queries: number): void;
  /** Sums that are known already: what is asked again is compared with them. */
  knows(question: Question, values: ArrayLike<number>): void;
  /** Aggregates over all rows, in their order. */
  sums(purpose: string, question: Question): Promise<Float64Array>;
  /** Few rows of any query. */
  all(purpose: string, sql: string, types: readonly AnswerType[]): Promise<(number | string | null)[][]>;
  /** Many rows, of which it is known how many. */
  stream(
    purpose: string,
    sql: string,
    types: readonly AnswerType[],
    expected: number,
  ): AsyncIterable<RawChunk>;
  /** The same asker about other rows, with one record of what was sent. */
  about(rows: RowsAsked): Asker;
  /** From now on every answer must come from so many rows. */
  expect(rows: number): void;
}

export interface AskerSettings {
  readonly signal?: AbortSignal | undefined;
  /** Hears what is being asked, and what it has read so far: nothing at first. */
  readonly onRead?: ((sent: SentQuestion, number: number, read: Read) => void) | undefined;
}

/** What an asker and those about other rows share. */
interface Kept {
  readonly sent: SentQuestion[];
  readonly planned: PlannedQuestions[];
}

export function asker(
  rows: RowsAsked,
  settings: AskerSettings = {},
  kept: Kept = { sent: [], planned: [] },
): Asker {
  const { engine } = rows;
  const { sent, planned } = kept;
  let expected: number | undefined;
  const repeated = new Repeated();
  const { signal } = settings;
  /** Notes a question; whoever answers it tells the returned listener what it takes. */
  const note = (own: SentQuestion): ((read: Read) => void) => {
    signal?.throwIfAborted();
    const number = sent.push(own);
    settings.onRead?.(own, number, { rows: 0 });
    return (read) => {
      const { rows: count, bytes } = read;
      const known = { rows: count, ...(bytes !== undefined && { bytes }) };
      sent[number - 1] = { ...sent[number - 1], read: known };
      settings.onRead?.(own, number, read);
    };
  };
  const all: Asker["all"] = async (purpose, sql, types) => {
    const onRead = note({ purpose, sql });
    const place = sent.length - 1;
    const out: (number | string | null)[][] = [];
    for await (const chunk of engine.rows(sql, types, { signal, onRead })) {
      for (let i = 0; i < chunk.rows; i++) out.push(chunk.columns.map((values) => values[i] ?? null));
    }
    sent[place] = { ...sent[place], came: out.length };
    return out;
  };
  return {
    rows,
    sent,
    planned,
    all,
    plan: (purpose, queries) => void planned.push({ purpose, queries }),
    knows: (question, values) => void repeated.changed(question, values, expected ?? 0),
    async sums(purpose, { layers, aggregates }) {
      const sums = new Float64Array(aggregates.length);
      const { aggregates: most, letters } = engine.limits;
      for (let from = 0, size = 0; from < aggregates.length; from += size) {
        let some: readonly string[];
        let used: Layer[];
        let sql: string;
        // Long names and long lists of levels may make a query longer than it may be, however few its aggregates.
        for (size = Math.min(most, aggregates.length - from); ; size = size >> 1) {
          some = aggregates.slice(from, from + size);
          used = usedLayers(layers, some);
          sql = questionSql(rows, { layers: used, aggregates: some });
          const words = engine.limits.words === undefined ? 0 : expandedWords(used, some);
          if ((sql.length <= letters && words <= (engine.limits.words ?? 0)) || size === 1) break;
        }
        const types = Array.from({ length: some.length + 1 }, () => "number" as const);
        const answers = await all(purpose, sql, types);
        // More than one row would be words of a fault that happen to look like numbers.
        if (answers.length !== 1)
          throw new SparrowError(
            `${engine.name} gave no answer to a question for sums; start again.`,
            "data",
          );
        const [answer] = answers;
        const [count, ...values] = answer as number[];
        if (expected !== undefined && count !== expected) throw changed(engine.name, expected, count);
        if (repeated.changed({ layers: used, aggregates: some }, values, count) !== undefined)
          throw changedInPlace(engine.name);
        sums.set(values, from);
      }
      return sums;
    },
    stream(purpose, sql, types, expectedRows) {
      const onRead = note({ purpose, sql, came: expectedRows });
      return engine.rows(sql, types, { signal, expected: expectedRows, onRead });
    },
    about: (others) => asker(others, settings, kept),
    expect(count) {
      expected = count;
    },
  };
}

/** Never a mixture of two tables. */
export function changed(name: string, expected: number, found: number): SparrowError {
  return new SparrowError(
    `${name} changed while it was being asked: it had ${expected} rows and now has ${found}; start again once it rests.`,
    "data",
  );
}

function changedInPlace(name: string): SparrowError {
  return new SparrowError(
    `${name} changed while it was being asked: it has as many rows as before, but not the same values; start again once it rests.`,
    "data",
  );
}

/** Only what a query needs is named in it: an engine reads every column that it sees. */
export function usedLayers(layers: readonly Layer[], aggregates: readonly string[]): Layer[] {
  let wanted = namesIn(aggregates);
  const kept: Layer[] = [];
  for (const layer of [...layers].reverse()) {
    const own = Object.entries(layer).filter(([name]) => wanted.has(name));
    wanted = new Set([...wanted, ...namesIn(own.map(([, sql]) => sql))]);
    kept.unshift(Object.fromEntries(own));
  }
  return kept;
}

/** Words of the aggregates with every name replaced by what it stands for, through all layers. */
export function expandedWords(layers: readonly Layer[], aggregates: readonly string[]): number {
  const sizes = new Map<string, number>();
  const size = (sql: string): number => {
    let words = 0;
    for (const [word] of sql.matchAll(/[\w.]+/g)) words += sizes.get(word) ?? 1;
    return words;
  };
  for (const layer of layers) {
    const own = Object.entries(layer).map(([name, sql]) => [name, size(sql)] as const);
    for (const [name, words] of own) sizes.set(name, words);
  }
  return aggregates.reduce((sum, sql) => sum + size(sql), 0);
}

/** What is quoted may hold anything, ours among them: a name too many does no harm. */
function namesIn(expressions: readonly string[]): Set<string> {
  return new Set(expressions.flatMap((sql) => sql.match(OWN_NAMES) ?? []));
}
