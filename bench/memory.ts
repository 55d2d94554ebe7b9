/**
 * node --import tsx bench/memory.ts [rows] [words]: the most that a process holds, by format, shape and `--memory`. Files
 * are made of a few thousand different rows, so that making them takes little. Only the cases are done whose name holds
 * the words.
 */

import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { RecordBatchFileWriter, tableFromArrays } from "apache-arrow";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { duckdb } from "../src/tables/duckdb/package.js";
import { workbook } from "../test/messy/workbook.js";

const LONG = Number(process.argv[2] ?? 1_000_000);
const only = process.argv[3];
const program = join(import.meta.dirname, "../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "memory-"));
const at = (name: string) => join(folder, name);
const rng = Rng.seeded(1);

type Write = (values: readonly string[], names: readonly string[]) => string;
const csv: Write = (values) => values.join(",");
const json: Write = (values, names) => `{${values.map((value, i) => `"${names[i]}":${value}`).join(",")}}`;
const libsvm: Write = (values) =>
  `${values.at(-1)} ${values
    .slice(0, -1)
    .map((v, i) => `${i + 1}:${v}`)
    .join(" ")}`;

function make(name: string, rows: number, columns: number, write: Write): string {
  const names = [...Array.from({ length: columns }, (_, j) => `x${j + 1}`), "y"];
  const some = Array.from({ length: Math.min(rows, 2000) }, () =>
    write(
      names.map(() => normal(rng).toFixed(4)),
      names,
    ),
  );
  const file = openSync(at(name), "w");
  if (write === csv) writeSync(file, `${names.join(",")}\n`);
  for (let done = 0; done < rows; done += some.length) {
    writeSync(file, `${some.slice(0, rows - done).join("\n")}\n`);
    some.reverse();
  }
  closeSync(file);
  return at(name);
}

/** The same table in another format. */
async function asParquet(path: string): Promise<string> {
  const { DuckDBInstance } = await duckdb();
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const to = path.replace(/csv$/, "parquet");
  const limits = "max_line_size=67108864, buffer_size=134217728";
  await connection.run(`COPY (SELECT * FROM read_csv('${path}', ${limits})) TO '${to}'`);
  connection.closeSync();
  instance.closeSync();
  return to;
}

/** Numbers as arrays, by the names of the columns. */
function columnsOf(rows: number, count: number): Record<string, Float64Array> {
  const names = [...Array.from({ length: count }, (_, j) => `x${j + 1}`), "y"];
  return Object.fromEntries(
    names.map((name) => [name, Float64Array.from({ length: rows }, () => normal(rng))]),
  );
}

/** Batches of 10,000 rows, the same one again and again. */
function makeArrow(name: string, rows: number, count: number): string {
  const batch = tableFromArrays(columnsOf(Math.min(rows, 10_000), count)).batches[0];
  const writer = new RecordBatchFileWriter();
  const file = openSync(at(name), "w");
  for (let done = 0; done < rows; done += batch.numRows) writer.write(batch);
  writer.finish();
  writeSync(file, writer.toUint8Array(true));
  closeSync(file);
  return at(name);
}

function makeWorkbook(name: string, rows: number, count: number): string {
  const columns = columnsOf(rows, count);
  const rounded = Object.entries(columns).map(([key, values]) => [
    key,
    Array.from(values, (v) => Number(v.toFixed(4))),
  ]);
  writeFileSync(at(name), workbook({ Data: Object.fromEntries(rounded) }));
  return at(name);
}

const HOOK = `data:text/javascript,process.on("exit",()=>process.stderr.write("held "+process.resourceUsage().maxRSS))`;

function held(
  argv: readonly string[],
  input?: string,
): { readonly megabytes: number; readonly words: string } {
  const { stderr } = spawnSync(process.execPath, ["--import", HOOK, program, ...argv, "--quiet"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: [input === undefined ? "ignore" : openSync(input, "r"), "pipe", "pipe"],
  });
  const [words, kilobytes] = stderr.split("held ");
  return { megabytes: Math.round(Number(kilobytes) / 1000), words: words.trim() };
}

/** Node, the program and DuckDB with what it needs whatever is asked: what a bound is over and above. */
const BASE = 400;
const rows: string[] = [];

const isWanted = (what: string): boolean => only === undefined || what.includes(only);

function tell(what: string, path: string, argv: readonly string[], memory?: number): void {
  if (!isWanted(what)) return;
  const asked = [...argv, ...(memory === undefined ? [] : ["--memory", `${memory}MB`])];
  const { megabytes, words } = held(asked, argv.includes("-") ? path : undefined);
  const bound = memory === undefined ? "" : String(Math.round(1.3 * memory + BASE));
  const size = Math.round(statSync(path).size / 1e5) / 10;
  const row = `| ${what} | ${size} MB | ${memory ?? ""} | ${megabytes} | ${bound} | ${words === "" ? "" : words.replaceAll(folder, "…").slice(0, 90)} |`;
  rows.push(row);
  process.stderr.write(`${row}\n`);
}

const fit = (path: string) => [
  "fit",
  path,
  "--target",
  "y",
  "--seed",
  "1",
  "--json",
  "--out",
  at(`run${rows.length}`),
];
const read = (path: string) => ["verify", path];
const kept = (path: string, name = `store${rows.length}.sparrow`) => [
  "import",
  path,
  "--target",
  "y",
  "--out",
  at(name),
];

/** Parquet, Arrow and workbooks, long and wide. */
async function columnar(): Promise<void> {
  if (isWanted("Parquet long")) {
    const path = await asParquet(make("columns.csv", LONG, 40, csv));
    for (const memory of [50, 300]) tell(`Parquet long, ${LONG} × 41, import`, path, kept(path), memory);
    for (const memory of [50, 300]) tell(`Parquet long, ${LONG} × 41, fit`, path, fit(path), memory);
  }
  for (const [count, columns] of [
    [20, 50_000],
    [500, 20_000],
  ]) {
    if (!isWanted(`Parquet wide, ${count}`)) continue;
    const path = await asParquet(make(`wide-columns${count}.csv`, count, columns, csv));
    tell(`Parquet wide, ${count} × ${columns + 1}, read`, path, read(path));
    tell(`Parquet wide, ${count} × ${columns + 1}, fit`, path, fit(path), 300);
  }
  if (isWanted("Arrow")) {
    const path = makeArrow("long.arrow", LONG / 2, 40);
    for (const memory of [50, 300]) tell(`Arrow, ${LONG / 2} × 41, fit`, path, fit(path), memory);
    const wide = makeArrow("wide.arrow", 500, 20_000);
    tell("Arrow wide, 500 × 20001, fit", wide, fit(wide), 300);
  }
  if (isWanted("Workbook")) {
    const path = makeWorkbook("book.xlsx", LONG / 20, 20);
    for (const memory of [100, 1000]) tell(`Workbook, ${LONG / 20} × 21, fit`, path, fit(path), memory);
  }
  if (isWanted("JSON array")) {
    const lines = make("array.jsonl", LONG / 10, 10, json);
    writeFileSync(at("array.json"), `[${readFileSync(lines, "utf8").trim().replaceAll("\n", ",\n")}]`);
    for (const memory of [50, 1000])
      tell(`JSON array, ${LONG / 10} × 11, fit`, at("array.json"), fit(at("array.json")), memory);
  }
}

/** Stores larger than what may be held. */
function stores(): void {
  if (!isWanted("Store")) return;
  const dense = at("dense.sparrow");
  held(kept(make("for-store.csv", LONG, 40, csv), "dense.sparrow"));
  for (const memory of [50, 300]) tell(`Store, ${LONG} × 41, fit`, dense, ["fit", dense, "--json"], memory);
  const sparse = at("sparse.sparrow");
  held(["import", make("for-store.svm", LONG / 2, 40, libsvm), "--out", sparse]);
  for (const memory of [50, 300])
    tell(`Store of LIBSVM, ${LONG / 2} × 40, fit`, sparse, ["fit", sparse, "--json"], memory);
}

/** Commands besides \`fit\` and \`import\`. */
function others(): void {
  const words = ["mixed", "predict", "compare", "clusters", "states", "reproduce", "describe"];
  if (!words.some((word) => isWanted(word))) return;
  const path = make("others.csv", LONG, 40, csv);
  if (isWanted("mixed")) {
    const groups = at("groups.csv");
    const file = openSync(groups, "w");
    writeSync(file, "g,x1,x2,y\n");
    for (let done = 0; done < LONG; done += 1000) {
      const some = Array.from(
        { length: 1000 },
        (_, i) =>
          `g${(done + i) % (LONG / 20)},${normal(rng).toFixed(4)},${normal(rng).toFixed(4)},${normal(rng).toFixed(4)}`,
      );
      writeSync(file, `${some.join("\n")}\n`);
    }
    closeSync(file);
    const asked = ["mixed", groups, "--target", "y", "--iterations", "200"];
    for (const memory of [50, 300])
      tell(
        `mixed, ${LONG} × 4, ${LONG / 20} groups`,
        groups,
        [...asked, "--group", "g", "--random", "x1", "--out", at(`mixed${memory}`)],
        memory,
      );
    const formula = ["mixed", groups, "--formula", "y ~ x1 + x2 + (1 | g)", "--iterations", "200"];
    tell(`mixed by formula, ${LONG} × 4, ${LONG / 20} groups`, groups, formula, 300);
  }
  if (isWanted("predict")) {
    held(["fit", make("small.csv", 2000, 40, csv), "--target", "y", "--out", at("model")]);
    for (const memory of [50, 300])
      tell(
        `predict, ${LONG} × 41`,
        path,
        ["predict", at("model"), path, "--out", at(`predicted${memory}.csv`)],
        memory,
      );
  }
  if (isWanted("compare")) {
    for (const method of ["esgld", "rjmh", "sam", "blasso", "lasso", "mcp", "scad"]) {
      const asked = ["compare", path, "--target", "y", "--methods", method, "--json"];
      tell(`compare by ${method}, ${LONG} × 41`, path, asked, 50);
    }
  }
  if (isWanted("clusters"))
    tell(
      `clusters, ${LONG} × 3`,
      path,
      ["clusters", path, "--columns", "x1,x2,y", "--components", "2", "--json"],
      300,
    );
  if (isWanted("states"))
    tell(
      `states, ${LONG} × 3`,
      path,
      ["states", path, "--columns", "x1,x2,y", "--states", "2", "--iterations", "200", "--json"],
      50,
    );
  if (isWanted("reproduce")) {
    // It makes its own data, and is told nothing of memory.
    const asked = ["reproduce", "table1", "--datasets", "1", "--rows", String(LONG), "--columns", "40"];
    tell(`reproduce table1, ${LONG} × 41`, path, [...asked, "--methods", "esgld,sam"]);
  }
  if (isWanted("describe"))
    for (const memory of [50, 300])
      tell(`describe, ${LONG} × 41`, path, ["describe", path, "--target", "y"], memory);
}

/** Text in lines: long, wide, packed and nested. */
function texts(): void {
  if (!["CSV", "JSON lines", "LIBSVM"].some(isWanted)) return;
  const long = make("long.csv", LONG, 40, csv);
  const shape = `${LONG} × 41`;
  for (const memory of [50, 300]) tell(`CSV ${shape}, import`, long, kept(long), memory);
  for (const memory of [50, 300]) tell(`CSV ${shape}, fit`, long, fit(long), memory);
  const wide: [string, number, number][] = [
    ["20 × 50,001", 20, 50_000],
    ["3 × 100,001", 3, 100_000],
    ["500 × 20,001", 500, 20_000],
  ];
  for (const [words, count, columns] of wide) {
    const path = make(`wide${columns}.csv`, count, columns, csv);
    tell(`CSV ${words}, read`, path, read(path));
    if (count > 3) tell(`CSV ${words}, fit`, path, fit(path), 300);
    const lines = make(`wide${columns}.jsonl`, count, columns, json);
    tell(`JSON lines ${words}, read`, lines, read(lines));
    if (count > 3) tell(`JSON lines ${words}, fit`, lines, fit(lines), 300);
  }
  const fifth = LONG / 5;
  const lines = make("long.jsonl", fifth, 10, json);
  tell(`JSON lines ${fifth} × 11, fit`, lines, fit(lines), 100);
  const sparse = make("long.svm", fifth, 40, libsvm);
  tell(`LIBSVM ${fifth} × 40, fit`, sparse, ["fit", sparse, "--seed", "1", "--json"], 100);
  const part = make("part.csv", fifth, 40, csv);
  writeFileSync(at("part.csv.gz"), gzipSync(readFileSync(part), { level: 1 }));
  tell(`CSV gz ${fifth} × 41, fit`, at("part.csv.gz"), fit(at("part.csv.gz")), 100);
  const nested = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)},"y":1}\n`;
  writeFileSync(at("nested.jsonl"), nested + nested + nested);
  tell("JSON lines, 50,000 nested brackets", at("nested.jsonl"), read(at("nested.jsonl")));
  writeFileSync(at("unclosed.jsonl"), `{"a":${"[".repeat(5_000_000)}\n`);
  tell("JSON lines, 5,000,000 open brackets", at("unclosed.jsonl"), read(at("unclosed.jsonl")));
}

/** Shapes and packings that readers meet less often. */
function rarer(): void {
  if (!isWanted("Rarer")) return;
  const fifth = LONG / 5;
  const long = make("rarer.csv", fifth, 40, csv);
  for (const [tool, ending] of Object.entries({ bzip2: "bz2", xz: "xz", zstd: "zst" })) {
    if (spawnSync(tool, ["-q", "-1", "-k", long]).status !== 0) continue;
    const packed = `${long}.${ending}`;
    tell(`Rarer: CSV ${ending} ${fifth} × 41, fit`, packed, fit(packed), 100);
  }
  writeFileSync(at("rarer.tsv"), readFileSync(long, "utf8").replaceAll(",", "\t"));
  tell(`Rarer: TSV ${fifth} × 41, fit`, at("rarer.tsv"), fit(at("rarer.tsv")), 100);
  tell(`Rarer: standard input ${fifth} × 41, fit`, long, ["fit", "-", "--target", "y", "--json"], 100);
  const far = Array.from({ length: 5000 }, (_, i) => {
    const places = Array.from({ length: 50 }, () => rng.below(20_000)).map((place, k) => 20_000 * k + place);
    return `${i % 2} ${places.map((place) => `${place + 1}:1`).join(" ")}`;
  });
  writeFileSync(at("far.svm"), `${far.join("\n")}\n`);
  tell("Rarer: LIBSVM 5,000 × 1,000,000, 50 each, read", at("far.svm"), read(at("far.svm")));
  const importing = ["import", at("far.svm"), "--out", at("far.sparrow")];
  tell("Rarer: LIBSVM 5,000 × 1,000,000, 50 each, import", at("far.svm"), importing, 300);
  tell("Rarer: that store, read", at("far.sparrow"), read(at("far.sparrow")));
  const lines = make("rarer.jsonl", 20, 20_000, json);
  writeFileSync(at("rarer.json"), `[${readFileSync(lines, "utf8").trim().replaceAll("\n", ",")}]`);
  tell("Rarer: JSON array 20 × 20,001, fit", at("rarer.json"), fit(at("rarer.json")), 300);
  const book = makeWorkbook("rarer.xlsx", 50, 5000);
  tell("Rarer: workbook 50 × 5,001, fit", book, fit(book), 300);
}

try {
  texts();
  rarer();
  await columnar();
  stores();
  others();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  "| what | file | --memory | most held, MB | 1.3 × memory + 400 | said |\n|---|---:|---:|---:|---:|---|",
);
for (const row of rows) console.log(row);
