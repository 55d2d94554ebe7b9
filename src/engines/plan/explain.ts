/** What a fit would ask, and about how many bytes that reads; to know it, only columns and rows are asked for. */

import { familyNamed } from "../../families/register.js";
import type { FitOptions } from "../../options/fit.js";
import { columnRoles } from "../../selection/data/columns.js";
import type { PlannedQuestions, SentQuestion } from "../../selection/run.js";
import { readingOf } from "../../tables/reading-asked.js";
import type { Engine } from "../engine.js";
import { countRows } from "../engine-table.js";
import { answerType, judged } from "../reading/judged.js";
import { everyRow } from "../reading/read.js";
import { sampleSize } from "../sample.js";
import {
  accounted,
  certifyExpandedQueries,
  certifyQueries,
  expansionQueries,
  factsQueries,
  gainsQueries,
  gramQueries,
  PURPOSES,
  sampleQueries,
  screenQueries,
} from "./planned.js";

export interface Explained {
  readonly rows: number;
  /** Rows that would come here. */
  readonly sample: number;
  /** What is asked once. */
  readonly stages: readonly ExplainedStage[];
  /** What is asked as often as the data make it necessary. */
  readonly rounds: readonly ExplainedRound[];
}

export interface ExplainedStage {
  readonly purpose: string;
  readonly queries: number;
  readonly bytes: number;
}

export interface ExplainedRound {
  readonly purpose: string;
  /** When it is asked. */
  readonly each: string;
  /** What its size counts. */
  readonly of: string;
  readonly by: readonly { readonly size: number; readonly queries: number; readonly bytes: number }[];
}

/** Sizes that are told: of models that judge, of candidates. */
const SIZES = [5, 10, 20, 40];

export async function explain(
  engine: Engine,
  options: FitOptions,
  memory: number,
  sampleRows?: number,
): Promise<Explained> {
  const asker = everyRow(engine, { signal: options.signal });
  const rows = await countRows(asker, "how many rows there are");
  const sample = sampleRows ?? sampleSize(rows, engine.columns.length, memory);
  const table = await judged(asker, readingOf(options));
  const looks = asker.sent.length - 1;
  const { predictors, target } = columnRoles(table, options);
  const used = [...predictors, target].map((c) => engine.columns[c]);
  const bytesOf = (columns: readonly { readonly bytes: number }[]): number =>
    rows * columns.reduce((sum, { bytes }) => sum + bytes, 0);
  const everything = bytesOf(used);
  const { limits } = engine;
  if (rows <= sample) {
    const purpose = "all rows, read like a file";
    const queries = Math.ceil(used.length / limits.columns);
    return { rows, sample, stages: [{ purpose, queries, bytes: everything }], rounds: [] };
  }
  const isText = ({ type }: (typeof used)[number]) => answerType(type) === "text";
  const [texts, numbers] = [used.filter(isText), used.filter((column) => !isText(column))];
  const isCrossed = !isText(engine.columns[target]);
  // Levels are met as rows are read.
  const worded = predictors.filter((c) => isText(engine.columns[c]));
  if (worded.length > 0) for await (const _ of table.chunks(worded));
  /** Levels of texts, but for one of each, as the first rows have them. */
  const levels = predictors.reduce(
    (sum, c) => sum + Math.max(0, (table.columns[c].levels?.length ?? 1) - 1),
    0,
  );
  const plain = predictors.filter((c) => !isText(engine.columns[c])).length;
  const columns = plain + levels + 1;
  const isMany = columns > limits.columns && !engine.key;
  const once = (purpose: string, queries: number, bytes: number): ExplainedStage => ({
    purpose,
    queries,
    bytes,
  });
  return {
    rows,
    sample,
    stages: [
      once("how many rows there are", 2, 0),
      once("what columns hold, by the first rows", looks, 0),
      once(PURPOSES.texts, 2 * texts.length, 2 * bytesOf(texts)),
      once("how many rows can be used", 1, 0),
      once(PURPOSES.facts, factsQueries(numbers.length, isCrossed, limits), bytesOf(numbers)),
      once("what the target is", isCrossed ? 1 : 0, bytesOf([engine.columns[target]])),
      once("how many rows the sample has", 1, 0),
      once("whether rows can be told apart", isMany ? 1 : 0, 0),
      once(PURPOSES.sample, sampleQueries(columns, limits), everything),
      // Of numbers all is known from what columns hold.
      once(
        PURPOSES.screen,
        screenQueries(isCrossed ? levels : columns, limits),
        isCrossed ? bytesOf(texts) : everything,
      ),
    ],
    rounds: roundsOf(engine, columns - 1, everything / used.length, { isCrossed, options }),
  };
}

