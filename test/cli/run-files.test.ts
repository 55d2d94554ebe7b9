import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../../src/cli/run.js";
import { saveRun } from "../../src/cli/run-folder.js";
import { claiming } from "../../src/files/claim.js";
import type { FileContent } from "../../src/files/whole.js";
import { readRun } from "../../src/node/read-run.js";
import { fakeEffects } from "./fake-effects.js";

const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-runs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const save = (path: string, files: Record<string, FileContent>) =>
  claiming(path, { parents: true }, (claimed) => saveRun(claimed, files));

async function fit(out: string, ...more: string[]): Promise<string> {
  const effects = fakeEffects();
  const argv = ["fit", CRIME, "--target", "y", "--out", join(folder, out), "--quiet", ...more];
  expect(await runCli(argv, effects), effects.messages).toBe(0);
  return effects.output;
}

/** The list holds the checksum of the times. */
const TIMED = ["timing.json", "manifest.json"];

it.each(["auto", "paper"])(
  "a %s run with the same record has the same bytes, times apart",
  async (preset) => {
    const settings = ["--preset", preset, "--seed", "7", ...(preset === "paper" ? ["--batch", "40"] : [])];
    await fit(`${preset}-1`, ...settings);
    await fit(`${preset}-2`, ...settings, "--threads", "1");
    const files = readdirSync(join(folder, `${preset}-1`)).sort();
    expect(files).toEqual(readdirSync(join(folder, `${preset}-2`)).sort());
    expect(files).toEqual(
      expect.arrayContaining(["draws.parquet", "model.json", "run.json", "summary.json"]),
    );
    for (const file of files.filter((name) => !TIMED.includes(name))) {
      const [one, two] = [1, 2].map((n) => readFileSync(join(folder, `${preset}-${n}`, file)));
      expect(one.equals(two), file).toBe(true);
    }
  },
);

it("the record says what was run on which data, and the times lie apart", async () => {
  const json = JSON.parse(await fit("record", "--seed", "3", "--json", "--exclude", "Time"));
  const { record, result, timing } = await readRun(join(folder, "record"));
  expect(record).toMatchObject({
    seed: 3,
    draws: "independent",
    data: { name: CRIME, rows: 47 },
    options: { target: "y", seed: 3, exclude: ["Time"] },
    settings: { posterior: "enumerated" },
  });
  expect(record.data.columns).toHaveLength(14);
  expect(record.data.columns).not.toContain("Time");
  expect(result).not.toHaveProperty("timing");
  expect({ ...result, timing }).toEqual(json);
});

it("draws come back from Parquet with their chains and one column per quantity", async () => {
  await fit("draws");
  const { draws, result } = await readRun(join(folder, "draws"));
  const column = (name: string): Float64Array => draws!.columns[draws!.names.indexOf(name)];
  expect(draws!.names.slice(0, 4)).toEqual([".chain", ".iteration", ".draw", "intercept"]);
  expect(draws!.names).toEqual(expect.arrayContaining(["b_Ineq", "sigma2", "size"]));
  expect([...new Set(column(".chain"))]).toEqual([1, 2, 3, 4]);
  expect(column(".iteration").subarray(998, 1002)).toEqual(Float64Array.of(999, 1000, 1, 2));
  expect(column(".draw")[3999]).toBe(4000);
  const [top] = result.variables;
  const share = column(`b_${top.name}`).filter((value) => value !== 0).length / 4000;
  // Five standard errors of a share of 4000 draws.
  expect(Math.abs(share - top.pip)).toBeLessThan(5 * Math.sqrt((top.pip * (1 - top.pip)) / 4000) + 1e-9);
});

it("a run is written whole or not at all, and never over another one", async () => {
  const path = join(folder, "half");
  const failing = async () => {
    throw new Error("no more");
  };
  await expect(save(path, { a: "1", b: failing })).rejects.toThrow("no more");
  expect(readdirSync(folder).filter((name) => name.includes("half"))).toEqual([]);
  await save(path, { a: "1", b: async (file) => writeFileSync(file, "2") });
  expect(statSync(path).mode & 0o777).toBe(0o777 & ~process.umask());
  await expect(save(path, { a: "3" })).rejects.toThrow(/exists already/);
  expect(readFileSync(join(path, "a"), "utf8")).toBe("1");
});

it("what is not a run is refused by name", async () => {
  await expect(readRun(join(folder, "nowhere"))).rejects.toThrow(/There is no run folder .*nowhere/);
  await save(join(folder, "other"), { "notes.txt": "hello" });
  await expect(readRun(join(folder, "other"))).rejects.toThrow(/other is damaged: it has no summary.json/);
  await save(join(folder, "damaged"), { "summary.json": "{", "run.json": "{}" });
  await expect(readRun(join(folder, "damaged"))).rejects.toThrow(/summary\.json is damaged/);
});
