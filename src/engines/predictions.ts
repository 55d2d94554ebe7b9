/**
 * Predictions for the rows of an engine. All of them at once, where they go to a file; or in portions that go back into a
 * database as they come, so that no more than a portion is ever here.
 */

import type { PredictOptions } from "../options/predict.js";
import {
  type AnyPredictor,
  type AnyPredictResult,
  groupsOf,
  knownReading,
  predictWith,
  usedColumns,
} from "../prediction/any-predictor.js";
import { readingOf } from "../tables/reading-asked.js";
import type { ColumnTable } from "../tables/table.js";
import type { Asker } from "./asker.js";
import type { Engine } from "./engine.js";
import { countRows, engineTable } from "./engine-table.js";
import { everyRow, hashed, keyOf } from "./reading/read.js";
import { SCORED, telling } from "./run-engine.js";
import { picking } from "./sample.js";

/** A table in a database that appears whole or not at all. */
export interface WrittenTable {
  /** Columns by name, all equally long; the first ones say what the table holds. */
  append(columns: WrittenColumns): Promise<void>;
  publish(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

export type WrittenColumns = Readonly<Record<string, WrittenValues>>;
export type WrittenValues = ArrayLike<number> | readonly string[];

/** Rows that are predicted and sent at a time. */
const PORTION = 50_000;

type Asked = Pick<PredictOptions, "id" | "signal" | "onProgress">;

function asked(engine: Engine, predictor: AnyPredictor, options: PredictOptions) {
  const asker = everyRow(engine, { signal: options.signal, onRead: telling(options) });
  return { asker, hints: { ...knownReading(predictor, options), ...readingOf(options) } };
}

/** Of all rows, in an order that depends on their values alone. */
export async function predictAsked(
  engine: Engine,
  predictor: AnyPredictor,
  options: PredictOptions,
): Promise<AnyPredictResult> {
  const { asker, hints } = asked(engine, predictor, options);
  const count = await countRows(asker, "how many rows there are");
  const order = hashed(engine, engine.key ?? keyOf(engine, [...engine.columns.keys()]), 1, "order");
  return predictWith(predictor, await engineTable(asker, { count, order }, hints), options);
}

/** Into a table; the scores, where the rows hold the target, are those of some of them. */
export async function predictInto(
  engine: Engine,
  predictor: AnyPredictor,
  to: WrittenTable,
  options: PredictOptions,
): Promise<Pick<AnyPredictResult, "rows" | "scores">> {
  const { asker, hints } = asked(engine, predictor, options);
  const { id = [], signal } = options;
  const count = await countRows(asker, "how many rows there are");
  const table = await engineTable(asker, { count }, hints);
  let rows = 0;
  try {
    for await (const portion of portions(
      table,
      usedColumns(predictor, table, [...id, ...groupsOf(predictor)]),
    )) {
      signal?.throwIfAborted();
      const {
        rows: own,
        scores: _,
        notes: __,
        id: names = {},
        ...predicted
      } = await predictWith(predictor, portion, { id, signal } satisfies Asked);
      await to.append({ ...names, ...predicted });
      rows += own;
      options.onProgress?.({ stage: "predict", done: rows, total: count });
    }
    const scores = await scoresOf(asker, predictor, count, options);
    await to.publish();
    return { rows, ...(scores && { scores }) };
  } catch (error) {
    await to.discard();
    throw error;
  }
}

async function scoresOf(
  asker: Asker,
  predictor: AnyPredictor,
  rows: number,
  options: PredictOptions,
): Promise<AnyPredictResult["scores"]> {
  const { engine, conditions } = asker.rows;
  if (!engine.columns.some(({ name }) => name === predictor.target)) return undefined;
  const key = engine.key ?? keyOf(engine, [...engine.columns.keys()]);
  const some = asker.about({
    engine,
    conditions: [...conditions, ...picking({ asker, key }, SCORED, rows, 1)],
  });
  const count = await countRows(some, "how many of them are scored");
  const hints = { ...knownReading(predictor, options), ...readingOf(options) };
  return (await predictWith(predictor, await engineTable(some, { count }, hints), { signal: options.signal }))
    .scores;
}

/** Rows of some columns as tables of their own, each good until the next. */
async function* portions(table: ColumnTable, columns: readonly number[]): AsyncGenerator<ColumnTable> {
  let held: Float64Array[] = [];
  let rows = 0;
  const portion = (): ColumnTable => {
    const [own, count] = [held, rows];
    return {
      by: "columns",
      name: table.name,
      columns: table.columns,
      rows: count,
      *chunks(wanted) {
        yield { rows: count, columns: wanted.map((c) => own[columns.indexOf(c)]) };
      },
    };
  };
  // A model without variables still has rows.
  const read = columns.length > 0 ? columns : [0];
  for await (const chunk of table.chunks(read)) {
    if (rows === 0) held = read.map(() => new Float64Array(PORTION + chunk.rows));
    if (rows + chunk.rows > held[0].length) {
      held = held.map((values) => {
        const larger = new Float64Array(rows + chunk.rows);
        larger.set(values.subarray(0, rows));
        return larger;
      });
    }
    chunk.columns.forEach((values, c) => {
      for (let i = 0; i < chunk.rows; i++) held[c][rows + i] = values[i];
    });
    rows += chunk.rows;
    if (rows < PORTION) continue;
    yield portion();
    rows = 0;
  }
  if (rows > 0) yield portion();
}
