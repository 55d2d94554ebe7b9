/**
 * A table whose columns are judged by their first rows: all of them where the table is short. What later rows do not
 * agree with is a `LateSurprise`, and a table that is opened again with `thorough` looks at all rows first.
 */

import type { Chunk, ColumnTable } from "../table.js";
import type { ReadingHints } from "./hints.js";
import { Judge, type JudgedColumn, type Looker } from "./judged-columns.js";
import type { RawTable } from "./raw-table.js";
import { remarkSentences } from "./remarks.js";

/** Values that are looked at, and the rows that they make. */
const SAMPLE_VALUES = 2_000_000;
const [LEAST_ROWS, MOST_ROWS] = [1000, 20_480];
/** Texts with more values than this in the first rows are counted in all rows. */
const MANY_LEVELS = 200;

export interface JudgeSettings {
  readonly hints: ReadingHints;
  /** Whether all rows are looked at before anything is decided. */
  readonly thorough?: boolean | undefined;
}

export async function judgedTable(
  raw: RawTable,
  { hints, thorough = false }: JudgeSettings,
): Promise<ColumnTable> {
  const judge = new Judge(raw.name, raw.columns, hints, raw.delimiter);
  const lookers = raw.columns.map((_, c) => judge.looker(c));
  const looking = [...raw.columns.keys()].filter((c) => lookers[c]);
  if (looking.length > 0)
    await lookAt(raw, lookers, looking, thorough ? Number.POSITIVE_INFINITY : sampleRows(raw));
  return tableOf(raw, judge.judged(await recounted(raw, judge, lookers, thorough)));
}

function sampleRows({ columns }: RawTable): number {
  return Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(SAMPLE_VALUES / columns.length)));
}

async function lookAt(
  raw: RawTable,
  lookers: readonly (Looker | undefined)[],
  which: readonly number[],
  most: number,
): Promise<void> {
  const chunks = Number.isFinite(most) && raw.head ? raw.head(which, most) : raw.chunks(which);
  let rows = 0;
  for await (const chunk of chunks) {
    const taken = Math.min(chunk.rows, most - rows);
    which.forEach((c, i) => {
      lookers[c]!.look(chunk.columns[i], taken);
    });
    rows += taken;
    if (rows >= most) break;
  }
}

/** Which values of a text are frequent takes all rows. */
async function recounted(
  raw: RawTable,
  judge: Judge,
  lookers: readonly (Looker | undefined)[],
  thorough: boolean,
): Promise<(Looker | undefined)[]> {
  const again = [...lookers];
  const most = sampleRows(raw);
  const many = [...lookers.keys()].filter((c) => {
    const { tally } = lookers[c] ?? {};
    return (
      tally &&
      !thorough &&
      tally.rows >= most &&
      tally.words.size > MANY_LEVELS &&
      tally.cells.size < tally.filled
    );
  });
  if (many.length === 0) return again;
  for (const c of many) again[c] = judge.looker(c);
  await lookAt(raw, again, many, Number.POSITIVE_INFINITY);
  return again;
}

function tableOf(raw: RawTable, judged: readonly JudgedColumn[]): ColumnTable {
  const { name, rows, bytes, target, group, notes = [] } = raw;
  return {
    by: "columns",
    name,
    columns: judged.map(({ column }) => column),
    ...(rows !== undefined && { rows }),
    ...(bytes !== undefined && { bytes }),
    ...(target !== undefined && { target }),
    ...(group !== undefined && { group }),
    remarks: (columns) => [...notes, ...remarkSentences(columns.flatMap((c) => judged[c].remarks))],
    async *chunks(wanted): AsyncIterable<Chunk> {
      let first = 0;
      for await (const chunk of raw.chunks(wanted)) {
        const columns = wanted.map((c, i) => judged[c].convert(chunk.columns[i], chunk.rows, first));
        first += chunk.rows;
        yield { rows: chunk.rows, columns, ...(chunk.share !== undefined && { share: chunk.share }) };
      }
    },
    async notNumbers(some) {
      const cells = some.filter((c) => judged[c].metNaN);
      return [...cells, ...((await raw.notNumbers?.(some.filter((c) => !cells.includes(c)))) ?? [])];
    },
    close: () => raw.close?.(),
  };
}
