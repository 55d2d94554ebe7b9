import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { type FitOptions, fit } from "../../src/index.js";
import { linearExample } from "../selection/problem.js";

const browser = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The library as one script that defines `sparrow`. */
const bundled = (async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../../src/index.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sparrow",
    platform: "browser",
    target: "es2022",
    logLevel: "silent",
  });
  return outputFiles[0].text;
})();

/**
 * The language leaves the last digit of exp, log and their like to the engine, and engines differ: Math.exp, log, pow
 * and others of Chromium 156 are not bit for bit those of Node 20. Measured effect on these results: 4e-15.
 */
const ROUNDING = 1e-12;
/** Ends of intervals are found step by step, which magnifies what functions differ by. */
const FOUND_BY_STEPS = /\/(lower|upper)/;

const columns = linearExample(200, 9);
const runs: FitOptions[] = [
  { target: "y", preset: "paper", iterations: 200, chains: 2, seed: 3 },
  { target: "y", seed: 3 },
];

/** Every number, word and truth value of a result with the path that leads to it, times apart. */
function leaves(value: unknown, path = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return found.set(path, value);
  for (const [key, inner] of Object.entries(value))
    if (key !== "timing") leaves(inner, `${path}/${key}`, found);
  return found;
}

test("the library bundles for a browser without anything of Node's", async () => {
  expect(await bundled).not.toMatch(/require\(|from "node:/);
});

test("a page computes what Node does, up to the rounding of the engine's own functions", async (context) => {
  if (!existsSync(browser)) {
    const reason = `no browser at ${browser}; set CHROMIUM to one`;
    if (process.env.CI) throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    context.skip(reason);
  }
  const instance = await chromium.launch({ executablePath: browser, args: flags });
  try {
    const page = await instance.newPage();
    await page.addScriptTag({ content: await bundled });
    const data = Object.entries(columns).map(([name, values]) => [name, [...values]] as const);
    for (const options of runs) {
      const inPage = await page.evaluate(
        async ([entries, given]) => {
          const { sparrow } = globalThis as unknown as { sparrow: { fit: typeof fit } };
          const arrays = Object.fromEntries(
            entries.map(([name, values]) => [name, Float64Array.from(values)]),
          );
          return sparrow.fit(arrays, given);
        },
        [data, options] as const,
      );
      const [ours, theirs] = [leaves(await fit(columns, options)), leaves(inPage)];
      expect([...theirs.keys()]).toEqual([...ours.keys()]);
      for (const [path, value] of ours) {
        const other = theirs.get(path);
        if (typeof value !== "number") expect([path, other]).toEqual([path, value]);
        else {
          const allowed = FOUND_BY_STEPS.test(path) ? 10 * ROUNDING : ROUNDING;
          expect(Math.abs((other as number) - value), path).toBeLessThanOrEqual(
            allowed * Math.max(1e-3, Math.abs(value)),
          );
        }
      }
    }
  } finally {
    await instance.close();
  }
});
