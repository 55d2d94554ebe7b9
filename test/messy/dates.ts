/** Dates and times, in the ways in which people write them. */

import { withColumn, written } from "./base.js";
import type { MessyCase } from "./case.js";

const DAY = 86_400_000;
/** Days of the year 2023, in no order; from the 13th of a month on where the order must show. */
const late = (i: number): Date => new Date(Date.UTC(2023, (i * 5) % 12, 13 + ((i * 7) % 15)));
const early = (i: number): Date => new Date(Date.UTC(2023, (i * 5) % 12, 1 + ((i * 7) % 12)));
const moment = (i: number): Date => new Date(late(i).getTime() + 3_600_000 * (i % 24) + 60_000 * (i % 60));
const two = (n: number): string => String(n).padStart(2, "0");
const parts = (date: Date) =>
  [date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate())] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const month = (date: Date): string => MONTHS[date.getUTCMonth()];

const american = (date: Date): string => `${parts(date)[1]}/${parts(date)[2]}/${parts(date)[0]}`;
const european = (date: Date): string => `${parts(date)[2]}/${parts(date)[1]}/${parts(date)[0]}`;

type Write = (date: Date, i: number) => string | number;
const dated = (
  file: string,
  write: Write,
  notes: readonly string[] = [],
  day: (i: number) => Date = late,
): MessyCase => ({
  file,
  content: () => written(withColumn("day", (i) => write(day(i), i))),
  twin: () => withColumn("day", day),
  notes,
});
const DAY_FIRST = '"day" is a date with the day first.';
const MONTH_FIRST = '"day" is a date with the month first.';

export const dateCases: readonly MessyCase[] = [
  dated("dates-iso.csv", (date) => date.toISOString().slice(0, 10)),
  dated("dates-slashes.csv", (date) => parts(date).join("/")),
  dated("dates-american.csv", american, [MONTH_FIRST]),
  dated("dates-european.csv", european, [DAY_FIRST]),
  dated("dates-german.csv", (date) => [...parts(date)].reverse().join("."), [DAY_FIRST], early),
  dated("dates-two-digits.csv", (date) => american(date).replace("2023", "23"), [MONTH_FIRST]),
  dated("dates-month-names.csv", (date) => `${date.getUTCDate()} ${month(date)} ${date.getUTCFullYear()}`),
  dated("dates-oracle.csv", (date) => `${parts(date)[2]}-${month(date).toUpperCase()}-23`),
  dated("dates-in-words.csv", (date) => `${month(date)} ${date.getUTCDate()}, ${date.getUTCFullYear()}`),
  dated("dates-eight-digits.csv", (date) => Number(parts(date).join("")), [
    `"day" is a date in eight digits, as ${Math.min(...Array.from({ length: 48 }, (_, i) => Number(parts(late(i)).join(""))))}.`,
  ]),
  dated(
    "dates-quarters.csv",
    (date) => `${date.getUTCFullYear()}Q${1 + Math.floor(date.getUTCMonth() / 3)}`,
    [],
    (i) => new Date(Date.UTC(2023, 3 * Math.floor(late(i).getUTCMonth() / 3), 1)),
  ),
  dated("moments.csv", (date) => date.toISOString().slice(0, 16).replace("T", " "), [], moment),
  dated(
    "moments-american.csv",
    (date, i) => {
      const hour = (i % 24) % 12 || 12;
      return `${american(date)} ${hour}:${two(i % 60)} ${i % 24 < 12 ? "AM" : "PM"}`;
    },
    [MONTH_FIRST],
    moment,
  ),
  dated(
    "moments-with-zones.csv",
    (date, i) => {
      const shift = (i % 5) - 2;
      const there = new Date(date.getTime() + 3_600_000 * shift).toISOString().slice(0, 19);
      return `${there}${shift < 0 ? "-" : "+"}${two(Math.abs(shift))}:00`;
    },
    [],
    moment,
  ),
  {
    ...dated(
      "seconds-since-1970.csv",
      (date) => date.getTime() / 1000,
      ['"day" counts seconds since 1970: taken as a date.'],
      moment,
    ),
  },
  dated(
    "milliseconds-since-1970.csv",
    (date) => date.getTime(),
    ['"day" counts milliseconds since 1970: taken as a date.'],
    moment,
  ),
  {
    file: "dates-both-ways.csv",
    content: () => written(withColumn("day", (i) => european(early(i)))),
    says: 'FILE: column "day" holds "08/06/2023" in row 2, which may be 8 June 2023 or 6 August 2023; say which with --date-format dmy or --date-format mdy, or leave the column out with --exclude day.',
    mixed: false,
  },
  {
    ...dated("dates-both-ways-told.csv", european, [DAY_FIRST], early),
    options: { dateFormat: "dmy" },
  },
  {
    ...dated("dates-by-pattern.csv", (date) => `${parts(date)[0]}|${parts(date)[2]}|${parts(date)[1]}`, [
      '"day" is a date of the form %Y|%d|%m.',
    ]),
    options: { dateFormat: "%Y|%d|%m" },
  },
  {
    file: "dates-in-two-orders.csv",
    content: () => written(withColumn("day", (i) => (i === 30 ? american(late(30)) : european(late(i))))),
    says: `FILE: column "day" holds "${european(late(0))}" in row 1, with the day first, and "${american(late(30))}" in row 31, with the month first; correct one of them, or use --date-format or --text day, or leave the column out with --exclude day.`,
    mixed: false,
  },
  {
    file: "dates-with-a-word.csv",
    content: () => written(withColumn("day", (i) => (i === 9 ? "soon" : late(i).toISOString().slice(0, 10)))),
    says: 'FILE: column "day" holds "soon" in row 10, where 47 of 48 cells are dates; correct it, or use --na soon if that means a missing value, --text day if all of them are words, or leave the column out with --exclude day.',
    mixed: false,
  },
  {
    file: "dates-with-holes.csv",
    content: () =>
      written(withColumn("day", (i) => (i % 9 === 2 ? "unknown" : late(i).toISOString().slice(0, 10)))),
    twin: () => withColumn("day", (i) => (i % 9 === 2 ? null : late(i))),
    notes: ['"unknown" counts as missing in "day".'],
  },
  {
    file: "times-of-day.csv",
    content: () => written(withColumn("day", (i) => `${two((i * 5) % 24)}:${two((i * 13) % 60)}`)),
    twin: () => withColumn("day", (i) => (60 * ((i * 5) % 24) + ((i * 13) % 60)) / 60),
    notes: ['"day" is a time of the day: counted in hours.'],
  },
];

export const days = (date: Date): number => date.getTime() / DAY;
