/** Columns as a source has them, and what was counted of them, to columns of a table: names, kinds, and who converts. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { type CellReading, digitDays, epochDays } from "../cells/cell-reading.js";
import { MissingWords } from "../cells/missing-words.js";
import { labelOf } from "../labels.js";
import type { ColumnKind, TableColumn } from "../table.js";
import { type CellParser, type Cells, cellParser } from "./cell-parser.js";
import { type ColumnHint, columnHints, type ReadingHints, wantsWords } from "./hints.js";
import { namesRowsByNumber } from "./identifiers.js";
import { type Judgement, judgeColumn } from "./judge-column.js";
import { judgeWholeNumbers } from "./judge-numbers.js";
import type { Surroundings } from "./number-evidence.js";
import type { RawColumn, RawValues } from "./raw-table.js";
import type { Remark } from "./remarks.js";
import { Tally } from "./tally.js";
import { WholeNumbers } from "./whole-numbers.js";

export interface JudgedColumn {
  readonly column: TableColumn;
  readonly remarks: readonly Remark[];
  /** Whether cells held NaN, so far. */
  readonly metNaN: boolean;
  /** Whether numbers are taken as they come. */
  readonly isPlain?: boolean;
  convert(values: RawValues, rows: number, first: number): ArrayLike<number>;
}

/** Looks at the values of one column before it is judged. */
export interface Looker {
  look(values: RawValues, rows: number): void;
  readonly tally?: Tally;
  readonly wholes?: WholeNumbers;
  readonly rows: number;
}

/** What there is to know of a table before its columns are judged. */
export class Judge {
  private readonly missing: MissingWords;
  private readonly byColumn: readonly ColumnHint[];

  constructor(
    private readonly table: string,
    private readonly columns: readonly RawColumn[],
    private readonly hints: ReadingHints,
    private readonly delimiter?: string,
  ) {
    this.missing = new MissingWords(hints.na);
    this.byColumn = columnHints(
      columns.map(({ name }) => name),
      hints,
      table,
    );
  }

  /** Who must look at a column before it can be judged; undefined where its type says all. */
  looker(c: number): Looker | undefined {
    const { type, problem } = this.columns[c];
    if (problem !== undefined) return undefined;
    if (type === "cells" || type === "words" || this.isConverted(c))
      return new CellLooker(new Tally(this.missing, this.hints.dateFormat), (value) => this.label(c, value));
    return type === "integer" ? new NumberLooker(this.missing) : undefined;
  }

  judged(lookers: readonly (Looker | undefined)[]): JudgedColumn[] {
    const surroundings = { decimal: this.hints.decimal ?? usualDecimal(lookers), delimiter: this.delimiter };
    return this.columns.map((raw, c) => {
      if (raw.problem !== undefined) return unread({ name: raw.name, problem: raw.problem });
      const looker = lookers[c];
      return looker?.tally ? this.fromCells(c, looker.tally, surroundings) : this.fromNumbers(c, looker);
    });
  }

  private fromCells(c: number, tally: Tally, surroundings: Surroundings): JudgedColumn {
    const { name, type } = this.columns[c];
    const hint =
      type === "words" && !this.byColumn[c].isNumber
        ? { ...this.byColumn[c], isText: true }
        : this.byColumn[c];
    const place = { table: this.table, column: name };
    const judgement = judgeColumn(tally, { ...place, hint, surroundings });
    this.checkMissingLevel(c, judgement);
    const { kind, reading, remarks, refusal, aside, empty, spelt } = judgement;
    const parser = cellParser(reading, {
      place,
      missing: this.missing,
      isOpen: hint.isKey || hint.isCategory || hint.reading !== undefined || aside !== undefined,
    });
    return {
      column: {
        name,
        kind,
        ...(kind === "text" && { levels: parser.levels }),
        ...(!isUsual(reading) && { reading }),
        ...(refusal !== undefined && { refusal }),
        ...(aside && { aside }),
        ...(empty && { empty }),
        ...(spelt && { spelt }),
      },
      remarks,
      get metNaN() {
        return parser.metNaN;
      },
      convert: (values, rows, first) => parsed(parser, this.cells(c, values, rows), rows, first),
    };
  }

