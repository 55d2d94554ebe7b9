/** Numbers that are almost numbers. */

import { base, type Value, withZ, written } from "./base.js";
import type { MessyCase } from "./case.js";

const clean = () => ({ ...base() });
/** z without the rows whose number divides by seven. */
const holes = () => withZ((z, i) => (i % 7 === 3 ? null : z));
const missing = (word: string) => () => written(withZ((z, i) => (i % 7 === 3 ? word : z)));
const hole = (file: string, word: string, notes = [`"${word}" counts as missing in "z".`]): MessyCase => ({
  ...{ file, content: missing(word), twin: holes, notes },
});

/** Large numbers, so that there are thousands. */
const large = (z: number, i: number): number => Math.round(Math.abs(z) * 40_000) / 10 + (i % 3);
const largeTwin = () => withZ(large);
const english = (value: number, gap = ","): string => {
  const [whole, rest] = String(value).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, gap) + (rest === undefined ? "" : `.${rest}`);
};
const german = (value: number, gap = "."): string => {
  const [whole, rest] = String(value).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, gap) + (rest === undefined ? "" : `,${rest}`);
};
const comma = (value: number): string => String(value).replace(".", ",");
/** The same table, with decimal commas. */
const inGermany = (of: (z: number, i: number) => string) => {
  const { who, x, z, g, y } = base();
  return { who, x: x.map(comma), z: z.map(of), g, y: y.map(comma) };
};
/** No other column has a decimal sign that would tell. */
const telling = (z: (z: number) => string | number) => {
  const { who, x, g, y, z: own } = base();
  return {
    who,
    x: x.map((v) => Math.round(9 * v) + 0),
    z: own.map(z),
    g,
    y: y.map((v) => Math.round(9 * v) + 0),
  };
};
const threeDigits = (sign: string) => (z: number) =>
  `${1 + (Math.round(Math.abs(z) * 100) % 9)}${sign}${100 + (Math.round(Math.abs(z) * 1000) % 900)}`;
const wholes = (z: number): number => Math.round(Math.abs(z) * 3000) + 5;
const firstGap = (of: (z: number, i: number) => Value, gap: RegExp): string =>
  base()
    .z.map(of)
    .map(String)
    .find((cell) => gap.test(cell))!;
const thousands = (example: string): string => `"z" has signs between thousands: as in ${example}.`;

const grouped = (
  file: string,
  of: (z: number, i: number) => string,
  gap: RegExp,
  more: readonly string[] = [],
): MessyCase => ({
  ...{ file, content: () => written(withZ(of)), twin: largeTwin },
  notes: [thousands(firstGap(of, gap)), ...more],
});

