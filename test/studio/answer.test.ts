import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import type { Download, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { few, fitted, given, needsBrowser, openFile, resultOf, Studio } from "./page.js";

const studio = new Studio();
afterAll(() => studio.close());

/** More columns than are all taken as candidates (300), so that there is a search. */
function manyColumns(rows: number, columns: number): string {
  const rng = Rng.seeded(7);
  const names = [...Array.from({ length: columns }, (_, j) => `x${j + 1}`), "y"].join(",");
  const lines = Array.from({ length: rows }, () => {
    const x = Array.from({ length: columns }, () => normal(rng));
    return [...x, x[0] - x[1] + normal(rng)].map((value) => value.toFixed(3)).join(",");
  });
  return [names, ...lines].join("\n");
}

test("a search that is stopped in its middle gives what there is", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  await openFile(page, given("many.csv", manyColumns(60, 310)));
  await page.click("text=More");
  await page.getByLabel("Iterations").fill("1000000");
  await page.getByLabel("Iterations").blur();
  await page.click("[data-action=fit]");
  // Stopped once the chains have shown something.
  await page.waitForSelector(".live");
  await page.click("[data-action=stop]");
  await page.waitForSelector("[data-part=verdict]");
  expect((await resultOf(page)).partial).toBe(true);
  expect(await page.innerText("[data-part=verdict]")).toMatch(/stopped/i);
  // Of many variables those in sight are in the page, and a few beyond.
  const names = page.locator("[data-part=variables] .rows-body .v-name button");
  expect(await names.count()).toBeLessThan(40);
  await page.locator("[data-part=variables] .rows-body").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.waitForSelector("[data-part=variables] [aria-rowindex='311']");
  await page.fill("[placeholder='Find a variable']", "x30");
  await page.click("[data-sort=name]");
  expect(await names.allInnerTexts()).toEqual(["x30", ...Array.from({ length: 10 }, (_, i) => `x30${i}`)]);
  // In the burn-in of the paper's settings nothing counts yet: where the chains were is shown instead.
  await page.click("nav >> text=Look");
  await page.click("text=More");
  await page.getByLabel("Settings").selectOption("paper");
  await page.click("[data-action=fit]");
  await page.waitForSelector(".settling li");
  await page.click("[data-action=stop]");
  await page.waitForSelector("[data-part=halted]");
  expect(await page.innerText("[data-part=halted]")).toMatch(/Stopped before anything counted[\s\S]*x\d/);
  expect(await page.locator("[data-part=trouble]").count()).toBe(0);
  await page.context().close();
});

test("an answer survives a reload, and each of its parts has an address", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  const before = await resultOf(page);
  await page.waitForSelector("[data-part=method]");
  const parts = await page
    .locator(".toc a")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash));
  expect(parts.map((hash) => hash.split("/").at(-1))).toEqual(
    expect.arrayContaining(["verdict", "variables", "effects", "models", "together", "size", "method"]),
  );
  await page.goto(`${await studio.address()}${parts.find((hash) => hash.endsWith("/models"))}`);
  await page.reload();
  await page.waitForSelector("[data-part=models]");
  expect((await resultOf(page)).variables).toEqual(before.variables);
  await page.waitForFunction(() => scrollY > 300);
  // Picking a model shows its coefficients.
  await page.click("[data-model='2']");
  expect(await page.innerText("[data-part=coefficients]")).toMatch(/Model 3[\s\S]*coefficient/);
});

test("variables are sorted, filtered and looked at", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  const first = () => page.locator("[data-part=variables] .rows-body .v-name button").first().innerText();
  expect(await first()).toBe("Ineq");
  await page.click("[data-sort=name]");
  expect(await first()).toBe("Ed");
  await page.click("[data-sort=name]");
  expect(await first()).toBe("M");
  await page.click("[data-sort=pip]");
  await page.click("[data-part=variables] .rows-body .v-name button:has-text('Po1')");
  expect(await page.innerText("[data-part=variable]")).toMatch(/Substitutes\s+Po2/);
});

test("a link carries settings and a summary, and no data", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  await page.click("nav >> text=Use");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=share]")?.value);
  const link = await page.inputValue("[name=share]");
  const other = await studio.page();
  await other.goto(link);
  await other.waitForSelector("[data-part=shared]");
  const text = await other.innerText("[data-part=shared]");
  expect(text).toContain("7 of 7 variables are selected for y");
  expect(text).toContain("sparrow fit crime.csv --target y");
  expect(await other.locator("tbody tr").count()).toBe(7);
  await other.goto(`${await studio.address()}#shared/${"A".repeat(40)}`);
  expect(await other.innerText("[role=alert]")).toContain("cannot be read");
  await other.context().close();
});

