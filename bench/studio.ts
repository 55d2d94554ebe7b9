/**
 * The page beside Node on the same data: node --import tsx bench/studio.ts [table1] [csv] [scroll]. Needs a build and a
 * Chromium (CHROMIUM, or /usr/bin/chromium). Both take turns, the least of each counts; memory is the peak of the
 * process that holds the data.
 */

import { execFileSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { filesOf, serveStudio } from "../src/cli/studio/server.js";
import { simulatedTable } from "../src/experiments/simulated.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { threads } from "../src/node/threads.js";
import { run } from "../src/node.js";
import { runTable } from "../src/selection/fit-table.js";

/** As the gallery of the page makes it. */
const TABLE1 = { kind: "linear", rows: 50_000, columns: 2000, seed: 1 } as const;
const ROUNDS = 3;

interface Measured {
  /** Seconds of wall clock by stage. */
  readonly timing: Readonly<Record<string, number>>;
  /** Peak of resident memory, in bytes. */
  readonly memory: number;
}

const peakOf = (pid: number | "self"): number => {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return found ? 1024 * Number(found[1]) : 0;
};
const afterReading = ({ timing }: Measured): number =>
  Object.entries(timing).reduce((sum, [stage, seconds]) => sum + (stage === "read" ? 0 : seconds), 0);

/** What a process of its own prints, so that its memory is that of one fit. */
async function nodeSide(what: string): Promise<void> {
  const fitted =
    what === "table1"
      ? await runTable(simulatedTable(TABLE1), { target: "y", seed: 1 }, threads)
      : await run(what, { target: "y", seed: 1 });
  console.log(JSON.stringify({ timing: fitted.result.timing, memory: peakOf("self") } satisfies Measured));
}

function inNode(what: string): Measured {
  const out = execFileSync(process.execPath, [
    "--import",
    "tsx",
    fileURLToPath(import.meta.url),
    "node-side",
    what,
  ]);
  return JSON.parse(String(out)) as Measured;
}

/** The renderer that holds most: browsers have one for each page, and a few for themselves. */
function rendererPeak(): number {
  const peaks = readdirSync("/proc").flatMap((pid) => {
    try {
      const isRenderer = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
      return isRenderer && isOurs(Number(pid)) ? [peakOf(Number(pid))] : [];
    } catch {
      return [];
    }
  });
  return Math.max(0, ...peaks);
}

/** Whether a process was started by this one, or by one that was. */
function isOurs(pid: number): boolean {
  if (pid <= 1) return false;
  const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return Number(parent) === process.pid || isOurs(Number(parent));
}

async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const dist = new URL("../dist/studio/", pathToFileURL(import.meta.filename));
  const served = await serveStudio({ file: filesOf(dist, undefined), port: 0 });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--headless", "--no-sandbox", "--disable-gpu"];
  const browser: Browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(600_000);
    await page.goto(served.address);
    return await use(page);
  } finally {
    await browser.close();
    await served.close();
  }
}

async function fitIn(page: Page): Promise<Measured> {
  await page.waitForSelector("[name=target]");
  await page.selectOption("[name=target]", "y");
  await page.click("[data-action=fit]");
  await page.waitForSelector("[data-part=verdict]");
  const timing = await page.evaluate(
    () =>
      (globalThis as unknown as { sparrow: { result: { timing: Record<string, number> } } }).sparrow.result
        .timing,
  );
  return { timing, memory: rendererPeak() };
}

const least = (values: readonly number[]): number => Math.min(...values);
const line = (label: string, page: string, node: string, ratio: number, wanted: string): void =>
  console.log(
    `  ${label.padEnd(34)}${page.padStart(10)}${node.padStart(10)}${ratio.toFixed(2).padStart(8)}  ${wanted}`,
  );
const head = (title: string): void =>
  console.log(
    `\n${title}\n  ${"".padEnd(34)}${"page".padStart(10)}${"Node".padStart(10)}${"ratio".padStart(8)}`,
  );

