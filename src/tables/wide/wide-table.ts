/**
 * Text files with a separator, without DuckDB: in a page, where there are very many columns, and where files are small. DuckDB holds 2,048 rows
 * of every column, however few there are (32 kB a column: 1.8 GB for 50,000 columns of 20 rows); here rows are cut and
 * read one after the other, and memory goes by the values that there are.
 */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import type { Header } from "../duckdb/csv-header.js";
import type { Dialect } from "../duckdb/dialect.js";
import { columnHints, wantsWords } from "../judge/hints.js";
import { judgedTable } from "../judge/judged-table.js";
import { LateSurprise } from "../judge/late.js";
import type { RawChunk, RawColumn, RawTable } from "../judge/raw-table.js";
import { type DataFile, sizeOf } from "../packed/data-file.js";
import { noRows, refuseDuplicates } from "../read-errors.js";
import type { ReaderSettings } from "../reader.js";
import type { ColumnTable } from "../table.js";
import { cellText, hasLeadingZero, isMissing, isWholeCell, looseKind, looseNumber } from "./cell.js";
import { type CutRow, cutRows } from "./cut-rows.js";
import { firstLines } from "./first-lines.js";
import { KnownWords } from "./known-words.js";
import { plainNumber } from "./plain-number.js";
import { RowBuffer } from "./row-buffer.js";

/** Values handed over at a time, in rows of at least so many. */
const CHUNK_VALUES = 1 << 20;
const [LEAST_ROWS, MOST_ROWS] = [64, 2048];
/** Values that are looked at to tell the types of columns, and the rows that they make: as where DuckDB looks. */
const SAMPLE_VALUES = 2_000_000;
const [LEAST_SAMPLE, MOST_SAMPLE] = [1000, 20_480];
/** Rows in which decimal commas are looked for. */
const COMMA_ROWS = 2000;

export async function wideTable(
  files: readonly DataFile[],
  settings: ReaderSettings,
  dialect: Dialect,
  header: Header,
): Promise<ColumnTable> {
  const { name } = settings;
  refuseDuplicates(header.names, name);
  for (const file of files.slice(1)) {
    const { names } = await firstLines(file, { ...dialect, delimiters: [header.delimiter] });
    if (names.join("\n") !== header.names.join("\n")) {
      throw new SparrowError(
        `${file.name} does not have the same columns as ${files[0].name}; all files must.`,
        "format",
      );
    }
  }
  const source = new Source(files, settings, dialect, header);
  const columns = await source.columns(settings);
  const raw: RawTable = {
    name,
    columns,
    bytes: source.total,
    delimiter: header.delimiter,
    notes: header.notes,
    chunks: (wanted) => source.chunks(columns, wanted),
    notNumbers: async (some) => some.filter((c) => source.notNumbers.has(c)),
  };
  return judgedTable(raw, { hints: settings, thorough: settings.thorough });
}

/** What cells of a column have been, so far. */
const [WHOLE, NUMBER, TEXT] = [1, 2, 3];
const COMMA = /^[^a-zA-Z0-9]*[0-9.]*,[0-9]/;

class Source {
  readonly total: number;
  /** Columns of numbers that held NaN when they were last read. */
  readonly notNumbers = new Set<number>();
  private read = 0;
  private readonly words = new KnownWords();

  constructor(
    private readonly files: readonly DataFile[],
    private readonly settings: ReaderSettings,
    private readonly dialect: Dialect,
    private readonly header: Header,
  ) {
    this.total = sizeOf(files);
  }

  /** Types by the first rows, or by all of them. */
  async columns({ thorough, decimal }: ReaderSettings): Promise<RawColumn[]> {
    const { names } = this.header;
    const found = new Uint8Array(names.length);
    const most = thorough ? Number.POSITIVE_INFINITY : sampleRows(names.length);
    let [rows, hasCommas] = [0, decimal === ","];
    for await (const batch of this.rows()) {
      for (const row of batch) {
        hasCommas = this.look(row, found, hasCommas || rows >= COMMA_ROWS) || hasCommas;
        rows += 1;
        if (rows >= most) break;
      }
      if (rows >= most) break;
    }
    if (rows === 0) throw noRows(this.settings.name);
    const hints = columnHints(names, this.settings, this.settings.name);
    return names.map((name, c): RawColumn => {
      const { reading } = hints[c];
      // Where commas are decimal, 1.234 may be a thousand.
      const isPlain =
        (found[c] === WHOLE || (found[c] === NUMBER && !hasCommas)) &&
        !wantsWords(hints[c]) &&
        (reading === undefined || reading.as === "number");
      return { name, type: !isPlain ? "cells" : found[c] === WHOLE ? "integer" : "number" };
    });
  }

