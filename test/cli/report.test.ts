import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../../src/cli/run.js";
import { fakeEffects } from "./fake-effects.js";

const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;
let folder: string;
let run: string;

async function sparrow(...argv: string[]) {
  const effects = fakeEffects();
  const status = await runCli(argv, effects);
  return { status, ...effects };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-report-"));
  run = join(folder, "run");
  expect((await sparrow("fit", CRIME, "--target", "y", "--out", run, "--quiet")).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the page goes into the run folder, the same each time, and may be written again", async () => {
  expect(await sparrow("report", run)).toMatchObject({ status: 0, output: "", opened: [] });
  const first = readFileSync(join(run, "report.html"), "utf8");
  expect(first).toMatch(/^<!doctype html>/);
  expect(await sparrow("report", run, "--quiet")).toMatchObject({ status: 0, messages: "" });
  expect(readFileSync(join(run, "report.html"), "utf8")).toBe(first);
  expect(readdirSync(run).filter((name) => name.includes("partial"))).toEqual([]);
});

it("another file is never overwritten", async () => {
  const file = join(folder, "mine.html");
  writeFileSync(file, "mine");
  const { status, messages } = await sparrow("report", run, "--out", file);
  expect([status, messages]).toEqual([
    1,
    `sparrow: ${file} exists already; choose another --out or remove it first.\n`,
  ]);
  expect(readFileSync(file, "utf8")).toBe("mine");
});

it("a place that cannot be written to, or a folder that is no run, is named in one sentence", async () => {
  const nowhere = await sparrow("report", run, "--out", join(folder, "no", "such", "page.html"));
  expect(nowhere.status).toBe(1);
  expect(nowhere.messages).toMatch(/^sparrow: .*page\.html could not be written: .*\n$/);
  const other = await sparrow("report", folder);
  expect(other.status).toBe(1);
  expect(other.messages).toMatch(
    /is not a run folder: it has no manifest\.json, which sparrow fit and sparrow mixed write with --out DIR\.$/m,
  );
});
