/** What cases are made of: small files of every kind that can be read, made once from the examples. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runCli } from "../src/cli/run.js";
import { paper } from "../src/report/text/screen.js";
import { arrayTable } from "../src/tables/readers/arrays.js";
import { writeTable } from "../src/tables/write.js";
import { workbook } from "../test/messy/workbook.js";

const root = join(import.meta.dirname, "..");

export async function makeCorpus(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  cpSync(join(root, "examples/crime.csv"), at("crime.csv"));
  for (const ending of ["", ".gz", ".bz2", ".xz", ".zst"]) {
    cpSync(join(root, `test/cases/packed/small.svm${ending}`), at(`small.svm${ending}`));
  }
  cpSync(join(root, "test/cases/packed"), at("packed"), { recursive: true });
  const rows = Array.from({ length: 40 }, (_, i) => ({
    a: i % 7,
    b: Math.sin(i),
    c: ["x", "y"][i % 2],
    y: i / 3,
  }));
  writeFileSync(at("lines.jsonl"), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  writeFileSync(
    at("table.tsv"),
    `a\tb\tc\ty\n${rows.map((row) => Object.values(row).join("\t")).join("\n")}\n`,
  );
  const text = `a,b,c,y\n${rows.map((row) => Object.values(row).join(",")).join("\n")}\n`;
  writeFileSync(at("table.csv"), text);
  writeFileSync(at("table.csv.gz"), gzipSync(text));
  const columns = { a: rows.map(({ a }) => a), b: rows.map(({ b }) => b), y: rows.map(({ y }) => y) };
  await writeTable(arrayTable(columns), at("table.parquet"));
  const many = Array.from({ length: 30 }, (_, j) => [`x${j}`, rows.map(({ b }) => Math.fround(b * j))]);
  await writeTable(arrayTable(Object.fromEntries(many)), at("many.parquet"));
  const { tableFromArrays, tableToIPC } = await import("apache-arrow");
  const arrays = { a: Float64Array.from(columns.a), y: Float64Array.from(columns.y) };
  writeFileSync(at("table.arrow"), tableToIPC(tableFromArrays(arrays), "file"));
  writeFileSync(
    at("words.arrow"),
    tableToIPC(tableFromArrays({ c: rows.map(({ c }) => c), ...arrays }), "file"),
  );
  writeFileSync(at("stream.arrow"), tableToIPC(tableFromArrays(arrays), "stream"));
  writeFileSync(at("array.json"), JSON.stringify(rows));
  const quoted = rows.map(({ a, b, c, y }) => `"${a}",${b},"${c}, ""${c}""",${y}`);
  writeFileSync(at("quoted.csv"), `a,b,"c ""d"", e",y\r\n${quoted.join("\r\n")}\r\n`);
  writeFileSync(at("table.xlsx"), workbook({ Data: { ...columns, c: rows.map(({ c }) => c) } }));
  await sparrow(["fit", at("crime.csv"), "--target", "y", "--out", at("run")]);
  await sparrow(["import", at("crime.csv"), "--target", "y", "--out", at("dense.sparrow")]);
  await sparrow(["import", at("small.svm"), "--out", at("sparse.sparrow")]);
  const groups = Array.from({ length: 60 }, (_, i) => `${"abcdef"[i % 6]},${i},${(i % 7) + (i % 6)}\n`);
  writeFileSync(at("groups.csv"), `g,x,y\n${groups.join("")}`);
  const mixed = ["mixed", at("groups.csv"), "--target", "y", "--group", "g", "--iterations", "400"];
  await sparrow([...mixed, "--out", at("mixed")]);
  await stopped(at);
}

/** What a run that was stopped has kept, in `kept`, and what it comes to where nobody stops it, in `ended`. */
async function stopped(at: (name: string) => string): Promise<void> {
  // The faster the machine, the more it takes to be stopped in the middle.
  for (let iterations = 1200; !existsSync(at("kept")); iterations *= 3) {
    const columns = ["--columns", "M,Ed,y", "--components", "2", "--iterations", String(iterations)];
    const clusters = ["clusters", at("crime.csv"), ...columns, "--threads", "1"];
    await begun([...clusters, "--out", at("begun")], at("begun.unfinished"));
    rmSync(at("begun"), { recursive: true, force: true });
    if (!existsSync(at("begun.unfinished"))) continue;
    cpSync(at("begun.unfinished"), at("kept"), { recursive: true });
    await sparrow([...clusters, "--out", at("ended")]);
  }
}

/** Runs a command until it has kept something. */
async function begun(argv: readonly string[], kept: string): Promise<void> {
  process.env.SPARROW_JOURNAL_INTERVAL = "10";
  const stop = new AbortController();
  const looking = setInterval(() => {
    const there = existsSync(kept) ? readdirSync(kept) : [];
    if (there.some((name) => name.startsWith("state"))) stop.abort(new Error("stopped"));
  }, 5);
  // It was too early for an answer, or the answer is a part of what it will be.
  await sparrow(argv, stop.signal).catch(() => {});
  clearInterval(looking);
  delete process.env.SPARROW_JOURNAL_INTERVAL;
}

async function sparrow(
  argv: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let said = "";
  const status = await runCli([...argv, "--quiet"], {
    out() {},
    err(text) {
      said += text;
    },
    open() {},
    now: () => 0,
    terminal: false,
    width: 80,
    screen: paper,
    signal,
  });
  if (status !== 0) throw new Error(`The corpus cannot be made: ${said}`);
}

export const bytesOf = (folder: string, name: string): Buffer => readFileSync(join(folder, name));