  /** Notes what the cells of a row are; whether one of them is a number with a comma in it. */
  private look(row: CutRow, found: Uint8Array, isSettled: boolean): boolean {
    const looksForCommas = this.header.delimiter !== "," && !isSettled;
    let hasCommas = false;
    for (let c = 0; c < found.length; c++) {
      if (isMissing(row, c) || (found[c] === TEXT && !looksForCommas)) continue;
      const type = typeOf(row, c);
      if (type > found[c]) found[c] = type;
      if (type === TEXT && looksForCommas && COMMA.test(this.decoded(row, c))) hasCommas = true;
    }
    return hasCommas;
  }

  async *chunks(columns: readonly RawColumn[], wanted: readonly number[]): AsyncIterable<RawChunk> {
    const most = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(CHUNK_VALUES / (wanted.length || 1))));
    const numbers = wanted.filter((c) => columns[c].type !== "cells");
    const texts = wanted.filter((c) => columns[c].type === "cells");
    for (const c of numbers) this.notNumbers.delete(c);
    let held = new RowBuffer(numbers, texts);
    for await (const batch of this.rows()) {
      for (const row of batch) {
        this.take(row, held, columns);
        if (held.rows < most) continue;
        yield { ...held.chunk(wanted), share: this.read / this.total };
        held = new RowBuffer(numbers, texts);
      }
    }
    if (held.rows > 0) yield { ...held.chunk(wanted), share: this.read / this.total };
  }

  private take(row: CutRow, into: RowBuffer, columns: readonly RawColumn[]): void {
    const values = into.nextRow();
    const { bytes, starts, ends } = row;
    const { numbers, texts, cells } = into;
    for (let i = 0; i < numbers.length; i++) {
      const c = numbers[i];
      const value = plainNumber(bytes, starts[c], ends[c]);
      values[i] = Number.isNaN(value) && !isMissing(row, c) ? this.notPlain(row, c, columns[c].name) : value;
    }
    for (let i = 0; i < texts.length; i++) {
      const c = texts[i];
      cells[i].push(isMissing(row, c) ? null : this.decoded(row, c));
    }
  }

  private notPlain(row: CutRow, c: number, column: string): number {
    const value = looseNumber(row, c);
    if (value === undefined) throw this.surprise(column, row, c);
    if (Number.isNaN(value)) this.notNumbers.add(c);
    return value;
  }

  private decoded(row: CutRow, c: number): string {
    try {
      return cellText(row, c, this.dialect.quote, this.words);
    } catch {
      throw new LateSurprise(
        `${this.settings.name} holds text that is not UTF-8 in row ${row.number}; save the file as UTF-8.`,
        "latin1",
      );
    }
  }

  private surprise(column: string, row: CutRow, c: number): LateSurprise {
    return new LateSurprise(
      `${this.settings.name}: column "${column}" holds "${this.decoded(row, c).slice(0, 40)}" in row ${row.number}, which is not a number; correct it, or leave the column out with ${option("exclude", [column])}.`,
    );
  }

  private async *rows(): AsyncGenerator<Iterable<CutRow>> {
    this.read = 0;
    for (const file of this.files) {
      const { quote, noHeader } = this.dialect;
      yield* cutRows(file, {
        name: this.files.length === 1 ? this.settings.name : file.name,
        delimiter: this.header.delimiter.charCodeAt(0),
        quote: quote === "" ? -1 : quote.charCodeAt(0),
        columns: this.header.names.length,
        skipped: this.header.skipped + (noHeader ? 0 : 1),
        onRead: (bytes) => {
          this.read += bytes;
        },
      });
    }
  }
}

/** Rows that are looked at to tell what columns are. */
export function sampleRows(columns: number): number {
  return Math.max(LEAST_SAMPLE, Math.min(MOST_SAMPLE, Math.floor(SAMPLE_VALUES / columns)));
}

const LOOSE_TYPES = { whole: WHOLE, number: NUMBER, text: TEXT };

function typeOf(row: CutRow, c: number): number {
  const value = plainNumber(row.bytes, row.starts[c], row.ends[c]);
  if (Number.isNaN(value)) return LOOSE_TYPES[looseKind(row, c)];
  if (hasLeadingZero(row, c)) return TEXT;
  return isWholeCell(row, c) ? WHOLE : NUMBER;
}
