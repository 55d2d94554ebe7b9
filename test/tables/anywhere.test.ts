import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, expect, it } from "vitest";
import { database } from "../../src/tables/duckdb/database.js";
import { workbook } from "../messy/workbook.js";

const folder = mkdtempSync(join(tmpdir(), "anywhere-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** Moments at which clocks are changed somewhere, in every way of writing them, beside text that locales order. */
const days = ["2024-03-10", "2024-03-31", "2024-10-27", "2024-11-03", "2023-12-30", "1969-12-31"];
const rows = Array.from({ length: 48 }, (_, i) => {
  const day = days[i % 6];
  const hour = String(i % 24).padStart(2, "0");
  return {
    day,
    local: `${day} ${hour}:30:00`,
    zoned: `${day}T${hour}:30:00+02:00`,
    time: `${hour}:15`,
    word: ["ä", "z", "I", "ı", "İ", "i"][i % 6],
    y: Math.round(1e6 * Math.sin(i * i)) / 1e6,
  };
});

/** Everything that is read from the files, and an answer made of it, in a process of its own. */
const PROGRAM = `
  const { open, fit } = await import(process.argv[2]);
  const out = [];
  for (const path of process.argv.slice(3)) {
    const table = await open(path);
    const columns = [...table.columns.keys()];
    for await (const chunk of table.chunks(columns)) out.push(chunk.columns.map((values) => Array.from(values)));
    out.push(table.columns.map(({ name, kind, levels }) => [name, kind, levels]));
    table.close?.();
  }
  const result = await fit(process.argv[3], { target: "y", seed: 1, threads: 1 });
  const { timing, ...answer } = result;
  process.stdout.write(JSON.stringify([out, answer]));
`;

it("reads and answers alike in every time zone and language", async () => {
  const names = Object.keys(rows[0]) as (keyof (typeof rows)[0])[];
  writeFileSync(
    at("data.csv"),
    `${names.join()}\n${rows.map((row) => Object.values(row).join()).join("\n")}\n`,
  );
  writeFileSync(at("data.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const dates = rows.map(({ zoned }) => new Date(zoned));
  writeFileSync(at("data.arrow"), tableToIPC(tableFromArrays({ dates, y: rows.map(({ y }) => y) }), "file"));
  writeFileSync(at("data.xlsx"), workbook({ Data: { day: dates, y: rows.map(({ y }) => y) } }));
  const { connection, close } = await database({ paths: [at("data.csv"), at("data.parquet")] });
  await connection.run(
    `COPY (SELECT day::DATE AS day, local::TIMESTAMP AS local, TIMESTAMPTZ '2024-03-10 12:00:00+02' AS zoned, y FROM read_csv('${at("data.csv")}', all_varchar=true)) TO '${at("data.parquet")}'`,
  );
  close();
  const library = new URL("../../dist/node.js", import.meta.url);
  if (!existsSync(library)) return;
  writeFileSync(at("program.mjs"), PROGRAM);
  const answer = (TZ: string, language: string) => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...[at("program.mjs"), library.href],
        ...["csv", "jsonl", "arrow", "xlsx", "parquet"].map((ending) => at(`data.${ending}`)),
      ],
      { env: { ...process.env, TZ, LANG: language, LC_ALL: language, LANGUAGE: language }, encoding: "utf8" },
    );
    expect(stderr).toBe("");
    return stdout;
  };
  const here = answer("UTC", "C");
  expect(here.length).toBeGreaterThan(1000);
  expect(answer("America/New_York", "tr_TR.UTF-8") === here).toBe(true);
  expect(answer("Pacific/Apia", "de_DE.UTF-8") === here).toBe(true);
}, 60_000);
