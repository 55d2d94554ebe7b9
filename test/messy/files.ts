/** Files: their kinds, letters and marks. */

import { gzipSync } from "node:zlib";
import { base, type Columns, type Value, withColumn, withZ, written } from "./base.js";
import type { MessyCase } from "./case.js";
import { workbook } from "./workbook.js";

const clean = () => ({ ...base() });
const rows = (columns: Columns): Record<string, Value>[] =>
  columns.y.map((_, i) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
  );
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const towns = (i: number): string => ["Köln", "Århus", "Genève", "Málaga"][(i * 3) % 4];
const unnamed = (columns: Columns): Columns =>
  Object.fromEntries(Object.values(columns).map((values, c) => [`column${c + 1}`, values]));

/** z comes last, because it turns up last. */
const late = (): Columns => {
  const { z, ...others } = withZ((z, i) => (i < 40 ? null : z));
  return { ...others, z };
};

export const fileCases: readonly MessyCase[] = [
  { file: "workbook.xlsx", content: () => workbook({ Data: base() }), twin: clean, cells: base },
  {
    file: "workbook-of-two-sheets.xlsx",
    content: () => workbook({ Data: base(), Notes: { remark: ["nothing"] } }),
    ...{ twin: clean, cells: "none" },
    notes: ['Of FILE the sheet "Data" was read, and not "Notes"; --sheet chooses another.'],
  },
  {
    ...{ file: "workbook-second-sheet.xlsx", options: { sheet: "Data" } },
    content: () => workbook({ Notes: { remark: ["nothing"] }, Data: base() }),
    ...{ twin: clean, cells: "none" },
  },
  {
    file: "workbook-with-dates.xlsx",
    content: () =>
      workbook({
        Data: withColumn("day", (i) => (i === 7 ? "n/a" : new Date(Date.UTC(2024, 0, 1 + ((i * 11) % 60))))),
      }),
    twin: () => withColumn("day", (i) => (i === 7 ? null : new Date(Date.UTC(2024, 0, 1 + ((i * 11) % 60))))),
    cells: "none",
  },
  {
    file: "array.json",
    content: () => `${JSON.stringify(rows(base()), null, 1)}\n`,
    twin: clean,
    cells: base,
  },
  {
    file: "numbers-in-texts.json",
    content: () => JSON.stringify(rows(withZ((z, i) => (i % 7 === 3 ? "?" : String(z))))),
    ...{ twin: () => withZ((z, i) => (i % 7 === 3 ? null : z)), notes: ['"?" counts as missing in "z".'] },
    cells: () => withZ((z, i) => (i % 7 === 3 ? "?" : String(z))),
  },
  {
    file: "late-key.jsonl",
    content: () =>
      rows(withZ((z, i) => (i < 40 ? null : z)))
        .map(({ z, ...row }) => `${JSON.stringify(z === null ? row : { ...row, z })}\n`)
        .join(""),
    ...{ twin: late, cells: late },
  },
  {
    file: "keys-that-differ-in-case.jsonl",
    content: () =>
      rows({ ...withColumn("X", (i) => (i * 7) % 11) })
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    ...{
      twin: () => withColumn("X", (i) => (i * 7) % 11),
      cells: () => withColumn("X", (i) => (i * 7) % 11),
    },
  },
  {
    file: "columns-that-differ-in-case.csv",
    content: () => written(withColumn("X", (i) => (i * 7) % 11)),
    twin: () => withColumn("X", (i) => (i * 7) % 11),
  },
  {
    file: "utf-16.csv",
    content: () =>
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(written(withColumn("town", towns)), "utf16le")]),
    ...{
      twin: () => withColumn("town", towns),
      cells: "none",
      notes: ["FILE is written in UTF-16 and was read as such."],
    },
  },
  {
    file: "utf-16-big-endian.csv",
    content: () =>
      swapped(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(written(base()), "utf16le")])),
    ...{ twin: clean, cells: "none", notes: ["FILE is written in UTF-16 and was read as such."] },
  },
  {
    file: "latin-1.csv",
    content: () => Buffer.from(written(withColumn("town", towns)), "latin1"),
    ...{ twin: () => withColumn("town", towns), cells: "none" },
    notes: [
      "FILE is not UTF-8: it was read as Windows-1252 (Latin-1), so letters beyond the English ones may be wrong.",
    ],
  },
  { file: "marked.csv", content: () => `\ufeff${written(base(), { end: "\r\n" })}`, twin: clean },
  {
    file: "packed.csv.gz",
    content: () => gzipSync(written(base()), { level: 9 }),
    twin: clean,
    cells: "none",
  },
  {
    ...{ file: "no-header.csv", options: { noHeader: true }, target: "column5", mixed: false },
    ...{ content: () => written(base(), { header: false }), twin: () => unnamed(base()), cells: "none" },
  },
  {
    ...{ file: "carets.txt", options: { delimiter: "^" } },
    ...{ content: () => written(base(), { delimiter: "^" }), twin: clean, cells: "none" },
  },
  { file: "bars.txt", content: () => written(base(), { delimiter: "|" }), twin: clean, cells: "none" },
  {
    ...{ file: "single-quotes.csv", options: { quote: "'" } },
    content: () =>
      written(
        withColumn("town", (i) => `${towns(i)}, here`),
        { quote: "'" },
      ),
    ...{ twin: () => withColumn("town", (i) => `${towns(i)}, here`), cells: "none" },
  },
  {
    file: "separator-told.csv",
    content: () => `sep=;\r\n${written(base(), { delimiter: ";", end: "\r\n" })}`,
    ...{ twin: clean, cells: "none" },
  },
  {
    file: "spaces-after-commas.csv",
    content: () => written(base()).replaceAll(",", ", "),
    ...{ twin: clean, cells: "none" },
  },
  {
    file: "quoted-numbers.csv",
    content: () => written(base()).replace(/(-?\d+\.\d+)/g, '"$1"'),
    ...{ twin: clean, cells: "none" },
  },
];
