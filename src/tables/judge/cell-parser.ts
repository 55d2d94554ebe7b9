/** Cells of a column that was judged, as numbers; texts as the positions of their levels. */

import { type CellReading, cellValue, type TextReading } from "../cells/cell-reading.js";
import { isNotANumber, type MissingWords } from "../cells/missing-words.js";
import { MAX_LEVELS } from "./judge-levels.js";
import { LateSurprise } from "./late.js";
import { type Place, strayCell } from "./refusals.js";

export type Cells = ArrayLike<string | null | undefined>;

export interface CellParser {
  /** The different texts met so far. */
  readonly levels: readonly string[];
  /** Whether NaN was met, which may be more than a missing value. */
  readonly metNaN: boolean;
  /** The first of the cells is in row number `first`, from 0. */
  parse(cells: Cells, rows: number, first: number): Float64Array;
}

export interface ParserSettings {
  readonly place: Place;
  readonly missing: MissingWords;
  /** Whether there may be any number of texts. */
  readonly isOpen: boolean;
}

export function cellParser(reading: CellReading, settings: ParserSettings): CellParser {
  return reading.as === "text" ? textParser(reading, settings) : valueParser(reading, settings);
}

const KINDS = {
  number: "a number",
  date: "a date",
  time: "a time",
  epoch: "a number",
  boolean: "true or false",
} as const;

function valueParser(
  reading: Exclude<CellReading, TextReading>,
  { place, missing }: ParserSettings,
): CellParser {
  let metNaN = false;
  const value = (raw: string, row: number): number => {
    const cell = raw.trim();
    if (missing.inNumbers(cell)) {
      if (isNotANumber(cell)) metNaN = true;
      return Number.NaN;
    }
    const found = cellValue(cell, reading);
    if (found === undefined) throw new LateSurprise(strayCell(place, cell, row, KINDS[reading.as]));
    return missing.isNumber(found) ? Number.NaN : found;
  };
  return {
    levels: [],
    get metNaN() {
      return metNaN;
    },
    parse(cells, rows, first) {
      const out = new Float64Array(rows);
      for (let i = 0; i < rows; i++) {
        const cell = cells[i];
        out[i] = cell === null || cell === undefined ? Number.NaN : value(cell, first + i);
      }
      return out;
    },
  };
}

function textParser(reading: TextReading, { place, missing, isOpen }: ParserSettings): CellParser {
  const names: string[] = [];
  /** By the cell as it is written. */
  const codes = new Map<string, number>();
  const byName = new Map<string, number>();
  const kept = reading.levels && new Set(reading.levels);
  const codeOf = (level: string): number => {
    const known = byName.get(level);
    if (known !== undefined) return known;
    if (names.length === MAX_LEVELS && !isOpen) {
      throw new LateSurprise(
        `${place.table}: column "${place.column}" holds text with more than ${MAX_LEVELS} different values, too many for categories.`,
      );
    }
    names.push(level);
    byName.set(level, names.length - 1);
    return names.length - 1;
  };
  const hole = (): number => (reading.missing === undefined ? Number.NaN : codeOf(reading.missing));
  const newCode = (raw: string): number => {
    const cell = raw.trim();
    if (missing.inText(cell)) return hole();
    return codeOf(kept && !kept.has(cell) && reading.other !== undefined ? reading.other : cell);
  };
  return {
    levels: names,
    metNaN: false,
    parse(cells, rows) {
      const out = new Float64Array(rows);
      for (let i = 0; i < rows; i++) {
        const raw = cells[i];
        if (raw === null || raw === undefined) {
          out[i] = hole();
          continue;
        }
        let code = codes.get(raw);
        if (code === undefined) {
          code = newCode(raw);
          codes.set(raw, code);
        }
        out[i] = code;
      }
      return out;
    },
  };
}
