import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { writeTable } from "../../src/tables/write.js";
import { sparrow } from "../cli/fake-effects.js";
import { formats, names, rows } from "./files.js";
import { few, fitted, given, needsBrowser, openFile, resultOf, Studio } from "./page.js";

const studio = new Studio();
const folder = mkdtempSync(join(tmpdir(), "sparrow-studio-"));

beforeAll(async () => {
  const columns = Object.fromEntries(
    names.map((name, c) => [name, Float64Array.from(rows, (row) => row[c])]),
  );
  await writeTable(arrayTable(columns, "crime"), join(folder, "crime.parquet"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await studio.close();
});

/** Every number, word and truth value of a result with the path that leads to it, times apart. */
function leaves(value: unknown, path = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return found.set(path, value);
  for (const [key, inner] of Object.entries(value))
    if (key !== "timing") leaves(inner, `${path}/${key}`, found);
  return found;
}

/** Engines differ in the last digit of exp and log; what is found step by step magnifies that. */
const allowedAt = (path: string): number => (/\/(lower|upper)/.test(path) ? 1e-11 : 1e-12);

async function commandLine(...words: string[]): Promise<object> {
  const { out } = await sparrow(...words);
  return JSON.parse(out) as object;
}

/** To the last digits, times apart. */
function expectSame(inPage: unknown, inTerminal: unknown, name: string): void {
  const [theirs, ours] = [leaves(inPage), leaves(inTerminal)];
  expect([...theirs.keys()], name).toEqual([...ours.keys()]);
  for (const [path, value] of ours) {
    const other = theirs.get(path);
    const at = `${name}: ${path}`;
    if (typeof value !== "number") expect([at, other]).toEqual([at, value]);
    else {
      const allowed = allowedAt(path) * Math.max(1e-3, Math.abs(value));
      expect(Math.abs((other as number) - value), at).toBeLessThanOrEqual(allowed);
    }
  }
}

test("every format gives the answer that the command line gives", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const parquet = { file: given("crime.parquet", readFileSync(join(folder, "crime.parquet"))), target: "y" };
  for (const { file, target } of [...formats, parquet]) {
    writeFileSync(join(folder, file.name), file.buffer);
    await page.goto(`${await studio.address()}#open`);
    await openFile(page, file);
    const answer = await fitted(page, target);
    const path = join(folder, file.name);
    expectSame(
      answer,
      await commandLine("fit", path, "--target", target, "--threads", "1", "--json"),
      file.name,
    );
  }
  await page.context().close();
});

test("the command that the page shows gives the answer of the page", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  expect(await page.innerText("[data-part=verdict]")).toContain("7 of 7 variables are selected for y");
  expect(await page.locator("[data-part=variables] [role=row]").count()).toBe(8);
  const answer = await resultOf(page);
  await page.click("nav >> text=Use");
  const [, , name, ...options] = (await page.innerText("[data-part=command]")).split(" ");
  const path = join(folder, `few-${name}`);
  writeFileSync(path, few.buffer);
  expectSame(answer, await commandLine("fit", path, ...options, "--threads", "1", "--json"), "the command");
});

test("files that cannot be used are answered in a sentence, and the next one is opened", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  const wrong: [string, string, RegExp][] = [
    ["empty.csv", "", /empty/],
    ["broken.parquet", "this is not Parquet", /broken\.parquet/],
    ["ragged.csv", "a,b,y\n1,2,3\n1,2,3,4\n5,6\n", /ragged\.csv/],
  ];
  for (const [name, content, says] of wrong) {
    await page.setInputFiles(".drop input[type=file]", given(name, content));
    await page.waitForSelector("[data-part=trouble]");
    expect(await page.innerText("[data-part=trouble]"), name).toMatch(says);
    expect(await page.innerText("[data-part=trouble]"), name).not.toMatch(/undefined|\[object|\bat .*:\d+/);
    await page.click("[data-action=dismiss]");
  }
  // The next one is dropped, wherever on the page.
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "few.csv"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, few.buffer.toString());
  await page.waitForSelector("[name=target]");
  expect(await page.locator("[data-part=trouble]").count()).toBe(0);
  await page.context().close();
});

test("reading can be cancelled, and leaves the page as it was", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  // The file is made where it is opened: large ones take long to get into a browser.
  await page.evaluate(() => {
    const names = Array.from({ length: 40 }, (_, c) => `c${c}`).join(",");
    const line = `\n${Array.from({ length: 40 }, (_, c) => (c * 0.37).toFixed(4)).join(",")}`;
    const carrier = new DataTransfer();
    carrier.items.add(new File([names, line.repeat(150_000)], "long.csv"));
    const input = document.querySelector<HTMLInputElement>(".drop input[type=file]");
    if (!input) throw new Error("There is nothing to open files with.");
    input.files = carrier.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.click("[data-action=cancel]");
  await page.waitForSelector(".drop input[type=file]", { state: "attached" });
  expect(await page.locator("[data-part=trouble]").count()).toBe(0);
  await openFile(page, few);
  await page.context().close();
});

test("the parts of columns are changed by clicking, and the fit obeys", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  const header = "size,colour,code,y\n";
  const body = Array.from(
    { length: 60 },
    (_, i) => `${(i * 7) % 13},${["red", "green", "blue"][i % 3]},${1 + (i % 4)},${((i * 5) % 17) + (i % 3)}`,
  );
  await openFile(page, given("parts.csv", header + body.join("\n")));
  await page.selectOption("[name=target]", "y");
  await page.selectOption('[aria-label="Part of colour"]', "out");
  await page.selectOption('[aria-label="Part of size"]', "always");
  await page.selectOption('[aria-label="What code holds"]', "category");
  const { variables } = await fitted(page);
  const found = new Map(variables.map(({ name, pip }) => [name, pip]));
  expect([...found.keys()].some((name) => name.startsWith("colour"))).toBe(false);
  expect([...found.keys()].filter((name) => name.startsWith("code="))).toHaveLength(3);
  expect(found.get("size")).toBe(1);
  await page.context().close();
});
