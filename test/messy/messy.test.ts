import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, describe as suite } from "vitest";
import { withTable } from "../../src/browser/with-table.js";
import { describe as describeInPage } from "../../src/browser.js";
import { SparrowError } from "../../src/errors.js";
import { describeData } from "../../src/node/describe-data.js";
import { importData } from "../../src/node/import-data.js";
import { mixedData } from "../../src/node/mixed-data.js";
import { runData } from "../../src/node/run-data.js";
import type { ReadAsked } from "../../src/node.js";
import { spokenDescription, spokenMixed, spokenRecord, spokenRun } from "../../src/report/spoken.js";
import { readImported } from "../../src/selection/data/read.js";
import { csvHeader } from "../../src/tables/duckdb/csv-header.js";
import type { Data } from "../../src/tables/open.js";
import { readingOf } from "../../src/tables/reading-asked.js";
import { asFlag } from "../../src/wording.js";
import type { Columns } from "./base.js";
import { cases } from "./cases.js";
import { classicCases } from "./classics.js";

/** A test where it says something; a fit of every file would take minutes and tell no more than every twelfth. */
const itWhere =
  (wanted: boolean) =>
  (name: string, test: () => Promise<void>): void => {
    if (wanted) it(name, test);
  };

// Every messy file through every door: each gives the answer of its clean twin, or the sentence that a person would
// want, and says what was done to get there.

const folder = "test/messy/files";
const at = (file: string) => join(folder, file);

it("has its folder of files, which are those that the table of cases makes", () => {
  expect(readdirSync(folder).sort()).toEqual(cases.map(({ file }) => file).sort());
  expect(cases.length).toBeGreaterThanOrEqual(60);
  for (const { file, content } of cases) {
    expect(Buffer.compare(readFileSync(at(file)), Buffer.from(content())), file).toBe(0);
  }
});

type Told = { readonly notes: readonly string[]; readonly answer: unknown } | { readonly says: string };

/** What is said, with the name of the file taken out, in the words of the command line. */
async function told(
  name: string,
  work: () => Promise<{ notes: readonly string[]; answer: unknown }>,
): Promise<Told> {
  const plain = (sentence: string) => sentence.replaceAll(name, "FILE");
  try {
    const { notes, answer } = await work();
    return { notes: notes.map(plain), answer };
  } catch (error) {
    if (error instanceof SparrowError) return { says: plain(error.commandLine) };
    throw error;
  }
}

const rounded = (value: number) => Number(value.toPrecision(8));

async function fitted(data: Data, target: string, options: ReadAsked) {
  const marked = await runData(data, { ...options, target, missing: "mean", threads: 1 });
  const { variables, rows, family, notes = [] } = spokenRun(marked, asFlag).result;
  const answer = variables.map(({ name, pip, mean }) => [name, rounded(pip), rounded(mean)]);
  return { notes, answer: { rows, family, answer } };
}

/** The numbers that a fit would see, by their checksum, and all that is said of them. */
async function imported(data: Data, target: string, options: ReadAsked) {
  const path = join(mkdtempSync(join(tmpdir(), "sparrow-messy-")), "a.sparrow");
  try {
    const { encoding, checksum, notes } = await importData(
      data,
      path,
      { ...options, target, missing: "mean" },
      asFlag,
    );
    const columns = encoding.columns.map(({ reading: _, ...column }) => column);
    return { notes, answer: { checksum, columns } };
  } finally {
    rmSync(join(path, ".."), { recursive: true, force: true });
  }
}

const inPage = (file: string) => Object.assign(new Blob([readFileSync(at(file))]), { name: file });

/** The same in a page, where files are read without DuckDB. */
async function importedInPage(file: string, target: string, options: ReadAsked) {
  const asked = { ...options, target, missing: "mean" as const };
  return withTable(inPage(file), readingOf(asked), async (table) => {
    const reading = await readImported(table, asked, (rows) => rows, undefined, Number.POSITIVE_INFINITY);
    reading.close();
    const { encoding, checksum, notes } = spokenRecord(reading.imported.record, asFlag);
    const columns = encoding.columns.map(({ reading: _, ...column }) => column);
    return { notes, answer: { checksum, columns } };
  });
}

async function mixedOf(data: Data, options: ReadAsked) {
  const asked = {
    ...options,
    target: "y",
    group: "who",
    fixed: ["x", "z"],
    iterations: 20,
    chains: 2,
    threads: 1,
  };
  const { result } = spokenMixed(await mixedData(data, asked), asFlag);
  const answer = result.fixed.map(({ name, mean }) => [name, rounded(mean)]);
  return { notes: result.notes ?? [], answer: { rows: result.rows, answer } };
}

