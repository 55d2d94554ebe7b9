import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { few, fitted, given, needsBrowser, openFile, Studio } from "./page.js";

const studio = new Studio();
afterAll(() => studio.close());

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a checker of accessibility finds serious or worse. */
async function seriousIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: Checker };
    const { violations } = await checker.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });
}

interface Checker {
  run(
    page: Document,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** Nothing may stick out of a phone. */
const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const SCREENS = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 }, paper: "rgb(253, 253, 251)" },
  { colorScheme: "dark", viewport: { width: 390, height: 800 }, paper: "rgb(21, 24, 28)" },
] as const;

test("light and wide, dark and on a phone, every view fits, and a checker of accessibility finds nothing serious", async (context) => {
  needsBrowser(context);
  const page = await studio.page({ hasTouch: true, reducedMotion: "reduce" });
  const look = async (view: string): Promise<void> => {
    for (const { colorScheme, viewport, paper } of SCREENS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const shown = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect([view, shown]).toEqual([view, paper]);
      expect([view, colorScheme, await sticksOut(page)]).toEqual([view, colorScheme, false]);
      expect([view, colorScheme, await seriousIn(page)]).toEqual([view, colorScheme, []]);
    }
  };
  // The policy of the page lets no script in, so this one comes by the back door of the debugger.
  await page.evaluate(axe);
  await look("open");
  await openFile(page, few);
  await page.waitForSelector(".correlation .number");
  await look("look");
  await fitted(page, "y");
  await page.waitForSelector("[data-part=method]");
  await look("read");
  await page.click("nav >> text=Use");
  await page.waitForSelector("[data-part=code]");
  await look("use");
  await page.click("text=Past runs");
  await page.waitForSelector("[data-part=runs]");
  await look("runs");
  await page.context().close();
});

test("everything is done by keys alone", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  /** Tabs on until something has the focus. */
  const reach = async (selector: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${selector} is not reached by keys`);
  };
  await reach("[data-example=crime]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[name=target]");
  await reach("[name=target]");
  await page.keyboard.press("Home");
  expect(await page.inputValue("[name=target]")).toBe("");
  await page.keyboard.press("End");
  expect(await page.inputValue("[name=target]")).toBe("y");
  await reach("[data-action=fit]");
  await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>("[data-action=fit]")?.disabled);
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-part=verdict]");
  expect(await page.innerText("[data-part=verdict]")).toContain("8 of 15 variables are selected for y");
  await reach("[data-sort=name]");
  await page.keyboard.press("Enter");
  await reach("[data-part=variables] .rows-body .v-name button");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-part=variable]");
  await page.context().close();
});

test("scripts in names of columns, values and files do not run", async (context) => {
  needsBrowser(context);
  const page = await studio.page();
  const evil = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`;
  const quoted = `"${evil.replaceAll('"', '""')}"`;
  const levels = [quoted, `"<svg onload=globalThis.ran=1>"`, "plain"];
  const body = Array.from(
    { length: 90 },
    (_, i) => `${(i * 7) % 11},${levels[i % 3]},${(i % 3) * 4 + ((i * 5) % 7)}`,
  );
  const file = given(`${evil.replaceAll(/[/"]/g, "")}.csv`, [`"=cmd()",${quoted},y`, ...body].join("\n"));
  await openFile(page, file);
  await page.selectOption("[name=target]", "y");
  await page.waitForSelector(".levels bdi");
  await fitted(page);
  await page.waitForSelector("[data-part=method]");
  await page.click("[data-part=variables] .rows-body .v-name button >> nth=0");
  expect(await page.innerText("[data-part=variable]")).toContain("<");
  await page.click("nav >> text=Use");
  const link = await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("[name=share]")?.value,
  );
  await page.goto(String(await link.jsonValue()));
  await page.waitForSelector("[data-part=shared]");
  await page.click("text=Past runs");
  await page.waitForSelector("[data-part=runs]");
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
  expect(await page.locator("main img, main script").count()).toBe(0);
  await page.context().close();
});
