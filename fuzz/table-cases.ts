/** Cases of files that hold tables: against plain readers, against each other, against what was written. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "../src/node.js";
import { delimited } from "../src/tables/duckdb/delimited.js";
import { dialectOf } from "../src/tables/duckdb/dialect.js";
import { duckdbTable } from "../src/tables/duckdb/duckdb-table.js";
import { judgedTable } from "../src/tables/judge/judged-table.js";
import { LateSurprise } from "../src/tables/judge/late.js";
import { fileOnDisk } from "../src/tables/packed/on-disk.js";
import { columnIndex } from "../src/tables/parquet/columns/column-index.js";
import { ParquetColumns, roomFor } from "../src/tables/parquet/columns/read-column.js";
import { narrowFiles } from "../src/tables/parquet/narrow-files.js";
import { narrowSource, planParquet } from "../src/tables/readers/parquet.js";
import type { ColumnTable } from "../src/tables/table.js";
import { firstLines } from "../src/tables/wide/first-lines.js";
import { wideTable } from "../src/tables/wide/wide-table.js";
import { bytesOf } from "./corpus.js";
import { mutated, mutatedText, pick } from "./mutate.js";
import { readDelimited, readJsonLines } from "./text-oracle.js";
import { type Case, judged, numbersIn, readThrough, right, taken, wrong } from "./verdict.js";

export const TABLE_CASES: Readonly<Record<string, Case>> = {
  async text(rng, { corpus, scratch }) {
    const name = pick(rng, ["table.csv", "table.tsv", "lines.jsonl"]);
    const path = join(scratch, name);
    const bytes = pick(rng, [mutated, mutatedText])(rng, bytesOf(corpus, name));
    writeFileSync(path, bytes);
    return judged(async () => {
      const table = (await open(path)) as ColumnTable;
      const { rows, numbers, isPlain } = await numbersIn(table);
      const plain = bytes.toString("latin1");
      const expected =
        name === "lines.jsonl"
          ? readJsonLines(plain)
          : readDelimited(plain, name === "table.csv" ? "," : "\t");
      if (expected === undefined) return taken;
      for (const [column, values] of expected) {
        const found = numbers.get(column);
        if (found === undefined) return wrong(`column ${column} is not there`);
        if (rows !== values.length) return wrong(`${rows} rows for ${values.length}`);
        if (isPlain(column) && values.some((value, i) => value !== found[i]))
          return wrong(`column ${column}`);
      }
      return right;
    });
  },

  /** The reader of wide files and DuckDB's, on the same file. */
  async wide(rng, { corpus, scratch }) {
    const name = pick(rng, ["table.csv", "table.tsv", "quoted.csv", "table.csv.gz"]);
    const path = join(scratch, name);
    const change = name.endsWith(".gz") ? mutated : pick(rng, [mutated, mutatedText, mutatedText]);
    writeFileSync(path, change(rng, bytesOf(corpus, name)));
    return judged(async () => {
      const dialect = dialectOf({});
      const settings = { name: path };
      const header = await firstLines(fileOnDisk(path), dialect);
      const ours = await readThrough(await wideTable([fileOnDisk(path)], settings, dialect, header));
      let theirs: string;
      try {
        theirs = await readThrough(await duckdbTable(delimited(), [path], settings));
      } catch (error) {
        if (error instanceof LateSurprise) throw error;
        return taken;
      }
      return ours === theirs ? right : wrong(`${ours.slice(0, 200)} for ${theirs.slice(0, 200)}`);
    });
  },

  /** Some columns at a time from copies, and all of them from the file. */
  async narrow(rng, { corpus, scratch }) {
    const path = join(scratch, "many.parquet");
    writeFileSync(path, mutated(rng, bytesOf(corpus, "many.parquet")));
    const settings = { name: path };
    const whole = async () => readThrough(await duckdbTable(planParquet, [path], settings));
    return judged(async () => {
      const narrow = narrowFiles([path], { beyond: 20, columns: 7 });
      if (!narrow) {
        await whole();
        return taken;
      }
      const { raw } = await narrowSource(narrow, [path], settings);
      const ours = await readThrough(await judgedTable(raw, { hints: {} }));
      const theirs = await whole().catch(() => undefined);
      // What is said of columns that are not in a copy is not read there.
      if (theirs === undefined) return taken;
      return ours === theirs ? right : wrong(`${ours.slice(0, 200)} for ${theirs.slice(0, 200)}`);
    });
  },

  /** Columns of numbers without DuckDB, and with it. */
  async apart(rng, { corpus, scratch }) {
    const path = join(scratch, "apart.parquet");
    writeFileSync(path, mutated(rng, bytesOf(corpus, pick(rng, ["table.parquet", "many.parquet"]))));
    return judged(async () => {
      const ours = columnsApart(path);
      if (!ours) return taken;
      const table = await duckdbTable(planParquet, [path], { name: path }).catch(() => undefined);
      const theirs = table && (await numbersIn(table).catch(() => undefined));
      if (!theirs) return taken;
      for (const [name, values] of ours) {
        const found = theirs.numbers.get(name);
        if (!found || !theirs.isPlain(name)) continue;
        // DuckDB takes the word of statistics for it that nothing is missing.
        const isOther = (value: number, i: number) => !Number.isNaN(value) && value !== found[i];
        if (theirs.rows !== values.length || values.some(isOther)) return wrong(`column ${name}`);
      }
      return right;
    });
  },

  /** Packed tables: all of these carry checksums. */
  async packedTable(rng, { corpus, scratch }) {
    const name = pick(rng, ["table.csv", "lines.jsonl", "array.json"]);
    const ending = pick(rng, ["gz", "bz2", "xz", "zst"]);
    const path = join(scratch, `${name}.${ending}`);
    writeFileSync(path, mutated(rng, bytesOf(join(corpus, "packed"), `${name}.${ending}`)));
    return judged(async () => {
      const found = await readThrough(await open(path));
      const expected = await readThrough(await open(join(corpus, "packed", name)));
      return found === expected ? right : wrong(`${found.slice(0, 100)} for ${expected.slice(0, 100)}`);
    });
  },

  /** Each of the files in it has a checksum. */
  async workbook(rng, { corpus, scratch }) {
    const path = join(scratch, "table.xlsx");
    writeFileSync(path, mutated(rng, bytesOf(corpus, "table.xlsx")));
    return judged(async () => {
      const found = await readThrough(await open(path));
      const expected = await readThrough(await open(join(corpus, "table.xlsx")));
      return found === expected ? right : wrong(`${found.slice(0, 100)} for ${expected.slice(0, 100)}`);
    });
  },

  async table(rng, { corpus, scratch }) {
    const name = pick(rng, [
      ...["table.csv", "table.tsv", "lines.jsonl", "array.json", "quoted.csv"],
      ...["table.parquet", "table.arrow", "words.arrow", "stream.arrow", "table.csv.gz"],
    ]);
    const path = join(scratch, name);
    writeFileSync(path, mutated(rng, bytesOf(corpus, name)));
    return judged(async () => {
      await readThrough(await open(path));
      return taken;
    });
  },
};

/** Undefined where a column cannot be read so, or its bytes make no sense. */
function columnsApart(path: string): Map<string, Float32Array | Float64Array> | undefined {
  const index = columnIndex([path]);
  if (!index) return undefined;
  const reader = new ParquetColumns(index);
  try {
    const found = index.columns.flatMap((column, c) => {
      if (!column) return [];
      const values = roomFor(column.kind, index.rows);
      reader.read(c, values);
      return [[column.name, values] as const];
    });
    return new Map(found);
  } catch {
    return undefined;
  } finally {
    reader.close();
  }
}