/** Of a target of numbers products are asked for; of others the likelihood, at one place after another. */
function roundsOf(
  { limits }: Engine,
  columns: number,
  typical: number,
  { isCrossed, options: { family } }: { readonly isCrossed: boolean; readonly options: FitOptions },
): ExplainedRound[] {
  const round = (
    purpose: string,
    each: string,
    of: string,
    queries: (size: number) => number,
    read: (size: number, queries: number) => number,
  ): ExplainedRound => ({
    purpose,
    each,
    of,
    by: SIZES.map((size) => ({
      size,
      queries: queries(size),
      bytes: typical * read(size, queries(size)),
    })),
  });
  const candidates = "candidates";
  const judging = "columns in the models that judge";
  const every = (size: number, queries: number) => columns + size * queries;
  const numbers = [
    round(
      PURPOSES.gram,
      "once, and of those that join when candidates do",
      candidates,
      (size) => gramQueries(size + 1, 0, limits),
      (size, queries) => Math.min(size + 1, 2 * Math.sqrt(limits.aggregates)) * queries,
    ),
    round(
      PURPOSES.certify,
      "each round, of columns that did not judge before",
      judging,
      (size) => certifyQueries(size, columns, limits),
      every,
    ),
  ];
  const others = [
    round(
      PURPOSES.expansion,
      "each step to a mode, a few for every model that is worked out",
      "columns in the model",
      (size) => expansionQueries(size, limits),
      (size, queries) => (size + 1) * queries,
    ),
    round(
      `${PURPOSES.changes}, or ${PURPOSES.bends}`,
      "for every hundred moves from a model that is worked out",
      "columns in the model",
      () => gainsQueries(1, limits),
      (size) => size + 1,
    ),
    round(
      PURPOSES.certifyExpanded,
      "each round",
      judging,
      (size) => certifyExpandedQueries(size, columns - size, limits),
      every,
    ),
  ];
  if (!isCrossed) return others;
  if (family === undefined || family === "auto") return [...numbers, ...others];
  return familyNamed(family).quadratic ? numbers : others;
}

/** What was asked and read, in a sentence; bytes where the database counts them. */
export function askedText(
  questions: readonly SentQuestion[],
  planned: readonly PlannedQuestions[] = [],
): string {
  const read = questions.flatMap(({ read: own }) => (own ? [own] : []));
  const rows = read.reduce((sum, own) => sum + own.rows, 0);
  const bytes = read.reduce((sum, own) => sum + (own.bytes ?? 0), 0);
  const counted =
    rows === 0
      ? ""
      : `; as far as the database said, they read ${rows.toLocaleString("en-US")} rows${bytes > 0 ? ` and ${sizeText(bytes)}` : ""}`;
  const came = questions.reduce((sum, own) => sum + (own.came ?? 0), 0);
  return `${questions.length} questions were asked, each a scan of the rows in the columns that it names, and ${came.toLocaleString("en-US")} rows of answers came here${counted}\n${plannedText(questions, planned)}`;
}

/** What was planned, beside what it came to. */
function plannedText(questions: readonly SentQuestion[], planned: readonly PlannedQuestions[]): string {
  if (planned.length === 0) return "";
  const all = accounted(questions, planned).filter((own) => own.planned + own.sent > 0);
  const told = all.map(({ purpose, times, planned: expected, sent }) => {
    const rounds = times > 1 && planned.some((own) => own.purpose === purpose) ? ` in ${times} rounds` : "";
    return `  ${purpose}: ${sent} of ${expected}${rounds}`;
  });
  const more = all.reduce((sum, own) => sum + own.sent - own.planned, 0);
  const sentence =
    more === 0
      ? "As many as were planned"
      : `${more} more than planned, for names or lists of levels that are longer than one query may be`;
  return `${sentence}:\n${told.join("\n")}\n`;
}

function sizeText(bytes: number): string {
  const [unit, scale] = bytes >= 1e12 ? ["TB", 1e12] : bytes >= 1e9 ? ["GB", 1e9] : ["MB", 1e6];
  return `${(bytes / Number(scale)).toPrecision(3)} ${unit}`;
}

export function explainedText({ rows, sample, stages, rounds }: Explained): string {
  const queries = (count: number): string => `${count} ${count === 1 ? "query" : "queries"}`;
  const about = (bytes: number): string => (bytes > 0 ? `, about ${sizeText(bytes)}` : "");
  const lines = stages
    .filter(({ queries: count }) => count > 0)
    .map(({ purpose, queries: count, bytes }) => `  ${purpose}: ${queries(count)}${about(bytes)}`);
  const repeated = rounds.map(({ purpose, each, of, by }) => {
    const sizes = by.map((own) => `${own.size}: ${queries(own.queries)}${about(own.bytes)}`);
    return `  ${purpose} (${each}), by ${of}: ${sizes.join("; ")}`;
  });
  const rest =
    rounds.length === 0
      ? []
      : [
          "As often as the data make it necessary:",
          ...repeated,
          "Rows that are left out for missing values, columns that hold NaN and a target of whole numbers are asked about once more; levels are counted as the first rows have them. At the end of a run the number of queries is told beside the number that was planned.",
        ];
  const all = stages.reduce((sum, own) => sum + own.queries, 0);
  return `${rows.toLocaleString("en-US")} rows, of which ${Math.min(rows, sample).toLocaleString("en-US")} would come here. Once, ${queries(all)}:\n${[...lines, ...rest].join("\n")}\n`;
}