export const numberCases: readonly MessyCase[] = [
  {
    file: "one-odd-cell.csv",
    content: () => written(withZ((z, i) => (i === 16 ? "1.2.3" : z))),
    says: 'FILE: column "z" holds "1.2.3" in row 17, where 47 of 48 cells are numbers; correct it, or use --na 1.2.3 if that means a missing value, --text z if all of them are words, or leave the column out with --exclude z.',
  },
  {
    ...{ file: "one-odd-cell-named.csv", options: { na: ["1.2.3"] } },
    content: () => written(withZ((z, i) => (i % 7 === 3 ? "1.2.3" : z))),
    ...{ twin: holes, notes: ['"1.2.3" counts as missing in "z".'] },
  },
  {
    file: "two-odd-cells.csv",
    content: () => written(withZ((z, i) => (i === 4 ? "abc" : i === 9 ? "x y" : z))),
    says: 'FILE: column "z" holds "abc" in row 5 and 1 more cell like it, where 46 of 48 cells are numbers; correct them, or use --na abc,"x y" if that means a missing value, --text z if all of them are words, or leave the column out with --exclude z.',
  },
  {
    file: "five-or-more.csv",
    content: () => written(withZ((z) => (z > 0.5 ? "5+" : Math.round(Math.abs(z) * 4)))),
    says: `FILE: column "z" holds "5+" in row ${base().z.findIndex((z) => z > 0.5) + 1} and ${base().z.filter((z) => z > 0.5).length - 1} more cells like it, where ${base().z.filter((z) => z <= 0.5).length} of 48 cells are numbers; correct them, or use --na "5+" if that means a missing value, --text z if all of them are words, or leave the column out with --exclude z.`,
  },
  hole("question-marks.csv", "?"),
  hole("dots.csv", "."),
  hole("dashes.csv", "-"),
  hole("excel-errors.csv", "#N/A"),
  hole("none.csv", "None"),
  hole("missing-in-words.csv", "missing"),
  hole("not-available.csv", "n.a."),
  hole("blanks.csv", "   ", []),
  hole("null.csv", "NULL", []),
  {
    file: "many-words.csv",
    content: () => written(withZ((z, i) => (i % 7 === 3 ? ["?", "-", "unknown"][i % 3] : z))),
    ...{ twin: holes, notes: ['"?", "-" and "unknown" count as missing in "z".'] },
  },
  {
    ...{ file: "minus-999.csv", options: { na: ["-999"] } },
    content: () => written(withZ((z, i) => (i % 7 === 3 ? -999 : z))),
    ...{ twin: holes, cells: "none" },
  },
  grouped("thousands-english.csv", (z, i) => english(large(z, i)), /,/),
  grouped("thousands-space.csv", (z, i) => english(large(z, i), " "), / /),
  grouped("thousands-narrow-space.csv", (z, i) => english(large(z, i), "\u202f"), /\u202f/),
  grouped("thousands-apostrophe.csv", (z, i) => english(large(z, i), "'"), /'/),
  grouped("dollars.csv", (z, i) => `$${english(large(z, i))}`, /,/, ['"z" is read without $.']),
  grouped("pounds-after.csv", (z, i) => `${english(large(z, i))} GBP`, /,/, ['"z" is read without GBP.']),
  {
    file: "thousands-whole.csv",
    content: () => written(withZ((z) => english(wholes(z)))),
    ...{ twin: () => withZ(wholes), notes: [thousands(firstGap((z) => english(wholes(z)), /,/))] },
  },
  {
    file: "lakhs.csv",
    content: () =>
      written(
        withZ(
          (z, i) => `${(i % 80) + 10},${String((Math.round(Math.abs(z) * 30) % 90) + 10)},${String(100 + i)}`,
        ),
      ),
    twin: () =>
      withZ((z, i) =>
        Number(`${(i % 80) + 10}${String((Math.round(Math.abs(z) * 30) % 90) + 10)}${100 + i}`),
      ),
    notes: [thousands(`10,${(Math.round(Math.abs(base().z[0]) * 30) % 90) + 10},100`)],
  },
  {
    file: "thousands-or-decimals.tsv",
    content: () => written(telling(threeDigits(",")), { delimiter: "\t" }),
    says: `FILE: column "z" holds "${threeDigits(",")(base().z[0])}" in row 1, which may be ${threeDigits("")(base().z[0])} or ${Number(threeDigits(".")(base().z[0]))}; say which with --decimal . or --decimal ,.`,
  },
  {
    ...{ file: "thousands-or-decimals-told.tsv", options: { decimal: "," } },
    content: () => written(telling(threeDigits(",")), { delimiter: "\t" }),
    twin: () => telling((z) => Number(threeDigits(".")(z))),
    notes: [`"z" has decimal commas, as in ${threeDigits(",")(base().z[0])}.`],
  },
  {
    file: "decimal-commas.csv",
    content: () => {
      const { who, x, z, g, y } = base();
      const comma = (values: readonly number[]) => values.map((value) => String(value).replace(".", ","));
      return written({ who, x: comma(x), z: comma(z), g, y: comma(y) }, { delimiter: ";" });
    },
    ...{
      twin: clean,
      notes: [`"x", "z", "y" have decimal commas, as in ${String(base().x[0]).replace(".", ",")}.`],
    },
  },
  {
    file: "euros.csv",
    content: () =>
      written(
        inGermany((z, i) => `${german(large(z, i))} €`),
        { delimiter: ";" },
      ),
    twin: largeTwin,
    notes: [
      `"x", "z", "y" have decimal commas, as in ${comma(base().x[0])}.`,
      thousands(firstGap((z, i) => `${german(large(z, i))} €`, /\./)),
      '"z" is read without €.',
    ],
  },
  {
    // The trap of an export from a country with decimal commas: 1.234 is a thousand there.
    file: "points-between-thousands.csv",
    content: () => {
      const { who, x, z, g, y } = base();
      const [whole, comma] = [
        z.map((v) => 1000 + (wholes(v) % 9000)),
        (v: number) => String(v).replace(".", ","),
      ];
      return written(
        { who, x: x.map(comma), z: whole.map((v) => german(v)), g, y: y.map(comma) },
        { delimiter: ";" },
      );
    },
    twin: () => withZ((z) => 1000 + (wholes(z) % 9000)),
    notes: [
      `"x", "z", "y" have decimal commas, as in ${String(base().x[0]).replace(".", ",")}.`,
      thousands(german(1000 + (wholes(base().z[0]) % 9000))),
    ],
  },
  {
    file: "commas-and-points.csv",
    content: () => written(withZ((_, i) => (i === 20 ? "1,5" : 0.25 + i / 4))),
    says: 'FILE: column "z" holds "1,5" in row 21 beside "0.25" in row 1: decimal commas and decimal points; correct one of them, or use --na "1,5" or --text z.',
  },
  {
    file: "two-currencies.csv",
    content: () => written(withZ((z, i) => `${i === 5 ? "€" : "$"}${Math.abs(z)}`)),
    says: `FILE: column "z" holds "$${Math.abs(base().z[0])}" in row 1 and "€${Math.abs(base().z[5])}" in row 6, which are not in the same unit; correct them, or leave the column out with --exclude z.`,
  },
  {
    file: "percent.csv",
    content: () => written(withZ((z) => `${z}%`)),
    ...{ twin: clean, notes: ['"z" is in percent: 45% counts as 45.'] },
  },
  {
    file: "percent-and-shares.csv",
    content: () => written(withZ((z, i) => (i === 7 ? 0.45 : `${Math.abs(z)}%`))),
    says: `FILE: column "z" holds "${Math.abs(base().z[0])}%" in row 1 and "0.45" in row 8, which are not in the same unit; correct them, or leave the column out with --exclude z.`,
  },
  { file: "apostrophes.csv", content: () => written(withZ((z) => `'${z}`)), twin: clean },
  { file: "spaces-around.csv", content: () => written(withZ((z) => `  ${z} `)), twin: clean },
  { file: "brackets.csv", content: () => written(withZ((z) => (z < 0 ? `(${-z})` : z))), twin: clean },
  {
    file: "long-minus.csv",
    content: () => written(withZ((z) => String(z).replace("-", "\u2212"))),
    twin: clean,
  },
  { file: "minus-behind.csv", content: () => written(withZ((z) => (z < 0 ? `${-z}-` : z))), twin: clean },
  {
    file: "post-codes.csv",
    content: () => written(withZ((_, i) => ["02134", "10001", "94110"][i % 3])),
    ...{ twin: () => withZ((_, i) => ["02134", "10001", "94110"][i % 3]), twinOptions: { text: ["z"] } },
    notes: ['"z" holds codes with leading zeros, such as 02134: taken as words; --number counts them.'],
    mixed: false,
  },
  {
    ...{ file: "post-codes-counted.csv", options: { number: ["z"] } },
    content: () => written(withZ((_, i) => ["02134", "10001", "94110"][i % 3])),
    twin: () => withZ((_, i) => [2134, 10001, 94110][i % 3]),
  },
];
