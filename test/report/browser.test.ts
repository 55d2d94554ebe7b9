import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run.js";
import { htmlReport } from "../../src/report/page/page.js";
import { fakeEffects } from "../cli/fake-effects.js";
import { CHROMIUM_FLAGS, chromiumPath } from "./chromium.js";
import { exampleRun, variable } from "./example.js";

const executablePath = chromiumPath();
const CRIME = new URL("../../examples/crime.csv", import.meta.url).pathname;

describe.skipIf(!executablePath)("the page in Chromium", () => {
  let browser: Browser;
  let folder: string;
  const files: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sparrow-page-"));
    browser = await chromium.launch({ executablePath: executablePath!, args: CHROMIUM_FLAGS });
    const effects = fakeEffects();
    const run = async (...argv: string[]) => expect(await runCli(argv, effects), effects.messages).toBe(0);
    const out = (name: string) => join(folder, name);
    await run("fit", CRIME, "--target", "y", "--out", out("auto"), "--quiet");
    await run("report", out("auto"), "--open");
    expect(effects.opened).toEqual([join(folder, "auto", "report.html")]);
    files.default = effects.opened[0];
    const paper = ["--preset", "paper", "--batch", "40", "--chains", "2"];
    await run("fit", CRIME, "--target", "y", "--out", out("paper"), "--quiet", ...paper);
    files.paper = out("paper.html");
    await run("report", out("paper"), "--out", files.paper);
    const rows = Array.from({ length: 240 }, (_, i) => {
      const [group, x] = [i % 6, Math.sin(i)];
      return `"${GROUPS[group]}",${x},${3 * x + group + Math.cos(7 * i)}`;
    });
    writeFileSync(out("groups.csv"), `group,x,y\n${rows.join("\n")}\n`);
    const model = ["--target", "y", "--group", "group", "--random", "x", "--iterations", "200"];
    await run("mixed", out("groups.csv"), ...model, "--out", out("mixed"), "--quiet");
    files.mixed = join(out("mixed"), "report.html");
    files.compare = out("compare.html");
    const methods = ["--methods", "lasso,mcp,scad", "--out", files.compare, "--quiet"];
    await run("compare", CRIME, "--target", "y", ...methods);
    files.hostile = out("hostile.html");
    writeFileSync(files.hostile, hostilePage());
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const views = [
    ["default", 1000, "light"],
    ["default", 1000, "dark"],
    ["default", 390, "light"],
    ["default", 390, "dark"],
    ["paper", 1000, "dark"],
    ["paper", 390, "light"],
    ["hostile", 1000, "light"],
    ["hostile", 390, "dark"],
    ["mixed", 1000, "dark"],
    ["mixed", 390, "light"],
    ["compare", 1000, "light"],
    ["compare", 390, "dark"],
  ] as const;

  it.each(views)(
    "%s at %i px, %s: quiet, offline, and no wider than the window",
    async (name, width, scheme) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => complaints.push(`dialog ${dialog.message()}`));
      page.on("request", (request) => {
        const url = request.url();
        if (url !== pathToFileURL(files[name]).href && url !== "data:,") complaints.push(`request ${url}`);
      });
      await page.goto(pathToFileURL(files[name]).href);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      const seen = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        background: getComputedStyle(document.body).backgroundColor,
        empty: [...document.querySelectorAll("figure")].filter(
          (figure) => ![...figure.querySelectorAll("svg")].some((svg) => svg.getClientRects().length > 0),
        ).length,
        figures: document.querySelectorAll("figure").length,
        smallest: Math.min(
          ...[...document.querySelectorAll<SVGSVGElement>("figure svg")]
            .filter((svg) => svg.getClientRects().length > 0)
            .map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width),
        ),
      }));
      const labels = await page.evaluate(labelTroubles);
      await page.close();
      expect(complaints).toEqual([]);
      expect(seen.scrollWidth).toBeLessThanOrEqual(width);
      expect(seen.empty).toBe(0);
      expect(seen.figures).toBeGreaterThanOrEqual(name === "compare" ? 1 : 3);
      expect(labels).toEqual([]);
      // Texts are drawn at 12 px; smaller than 11 is hard to read on a phone.
      expect(12 * seen.smallest).toBeGreaterThan(11);
      const [red] = seen.background.match(/\d+/g)!.map(Number);
      expect(red > 128).toBe(scheme === "light");
    },
  );
});

const GROUPS = [
  "St Mary’s Church of England Voluntary Aided Primary School",
  "St Mary’s Church of England Voluntary Aided Junior School",
  "<b>Bold</b> Academy",
  "東京第一小学校",
  "École élémentaire publique",
  "6",
];

/** Labels of drawings that lie over another one or leave their drawing, as the browser has set them. */
function labelTroubles(): string[] {
  const troubles: string[] = [];
  for (const svg of document.querySelectorAll<SVGSVGElement>("figure svg")) {
    if (svg.getClientRects().length === 0) continue;
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent!.trim() !== "")
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    for (const [i, { text, box }] of labels.entries()) {
      if (box.left < frame.left - 8 || box.right > frame.right + 8) troubles.push(`${text} sticks out`);
      for (const other of labels.slice(0, i)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 3) troubles.push(`${text} over ${other.text}`);
      }
    }
  }
  return troubles;
}

/** Names that would break a page if they could. */
function hostilePage(): string {
  const names = [
    `<script>alert("x")</script>`,
    `'"><img src=x onerror=alert(1)>`,
    "🐦 sparrow",
    "supercalifragilisticexpialidocious_".repeat(5),
    "עברית and English",
    "\u202ereversed",
  ];
  const variables = names.map((name, i) => variable(name, 1 - i / 8, i % 2 === 0 ? 1 : -100));
  const run = exampleRun({
    variables,
    columns: names.length,
    target: names[0],
    models: [{ variables: names, probability: 0.5 }],
    credibleSets: [{ variables: names, probability: 0.97 }],
    falseDiscovery: { rate: 0.05, expected: 0.01, variables: names },
    verdict: `One problem found. ${names.join(" ")}`,
    diagnostics: { warnings: names },
  });
  return htmlReport(run, parseHTML("<html></html>").document);
}
