/** What is in a table, for a terminal: one line a column, what is odd about it, and what it will become. Pure. */

import type { ColumnDescription, Description } from "../../selection/describe/describe.js";
import { percent } from "../../selection/describe/oddities.js";
import { asFlag, spelt } from "../../wording.js";
import { displayWidth, shortened } from "./display-width.js";
import { aligned, wrapped } from "./lines.js";
import { count } from "./numbers.js";

const WIDTH = 100;
const NAME_WIDTH = 28;
/** Columns that have a line. */
const MOST = 200;
const BARS = "▁▂▃▄▅▆▇█";

export function descriptionText(description: Description): string {
  const { name, rows, columns, target, notes } = description;
  const shown = columns.slice(0, MOST);
  const head = ["column", "", "missing", "values", "", ""];
  const body = shown.map((column) => line(column, rows));
  const hidden = columns.length - shown.length;
  const lines = [
    `${clean(name)}: ${count(rows, "row")}, ${count(columns.length, "column")}`,
    "",
    ...aligned([head, ...body]),
    ...(hidden > 0 ? [`and ${count(hidden, "more column")}; ${asFlag("json")} has all of them`] : []),
    "",
    ...paragraph(summary(description)),
    ...(target?.problem === undefined ? [] : paragraph(`The target cannot be used: ${target.problem}`)),
    ...columns.flatMap(({ problem, role }) =>
      problem !== undefined && role === "unusable" ? paragraph(problemText(problem)) : [],
    ),
    ...notes.flatMap((note) => paragraph(`Note: ${note}`)),
  ];
  return `${lines.map((each) => each.trimEnd()).join("\n")}\n`;
}

const paragraph = (sentence: string): string[] => wrapped(clean(spelt(sentence, asFlag)), WIDTH);
const problemText = (problem: string): string =>
  problem.startsWith("holds ") ? `One column ${problem}, which cannot be read.` : problem;

function summary({ columns, target, variables }: Description): string {
  const of = (role: ColumnDescription["role"]) => columns.filter((column) => column.role === role).length;
  const parts = [
    `${count(of("variable"), "column")} would be ${count(variables, "variable")}`,
    ...(of("aside") > 0 ? [`${of("aside")} set aside`] : []),
    ...(of("left out") > 0 ? [`${of("left out")} left out`] : []),
    ...(of("unusable") > 0
      ? [`${of("unusable")} that ${of("unusable") === 1 ? "needs" : "need"} a word from you`]
      : []),
  ];
  const explained = target
    ? ` The target is ${target.name}${target.family === undefined ? "" : ` (${target.family})`}.`
    : ` Name the one to explain with ${asFlag("target", "COLUMN")}.`;
  return `${parts.join(", ")}.${explained}`;
}

function line(column: ColumnDescription, rows: number): string[] {
  const { name, missing } = column;
  return [
    shortened(clean(name), NAME_WIDTH),
    becomes(column),
    missing === 0 ? "" : percent(missing / rows),
    shortened(clean(values(column)), 44),
    column.histogram ? bars(column.histogram) : "",
    clean(spelt(column.odd.join("; "), asFlag)),
  ];
}

function becomes({ kind, role, variables }: ColumnDescription): string {
  if (role === "target") return "target";
  if (role === "aside") return "set aside";
  if (role === "left out") return "left out";
  if (role === "unusable") return "unusable";
  return kind === "text"
    ? `${count(variables + 1, "category").replace("categorys", "categories")}`
    : (kind ?? "");
}

function values({ kind, least, most, values: texts = [], different = 0, role }: ColumnDescription): string {
  if (role === "unusable") return "see below";
  if (kind === "text") {
    const shown: string[] = [];
    for (const { value } of texts) {
      if (displayWidth([...shown, value].join(", ")) > 36) break;
      shown.push(value);
    }
    const more = different - shown.length;
    return `${shown.join(", ")}${more > 0 ? ` +${more}` : ""}`;
  }
  if (least === undefined || most === undefined) return "";
  if (kind === "boolean") return "false, true";
  return least === most ? short(least) : `${short(least)} to ${short(most)}`;
}

function short(value: number | string): string {
  if (typeof value === "string") return value;
  return Number.isInteger(value) && Math.abs(value) < 1e9
    ? String(value)
    : String(Number(value.toPrecision(4)));
}

function bars(histogram: readonly number[]): string {
  const most = Math.max(...histogram);
  return histogram
    .map((rows) => (rows === 0 ? " " : BARS[Math.min(7, Math.floor((8 * rows) / (most + 1)))]))
    .join("");
}

/** Names come from files: control characters must not reach the terminal. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}
