import { afterAll, expect, test } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { crime, fitted, given, needsBrowser, openFile, resultOf, Studio } from "./page.js";

const studio = new Studio();
afterAll(() => studio.close());

/** More columns than are all taken as candidates, so that there is a search. */
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
  await openFile(page, given("many.csv", manyColumns(150, 500)));
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
  await page.close();
});

test("variables are sorted, filtered and looked at", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  const first = () => page.locator("[data-part=variables] .rows-body .v-name button").first().innerText();
  expect(await first()).toBe("Ineq");
  await page.click("[data-sort=name]");
  expect(await first()).toBe("Ed");
  await page.fill("[placeholder='Find a variable']", "po");
  const found = await page.locator("[data-part=variables] .rows-body .v-name button").allInnerTexts();
  expect(found.map((name) => name.replace(/^A\n?/, "").trim())).toEqual(["Po1", "Po2", "Pop"]);
  await page.click("[data-part=variables] .rows-body .v-name button >> nth=0");
  expect(await page.innerText("[data-part=variable]")).toMatch(/Substitutes\s+Po2/);
  await page.close();
});

test("a link carries settings and a summary, and no data", async (context) => {
  needsBrowser(context);
  const page = await studio.answered();
  await page.click("nav >> text=Use");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=share]")?.value !== "");
  const link = await page.inputValue("[name=share]");
  const other = await studio.page();
  await other.goto(link);
  await other.waitForSelector("[data-part=shared]");
  const text = await other.innerText("[data-part=shared]");
  expect(text).toContain("8 of 15 variables are selected for y");
  expect(text).toContain("sparrow fit crime.csv --target y");
  expect(await other.locator("tbody tr").count()).toBe(15);
  await other.goto(`${await studio.address()}#shared/${"A".repeat(40)}`);
  expect(await other.innerText("[role=alert]")).toContain("cannot be read");
  await page.close();
  await other.context().close();
});

test("a host without headers of isolation serves one thread, the same answer, and says what would be faster", async (context) => {
  needsBrowser(context);
  const [isolated, plain] = [await studio.answered(), await studio.page({}, false)];
  await openFile(plain, crime);
  expect((await fitted(plain, "y")).variables).toEqual((await resultOf(isolated)).variables);
  expect(await plain.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await plain.innerText("[data-part=threads]")).toMatch(/One thread.*isolation/);
  expect(await isolated.innerText("[data-part=threads]")).toMatch(/shared memory/);
  await isolated.close();
  await plain.context().close();
});
