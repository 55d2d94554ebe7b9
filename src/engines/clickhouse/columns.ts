/** What ClickHouse's types are to us, and the expression that reads each. */

import type { EngineColumn } from "../engine.js";

const INTEGER = /^(U?Int)(8|16|32|64|128|256)$/;
const FLOAT = /^(B?Float)(16|32|64)$/;
const NUMBERS = /^Array\((?:Nullable\()?(?:U?Int\d+|Float\d+)\)?\)$/;

export const isArray = (type: string): boolean => NUMBERS.test(bare(type));

/** Without what is said of how values are kept. */
function bare(type: string): string {
  const [, , inner] = /^(Nullable|LowCardinality)\((.*)\)$/s.exec(type) ?? [];
  return inner === undefined ? type : bare(inner);
}

/** `quoted` is the name as SQL. */
export function clickHouseColumn(name: string, type: string, quoted: string): EngineColumn {
  const own = bare(type);
  const size = /(\d+)$/.exec(own)?.[1];
  const bytes = size === undefined ? 8 : Math.max(1, Number(size) / 8);
  if (INTEGER.test(own)) return { name, type: "integer", value: `toFloat64(${quoted})`, bytes };
  if (FLOAT.test(own)) return { name, type: "number", value: `toFloat64(${quoted})`, real: true, bytes };
  if (/^Decimal/.test(own)) return { name, type: "number", value: `toFloat64(${quoted})`, bytes: 8 };
  if (own === "Bool") return { name, type: "boolean", value: `toFloat64(${quoted})`, bytes: 1 };
  if (/^Date(32)?$/.test(own))
    return { name, type: "date", value: `toFloat64(toInt32(${quoted}))`, bytes: 4 };
  if (/^DateTime64/.test(own)) return { name, type: "date", value: `toFloat64(${quoted}) / 86400`, bytes: 8 };
  if (/^DateTime/.test(own))
    return { name, type: "date", value: `toFloat64(toUInt32(${quoted})) / 86400`, bytes: 4 };
  if (/^(String|FixedString)/.test(own))
    return { name, type: "cells", value: `toString(${quoted})`, bytes: 16 };
  if (/^(Enum|UUID)/.test(own)) return { name, type: "words", value: `toString(${quoted})`, bytes: 2 };
  return { name, type: "words", value: quoted, problem: `values of type ${type}`, bytes: 8 };
}

/** A column of numbers for every place of an array. */
export function arrayColumns(name: string, type: string, quoted: string, length: number): EngineColumn[] {
  const element = bare(bare(type).slice("Array(".length, -1));
  return Array.from({ length }, (_, i) => {
    const own = clickHouseColumn(`${name}[${i + 1}]`, element, `${quoted}[${i + 1}]`);
    // Whole numbers that run from place to place name no rows.
    return { ...own, type: "number" as const };
  });
}
