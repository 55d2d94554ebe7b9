import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import type { Download, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { crime, fitted, given, needsBrowser, openFile, resultOf, Studio } from "./page.js";

const studio = new Studio();
afterAll(() => studio.close());

/** What a click hands to the user. */
async function downloaded(page: Page, selector: string): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return { name: (file as Download).suggestedFilename(), content: readFileSync(await file.path()) };
}

test("new rows are predicted, scored where they hold the target, and downloaded", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  await page.click("nav >> text=Use");
  await page.setInputFiles("[name=predict]", crime);
  await page.waitForSelector("[data-part=predicted]");
  expect(await page.innerText("[data-part=predicted]")).toMatch(/47 rows predicted[\s\S]*R²\s+0\.8/);
  const { name, content } = await downloaded(page, "[data-action=download-predictions]");
  expect(name).toBe("crime-predicted.csv");
  const lines = content.toString().trim().split("\n");
  expect(lines).toHaveLength(48);
  expect(lines[0]).toMatch(/mean.*meanLower.*meanUpper/);
  // A file that lacks a column is told in a sentence, and the answer stays.
  await page.setInputFiles("[name=predict]", given("other.csv", "a,b\n1,2\n3,4\n"));
  await page.waitForSelector("[data-part=trouble]");
  expect(await page.innerText("[data-part=trouble]")).toMatch(/other\.csv/);
  await page.close();
});

test("everything can be taken along", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  const answer = await resultOf(page);
  await page.click("nav >> text=Use");
  const html = await downloaded(page, "[data-export=html]");
  expect(html.name).toBe("crime.html");
  expect(html.content.toString()).toMatch(/^<!doctype html>[\s\S]*8 of 15 variables are selected/);
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
  await page.close();
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
  expect(await page.innerText("[data-part=compared]")).toMatch(/esgld[\s\S]*lasso/i);
  await page.click("text=Past runs");
  expect(await page.innerText("[data-part=runs]")).toMatch(/small\.csv[\s\S]*selected for y/);
  await page.click("[data-action=forget]");
  await page.waitForSelector("text=There are none yet.");
  await page.reload();
  await page.waitForSelector("text=There are none yet.");
  await page.context().close();
});