async function table1(): Promise<void> {
  head("The paper's Table 1, 50,000 × 2,000");
  const [pages, nodes]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    nodes.push(inNode("table1"));
    pages.push(
      await withPage(async (page) => {
        await page.click("[data-example=table1]");
        return fitIn(page);
      }),
    );
  }
  const [a, b] = [pages, nodes].map((all) => least(all.map(afterReading)));
  line("seconds after reading", a.toFixed(2), b.toFixed(2), a / b, "at most 1.3");
  const [c, d] = [pages, nodes].map((all) => least(all.map(({ memory }) => memory)) / 1e6);
  line("peak memory, MB", c.toFixed(0), d.toFixed(0), c / d, "at most 1.2");
}

/** About 100 MB of numbers. */
async function csvFile(path: string): Promise<number> {
  const [rows, columns] = [60_000, 200];
  const rng = Rng.seeded(1);
  const out = createWriteStream(path);
  let bytes = 0;
  const write = (text: string): Promise<void> | undefined => {
    bytes += text.length;
    return out.write(text) ? undefined : new Promise((resolve) => out.once("drain", resolve));
  };
  await write(`${Array.from({ length: columns }, (_, j) => `x${j + 1}`).join(",")},y\n`);
  for (let i = 0; i < rows; i++) {
    const x = Array.from({ length: columns }, () => normal(rng));
    await write(`${[...x, x[0] + normal(rng)].map((value) => value.toFixed(5)).join(",")}\n`);
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return bytes;
}

async function csv(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sparrow-bench-"));
  const path = join(folder, "numbers.csv");
  const bytes = await csvFile(path);
  head(`A CSV file of ${(bytes / 1e6).toFixed(0)} MB`);
  const [pages, nodes]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    nodes.push(inNode(path).timing.read);
    pages.push(
      await withPage(async (page) => {
        await page.setInputFiles(".drop input[type=file]", path);
        return (await fitIn(page)).timing.read;
      }),
    );
  }
  const [a, b] = [least(pages), least(nodes)];
  line("seconds to read it", a.toFixed(2), b.toFixed(2), a / b, "at most 2");
  rmSync(folder, { recursive: true });
}

interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time: unlike the clock they do not count what other programs take. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest tasks of the page, by processor time in milliseconds, while 2,000 variables are scrolled, sorted and searched. */
async function scroll(): Promise<void> {
  console.log("\n2,000 variables scrolled, sorted and searched");
  const longest = await withPage(async (page) => {
    await page.click("[data-example=table1]");
    await fitIn(page);
    await page.waitForSelector("[data-part=method]");
    await page.waitForTimeout(1000);
    const browser = page.context().browser()!;
    await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
    const body = page.locator("[data-part=variables] .rows-body");
    for (let step = 0; step < 60; step++) {
      await body.evaluate((element, top) => element.scrollTo(0, top), 1200 * step);
      await page.waitForTimeout(20);
    }
    for (const by of ["name", "effect", "pip"]) await page.click(`[data-sort=${by}]`);
    await page.fill("[placeholder='Find a variable']", "z12");
    await page.waitForTimeout(500);
    const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
      traceEvents: readonly Traced[];
    };
    const mains = traceEvents.filter(
      ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
    );
    const isMain = ({ pid, tid }: Traced) => mains.some((main) => main.pid === pid && main.tid === tid);
    return traceEvents
      .filter((event) => event.tdur !== undefined && /RunTask$/.test(event.name) && isMain(event))
      .map(({ tdur = 0 }) => tdur / 1000)
      .sort((a, b) => b - a);
  });
  const shown = longest.slice(0, 5).map((task) => task.toFixed(0));
  console.log(`  longest of ${longest.length} tasks, ms: ${shown.join(", ")} (at most 50)`);
}

const [first, second] = process.argv.slice(2);
if (first === "node-side") await nodeSide(second);
else {
  const wanted = process.argv.slice(2);
  const all = { table1, csv, scroll };
  console.log(`Load at the start: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores.`);
  for (const [name, measure] of Object.entries(all)) {
    if (wanted.length === 0 || wanted.includes(name)) await measure();
  }
}
