/**
 * node --import tsx bench/memory.ts [rows]: the most that a process holds, by format, shape and `--memory`. Files are
 * made of a few thousand different rows, so that making them takes little.
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
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";

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

const HOOK = `data:text/javascript,process.on("exit",()=>process.stderr.write("held "+process.resourceUsage().maxRSS))`;

function held(argv: readonly string[]): { readonly megabytes: number; readonly words: string } {
  const { stderr } = spawnSync(process.execPath, ["--import", HOOK, program, ...argv, "--quiet"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const [words, kilobytes] = stderr.split("held ");
  return { megabytes: Math.round(Number(kilobytes) / 1000), words: words.trim() };
}

/** Node, the program and DuckDB with what it needs whatever is asked: what a bound is over and above. */
const BASE = 400;
const rows: string[] = [];

function tell(what: string, path: string, argv: readonly string[], memory?: number): void {
  if (only !== undefined && !what.includes(only)) return;
  const { megabytes, words } = held([...argv, ...(memory === undefined ? [] : ["--memory", `${memory}MB`])]);
  const bound = memory === undefined ? "" : String(Math.round(1.3 * memory + BASE));
  const size = Math.round(statSync(path).size / 1e5) / 10;
  const row = `| ${what} | ${size} MB | ${memory ?? ""} | ${megabytes} | ${bound} | ${words === "" ? "" : words.replaceAll(folder, "…").slice(0, 90)} |`;
  rows.push(row);
  process.stderr.write(`${row}\n`);
}

try {
  const long = make("long.csv", LONG, 40, csv);
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
  const kept = (path: string) => [
    "import",
    path,
    "--target",
    "y",
    "--out",
    at(`store${rows.length}.sparrow`),
  ];
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
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  "| what | file | --memory | most held, MB | 1.3 × memory + 400 | said |\n|---|---:|---:|---:|---:|---|",
);
for (const row of rows) console.log(row);