  private fromNumbers(c: number, looker: Looker | undefined): JudgedColumn {
    const { name, type } = this.columns[c];
    const hint = this.byColumn[c];
    const { missing } = this;
    const kind: ColumnKind = type === "boolean" || type === "date" ? type : "number";
    if (hint.hasMissingLevel) this.checkMissingLevel(c, { kind });
    const judged = looker?.wholes && !hint.isKey ? judgeWholeNumbers(name, looker.wholes, hint) : undefined;
    const identified =
      looker?.wholes && !hint.isKey && !hint.isKept && judged === undefined
        ? namesRowsByNumber(name, looker.wholes, looker.rows)
        : undefined;
    const convert = (values: RawValues): ArrayLike<number> => {
      const numbers = values as ArrayLike<number>;
      if (!judged && !missing.hasNumbers) return numbers;
      return Float64Array.from(numbers, (value) =>
        missing.isNumber(value) ? Number.NaN : judged ? converted(value, judged.reading) : value,
      );
    };
    return {
      column: {
        name,
        kind: judged ? "date" : kind,
        ...(judged && { reading: judged.reading }),
        ...(identified !== undefined && { aside: { why: "identifier" as const, words: identified } }),
      },
      remarks: judged?.remarks ?? [],
      metNaN: false,
      isPlain: !judged && !missing.hasNumbers,
      convert,
    };
  }

  /** Whether numbers, dates or booleans are to be taken as words. */
  private isConverted(c: number): boolean {
    const hint = this.byColumn[c];
    return wantsWords(hint) && !hint.isKey;
  }

  private cells(c: number, values: RawValues, rows: number): Cells {
    const { type } = this.columns[c];
    if (type === "cells" || type === "words") return values as Cells;
    return Array.from({ length: rows }, (_, i) => this.label(c, (values as ArrayLike<number>)[i]));
  }

  private label(c: number, value: number): string | null {
    const { name, type } = this.columns[c];
    const kind = type === "boolean" || type === "date" ? type : "number";
    return Number.isNaN(value) ? null : labelOf({ name, kind }, value);
  }

  private checkMissingLevel(c: number, { kind }: Pick<Judgement, "kind">): void {
    if (!this.byColumn[c].hasMissingLevel || kind === "text") return;
    const { name } = this.columns[c];
    throw new SparrowError(
      `${this.table}: column "${name}" holds ${kind} values, among which a missing one can be no level (${option("missingLevel")}); make categories of them with ${option("categorical", [name])}.`,
      "option",
    );
  }
}

/** What is read in the way that everybody would needs no record. */
function isUsual(reading: CellReading): boolean {
  if (reading.as === "number") return reading.decimal === ".";
  if (reading.as === "date") return reading.format === "ymd";
  if (reading.as === "text") return Object.keys(reading).length === 1;
  return reading.as === "boolean";
}

function parsed(parser: CellParser, cells: Cells, rows: number, first: number): Float64Array {
  return parser.parse(cells, rows, first);
}

function converted(value: number, reading: CellReading): number {
  if (reading.as === "epoch") return epochDays(value, reading.perSecond);
  return Number.isNaN(value) ? value : digitDays(value);
}

function unread(column: TableColumn): JudgedColumn {
  return { column, remarks: [], metNaN: false, convert: (values) => values as ArrayLike<number> };
}

/** The decimal sign that columns leave no doubt about, where they agree. */
function usualDecimal(lookers: readonly (Looker | undefined)[]): "." | "," | undefined {
  const votes = { ".": 0, ",": 0 };
  for (const looker of lookers) {
    const { numbers, filled } = looker?.tally ?? {};
    if (!numbers || 2 * numbers.numbers < (filled ?? 0)) continue;
    if (numbers.only["."].count > 0) votes["."] += 1;
    if (numbers.only[","].count > 0) votes[","] += 1;
  }
  if (votes["."] > 0 && votes[","] > 0) return undefined;
  return votes[","] > 0 ? "," : votes["."] > 0 ? "." : undefined;
}

class CellLooker implements Looker {
  constructor(
    readonly tally: Tally,
    private readonly label: (value: number) => string | null,
  ) {}

  get rows(): number {
    return this.tally.rows;
  }

  look(values: RawValues, rows: number): void {
    for (let i = 0; i < rows; i++) {
      const value = values[i];
      this.tally.look(typeof value === "number" ? this.label(value) : value);
    }
  }
}

class NumberLooker implements Looker {
  readonly wholes = new WholeNumbers();
  rows = 0;
  constructor(private readonly missing: MissingWords) {}

  look(values: RawValues, rows: number): void {
    this.rows += rows;
    for (let i = 0; i < rows; i++) {
      const value = values[i] as number;
      if (!Number.isNaN(value) && !this.missing.isNumber(value)) this.wholes.look(value);
    }
  }
}
