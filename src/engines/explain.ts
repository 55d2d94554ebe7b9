/** What a fit would ask, and about how many bytes that reads; to know it, only columns and rows are asked for. */

import type { FitOptions } from "../options/fit.js";
import { columnRoles } from "../selection/data/columns.js";
import type { SentQuestion } from "../selection/run.js";
import { readingOf } from "../tables/reading-asked.js";
import type { Engine } from "./engine.js";
import { countRows } from "./engine-table.js";
import { rectangleTiles, type Tile, triangleTiles } from "./products.js";
import { FACTS, factsAtOnce } from "./reading/facts.js";
import { answerType, judged } from "./reading/judged.js";
import { everyRow } from "./reading/read.js";
import { sampleSize } from "./sample.js";

export interface Explained {
  readonly rows: number;
  /** Rows that would come here. */
  readonly sample: number;
  readonly stages: readonly ExplainedStage[];
}

export interface ExplainedStage {
  readonly purpose: string;
  readonly queries: number;
  readonly bytes: number;
}

/** So many columns are in the models that judge, and so many are candidates, where nobody knows better. */
const USUAL = { judging: 20, candidates: 40 };

export async function explain(
  engine: Engine,
  options: FitOptions,
  memory: number,
  { judging, candidates } = USUAL,
): Promise<Explained> {
  const asker = everyRow(engine, { signal: options.signal });
  const rows = await countRows(asker, "how many rows there are");
  const sample = sampleSize(rows, engine.columns.length, memory);
  const { predictors, target } = columnRoles(await judged(asker, readingOf(options)), options);
  const used = [...predictors, target].map((c) => engine.columns[c]);
  const texts = used.filter(({ type }) => answerType(type) === "text");
  const numbers = used.filter((column) => !texts.includes(column));
  const bytesOf = (columns: readonly { readonly bytes: number }[]): number =>
    rows * columns.reduce((sum, { bytes }) => sum + bytes, 0);
  const everything = bytesOf(used);
  const typical = everything / used.length;
  const { limits } = engine;
  if (rows <= sample)
    return {
      rows,
      sample,
      stages: [
        {
          purpose: "all rows, read like a file",
          queries: Math.ceil(used.length / limits.columns),
          bytes: everything,
        },
      ],
    };
  /** Columns that all queries read between them. */
  const read = (tiles: readonly Tile[]): number =>
    tiles.reduce(
      (sum, { pairs }) => sum + new Set(pairs.map(([a]) => a)).size + new Set(pairs.map(([, b]) => b)).size,
      0,
    );
  const products = triangleTiles(candidates + 1, limits);
  const judgedBy = rectangleTiles(judging, predictors.length, limits);
  const screened = Math.floor(Math.min(limits.aggregates / 3, limits.columns - 1));
  return {
    rows,
    sample,
    stages: [
      {
        purpose: "what each column holds",
        queries: Math.ceil((FACTS * numbers.length) / factsAtOnce(limits)),
        bytes: bytesOf(numbers),
      },
      { purpose: "the levels of a text", queries: 2 * texts.length, bytes: 2 * bytesOf(texts) },
      {
        purpose: "a sample of rows",
        queries: Math.ceil(used.length / limits.columns),
        bytes: everything,
      },
      {
        purpose: "means, scales and correlations with the target",
        queries: Math.ceil((predictors.length + 1) / screened),
        bytes: everything,
      },
      {
        purpose: `products of ${candidates} candidates, once for every round`,
        queries: products.length + 1,
        bytes: typical * (read(products) + candidates),
      },
      {
        purpose: `every column beside ${judging} of the models that judge, once for every round`,
        queries: judgedBy.length,
        bytes: typical * read(judgedBy),
      },
    ],
  };
}

/** What was asked and read, in a sentence; bytes where the database counts them. */
export function askedText(questions: readonly SentQuestion[]): string {
  const read = questions.flatMap(({ read: own }) => (own ? [own] : []));
  const rows = read.reduce((sum, own) => sum + own.rows, 0);
  const bytes = read.reduce((sum, own) => sum + (own.bytes ?? 0), 0);
  const counted =
    rows === 0
      ? ""
      : `; as far as the database said, they read ${rows.toLocaleString("en-US")} rows${bytes > 0 ? ` and ${sizeText(bytes)}` : ""}`;
  const came = questions.reduce((sum, own) => sum + (own.came ?? 0), 0);
  return `${questions.length} questions were asked, each a scan of the rows in the columns that it names, and ${came.toLocaleString("en-US")} rows of answers came here${counted}\n`;
}

function sizeText(bytes: number): string {
  const [unit, scale] = bytes >= 1e12 ? ["TB", 1e12] : bytes >= 1e9 ? ["GB", 1e9] : ["MB", 1e6];
  return `${(bytes / Number(scale)).toPrecision(3)} ${unit}`;
}

export function explainedText({ rows, sample, stages }: Explained): string {
  const queries = (count: number): string => `${count} ${count === 1 ? "query" : "queries"}`;
  const lines = stages
    .filter(({ queries: count }) => count > 0)
    .map(({ purpose, queries: count, bytes }) => `  ${purpose}: ${queries(count)}, about ${sizeText(bytes)}`);
  const rest =
    rows > sample
      ? [
          "Levels of texts are variables of their own and add to this; classes and counts ask for their likelihood a few dozen times.",
        ]
      : [];
  return `${rows.toLocaleString("en-US")} rows, of which ${Math.min(rows, sample).toLocaleString("en-US")} would come here:\n${lines.join("\n")}\n${rest.map((line) => `${line}\n`).join("")}`;
}