async function described(data: Data, target: string, options: ReadAsked) {
  const marked = await describeData(data, { ...options, target });
  const whole = spokenDescription(marked, asFlag);
  const { columns, rows, notes, target: about } = whole;
  const used = columns.filter(({ role }) => role !== "aside").map(({ odd: _, ...column }) => column);
  const problem = columns.find((column) => column.problem !== undefined)?.problem;
  return { notes, answer: { rows, family: about?.family, columns: used }, problem, whole };
}

/** The cells of a plain delimited file, as texts. */
function cellsOf(file: string): Columns {
  const lines = readFileSync(at(file), "utf8").trimEnd().split(/\r?\n/);
  const { delimiter, names } = csvHeader(lines[0]);
  const rows = lines.slice(1).map((line) => csvHeader(line, { delimiters: [delimiter] }).names);
  return Object.fromEntries(names.map((name, c) => [name.trim(), rows.map((row) => row[c])]));
}

/** What is said beside what the twin says as well. */
const beyond = (found: Told, twin: { readonly notes: readonly string[] }) =>
  "notes" in found ? found.notes.filter((note) => !twin.notes.includes(note)) : [];

type Way<T> = (data: Data, target: string, options: ReadAsked) => Promise<T>;
const known = new Map<string, Promise<unknown>>();

/** Many files have the same twin. */
function twin<T>(way: Way<T>, columns: Columns, target: string, options: ReadAsked): Promise<T> {
  const key = JSON.stringify([way.name, columns, target, options]);
  const answer = known.get(key) ?? way(columns, target, options);
  known.set(key, answer);
  return answer as Promise<T>;
}

/** The same numbers give the same fit: it is worth its time for some of them only. */
const isFitted = (file: string, place: number) =>
  place % 12 === 0 || classicCases.some((each) => each.file === file);

suite.each(cases.map((each, place) => [each.file, each, place] as const))("%s", (file, messy, place) => {
  const { options = {}, target = "y", says, notes = [], cells, twinOptions = {} } = messy;
  const twinOf = <T>(way: Way<T>): Promise<T> => twin(way, messy.twin!(), target, twinOptions);

  it("holds the numbers of its clean twin, or is refused, and what was done is said", async () => {
    const found = await told(at(file), () => imported(at(file), target, options));
    expect(await told(file, () => importedInPage(file, target, options))).toEqual(found);
    if (says !== undefined) {
      expect(found).toEqual({ says });
      return;
    }
    const twin = await twinOf(imported);
    expect(found).toMatchObject({ answer: twin.answer });
    expect(beyond(found, twin)).toEqual(notes);
  });

  itWhere((isFitted(file, place) || says !== undefined) && !messy.isLong)("is fitted", async () => {
    const found = await told(at(file), () => fitted(at(file), target, options));
    if (says !== undefined) expect(found).toEqual({ says });
    else expect(found).toMatchObject({ answer: (await twinOf(fitted)).answer });
  });

  it("is described", async () => {
    const found = await described(at(file), target, options);
    const named = (text: string, name: string) => text.replaceAll(name, "FILE");
    const there = await describeInPage(inPage(file), { ...options, target }, { spelling: "command" });
    expect(named(JSON.stringify(there), file)).toBe(named(JSON.stringify(found.whole), at(file)));
    if (says !== undefined) {
      // Names of variables clash only when they are made.
      if (!says.includes("two variables")) expect(found.problem?.replaceAll(at(file), "FILE")).toBe(says);
      return;
    }
    const twin = await twinOf(described);
    expect(found.answer).toEqual(twin.answer);
    const said = found.notes.map((note) => note.replaceAll(at(file), "FILE"));
    // Which levels are kept shows in the columns.
    for (const note of notes) if (!note.includes("most frequent are kept")) expect(said).toContain(note);
  });

  itWhere(cells !== "none")("is the same to the library, as arrays of texts", async () => {
    const columns = typeof cells === "function" ? cells() : cellsOf(file);
    const found = await told("the data", () => imported(columns, target, options));
    if (says !== undefined) expect(found).toEqual({ says });
    else expect(found).toMatchObject({ answer: (await twinOf(imported)).answer });
  });

  itWhere(messy.mixed !== false && (place % 6 === 0 || says !== undefined))(
    "is the same to a mixed model",
    async () => {
      const found = await told(at(file), () => mixedOf(at(file), options));
      if (says !== undefined) {
        expect(found).toEqual({ says: says.replace(/--exclude \w+/, "--fixed and --random") });
        return;
      }
      const twin = await mixedOf(messy.twin!(), twinOptions);
      expect(found).toMatchObject({ answer: twin.answer });
    },
  );
});