test("a host without headers of isolation serves one thread, the same answer, and says what would be faster", async (context) => {
  needsBrowser(context);
  const [isolated, plain] = [await studio.answered(), await studio.page({}, false)];
  await openFile(plain, few);
  expect((await fitted(plain, "y")).variables).toEqual((await resultOf(isolated)).variables);
  expect(await plain.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await plain.innerText("[data-part=threads]")).toMatch(/One thread.*isolation/);
  expect(await isolated.innerText("[data-part=threads]")).toMatch(/shared memory/);
  await plain.context().close();
});

/** What a click hands to the user. */
async function downloaded(page: Page, selector: string): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return { name: (file as Download).suggestedFilename(), content: readFileSync(await file.path()) };
}

test("new rows are predicted, scored where they hold the target, and downloaded", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  await page.click("nav >> text=Use");
  await page.setInputFiles("[name=predict]", few);
  await page.waitForSelector("[data-part=predicted]");
  expect(await page.innerText("[data-part=predicted]")).toMatch(/47 rows predicted[\s\S]*R²\s+0\.\d/);
  const { name, content } = await downloaded(page, "[data-action=download-predictions]");
  expect(name).toBe("crime-predicted.csv");
  const lines = content.toString().trim().split("\n");
  expect(lines).toHaveLength(48);
  expect(lines[0]).toMatch(/mean.*meanLower.*meanUpper/);
  // A file that lacks a column is told in a sentence, and the answer stays.
  await page.setInputFiles("[name=predict]", given("other.csv", "a,b\n1,2\n3,4\n"));
  await page.waitForSelector("[data-part=trouble]");
  expect(await page.innerText("[data-part=trouble]")).toMatch(/other\.csv/);
  await page.click("[data-action=dismiss]");
  expect(await page.locator("[data-part=trouble]").count()).toBe(0);
});

test("everything can be taken along", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  const answer = await resultOf(page);
  await page.click("nav >> text=Use");
  const html = await downloaded(page, "[data-export=html]");
  expect(html.name).toBe("crime.html");
  expect(html.content.toString()).toMatch(/^<!doctype html>[\s\S]*7 of 7 variables are selected/);
  const json = await downloaded(page, "[data-export=json]");
  expect(JSON.parse(json.content.toString())).toEqual(await resultOf(page));
  const csv = await downloaded(page, "[data-export=csv]");
  expect(csv.content.toString().split("\n")[1].split(",")[0]).toBe(answer.variables[0].name);
  const draws = await downloaded(page, "[data-export=arrow]");
  const table = tableFromIPC(draws.content);
  expect(table.numRows).toBe(4000);
  expect(table.schema.fields.map(({ name }) => name)).toEqual(expect.arrayContaining([".draw", "b_Ineq"]));
  const parquet = await downloaded(page, "[data-export=draws]");
  expect([parquet.name, parquet.content.subarray(0, 4).toString()]).toEqual(["crime-draws.parquet", "PAR1"]);
  await page.waitForSelector("[data-export=svg]");
  const svg = (await downloaded(page, "[data-export=svg]")).content.toString();
  expect(svg).toContain("<svg");
  expect(svg).not.toContain("var(--");
  const png = await downloaded(page, "[data-export=png]");
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  expect(await page.innerText("[data-part=command]")).toBe("sparrow fit crime.csv --target y --seed 1");
});

test("methods are compared, and past runs are listed and forgotten", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  const body = Array.from(
    { length: 60 },
    (_, i) => `${(i * 7) % 13},${(i * 5) % 11},${2 * ((i * 7) % 13) + (i % 5)}`,
  );
  await openFile(page, given("small.csv", ["a,b,y", ...body].join("\n")));
  await fitted(page, "y");
  await page.click("nav >> text=Use");
  await page.click("[data-action=compare]");
  await page.waitForSelector("[data-part=compared]");
  expect(await page.innerText("[data-part=compared]")).toMatch(/Sparrow[\s\S]*Lasso/);
  await page.click("text=Past runs");
  expect(await page.innerText("[data-part=runs]")).toMatch(/small\.csv[\s\S]*selected for y/);
  await page.click("[data-action=forget]");
  await page.waitForSelector("text=There are none yet.");
  await page.reload();
  await page.waitForSelector("text=There are none yet.");
  await page.context().close();
});
