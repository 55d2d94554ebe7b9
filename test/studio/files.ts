/** The same small table in every format that the page opens. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { crime, type Given, given } from "./page.js";

/** A few columns are enough to tell whether a format is read, and the target is the last. */
const KEPT = 6;

const [head, ...lines] = readFileSync(crime, "utf8")
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(",").slice(-KEPT));
export const names = head.map((name) => name.replaceAll('"', ""));
export const rows = lines.map((line) => line.map(Number));
const text = [names, ...lines].map((line) => line.join(",")).join("\n");

const column = (c: number): Float64Array => Float64Array.from(rows, (row) => row[c]);
const arrow = tableToIPC(
  tableFromArrays(Object.fromEntries(names.map((name, c) => [name, column(c)]))),
  "file",
);
const libsvm = rows
  .map(
    (row) =>
      `${row.at(-1)} ${row
        .slice(0, -1)
        .map((value, c) => `${c + 1}:${value}`)
        .join(" ")}`,
  )
  .join("\n");

/** Targets are the last column; in LIBSVM it is called label. */
export const formats: readonly { readonly file: Given; readonly target: string }[] = [
  { file: given("crime.csv", text), target: "y" },
  { file: given("crime.csv.gz", gzipSync(text)), target: "y" },
  { file: given("crime.tsv", [names, ...lines].map((line) => line.join("\t")).join("\n")), target: "y" },
  {
    file: given(
      "crime.jsonl",
      rows.map((row) => JSON.stringify(Object.fromEntries(row.map((v, c) => [names[c], v])))).join("\n"),
    ),
    target: "y",
  },
  { file: given("crime.arrow", arrow), target: "y" },
  { file: given("crime.svm", `${libsvm}\n`), target: "label" },
];
