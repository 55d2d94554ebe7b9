/**
 * A table whose columns are judged by their first rows: all of them where the table is short. What later rows do not
 * agree with is a `LateSurprise`, and a table that is opened again with `thorough` looks at all rows first.
 */

import { span } from "../../profile.js";
import type { ApartTable, ColumnsApart } from "../parquet/columns/apart.js";
import type { ColumnIndex } from "../parquet/columns/column-index.js";
import type { Chunk, ColumnTable } from "../table.js";
import type { ReadingHints } from "./hints.js";
import { isCalledAnIdentifier } from "./identifiers.js";
import { MAX_LEVELS } from "./judge-levels.js";
import { Judge, type JudgedColumn, type Looker } from "./judged-columns.js";
import type { RawTable } from "./raw-table.js";
import { remarkSentences } from "./remarks.js";

/** Values that are looked at, and the rows that they make. */
const SAMPLE_VALUES = 2_000_000;
const [LEAST_ROWS, MOST_ROWS] = [1000, 20_480];

export interface JudgeSettings {
  readonly hints: ReadingHints;
  /** Whether all rows are looked at before anything is decided. */
  readonly thorough?: boolean | undefined;
}

export function judgedTable(raw: RawTable, settings: JudgeSettings): Promise<ColumnTable> {
  return span("judging columns", () => judged(raw, settings));
}

async function judged(raw: RawTable, { hints, thorough = false }: JudgeSettings): Promise<ColumnTable> {
  const judge = new Judge(raw.name, raw.columns, hints, raw.delimiter);
  const lookers = lookersOf(raw, judge);
  const looking = [...raw.columns.keys()].filter((c) => lookers[c]);
  if (looking.length > 0)
    await lookAt(raw, lookers, looking, thorough ? Number.POSITIVE_INFINITY : sampleRows(raw));
  return tableOf(raw, judge.judged(await recounted(raw, judge, lookers, thorough)));
}

/** Of more columns of whole numbers only some can name their row: the first ones, and those that are called so. */
const MANY_NUMBERS = 1000;
const FIRST_COLUMNS = 100;

function lookersOf({ columns }: RawTable, judge: Judge): (Looker | undefined)[] {
  const isMany = columns.filter(({ type }) => type === "integer").length > MANY_NUMBERS;
  return columns.map(({ name, type }, c) => {
    const isPlain = isMany && type === "integer" && c >= FIRST_COLUMNS && !isCalledAnIdentifier(name);
    const looker = judge.looker(c);
    return isPlain && looker?.wholes ? undefined : looker;
  });
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
      tally.words.size > MAX_LEVELS &&
      tally.cells.size < tally.filled
    );
  });
  if (many.length === 0) return again;
  for (const c of many) again[c] = judge.looker(c);
  await lookAt(raw, again, many, Number.POSITIVE_INFINITY);
  return again;
}

function tableOf(raw: RawTable, judged: readonly JudgedColumn[]): ApartTable {
  const { name, rows, bytes, target, group, notes = [] } = raw;
  /** Which columns were read apart from others, and which of them held NaN. */
  let met: { readonly read: ReadonlySet<number>; readonly found: ReadonlySet<number> } | undefined;
  const apartOf = (index: ColumnIndex, columns: readonly number[]): ColumnsApart | undefined => {
    if (!columns.every((c) => judged[c].isPlain && index.columns[c])) return undefined;
    return {
      index,
      check() {},
      met: (found) => {
        met = { read: new Set(columns), found: new Set(found) };
      },
    };
  };
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
    ...(raw.index && { apart: (columns: readonly number[]) => apartOf(raw.index!, columns) }),
    async notNumbers(some) {
      if (met && some.every((c) => met!.read.has(c))) return some.filter((c) => met!.found.has(c));
      const cells = some.filter((c) => judged[c].metNaN);
      return [...cells, ...((await raw.notNumbers?.(some.filter((c) => !cells.includes(c)))) ?? [])];
    },
    close: () => raw.close?.(),
  };
}
