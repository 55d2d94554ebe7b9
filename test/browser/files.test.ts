import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as library from "../../src/browser.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { type FitResult, fit } from "../../src/node.js";
import { browserPath, launched, type Served, scripts, served } from "./served.js";

// The same file and seed as on the command line, in a real browser: whatever the format, and however many threads.

const hasBrowser = existsSync(browserPath);
if (!hasBrowser && process.env.CI) throw new Error(`no browser at ${browserPath}; set CHROMIUM to one`);
const itThere = it.skipIf(!hasBrowser);

const folder = mkdtempSync(join(tmpdir(), "sparrow-page-"));
const [ROWS, COLUMNS] = [400, 30];
const rng = Rng.seeded(5);
const lines = Array.from({ length: ROWS }, (_, i) => {
  const x = Array.from({ length: COLUMNS }, () => Number(normal(rng).toFixed(3)));
  const town = ["Köln", "Århus", "Bath"][rng.below(3)];
  const y = 2 * x[0] - x[3] + (town === "Bath" ? 1 : 0) + normal(rng);
  return [...x, town, `2024-0${1 + (i % 9)}-1${i % 7}`, y.toFixed(3)].join(",");
});
const names = [...Array.from({ length: COLUMNS }, (_, j) => `x${j + 1}`), "town", "day", "y"];
const csv = `${names.join(",")}\n${lines.join("\n")}\n`;
const sparse = lines
  .map((line) => {
    const cells = line.split(",");
    const pairs = cells.slice(0, COLUMNS).map((value, j) => `${j + 1}:${value}`);
    return `${cells.at(-1)} ${pairs.join(" ")}\n`;
  })
  .join("");
const options = { seed: 7, preset: "paper", iterations: 120, chains: 2 } as const;

let browser: Browser;
const servers: Served[] = [];
const pages: Record<string, Page> = {};

beforeAll(async () => {
  if (!hasBrowser) return;
  const database = await (await DuckDBInstance.create(":memory:")).connect();
  const at = (name: string) => join(folder, name);
  writeFileSync(at("data.csv"), csv);
  writeFileSync(at("data.csv.gz"), Buffer.concat([gzipSync(csv.slice(0, 999)), gzipSync(csv.slice(999))]));
  writeFileSync(at("cut.csv.gz"), gzipSync(csv).subarray(0, -9));
  writeFileSync(at("data.svm"), sparse);
  await database.run(`COPY (FROM read_csv('${at("data.csv")}')) TO '${at("data.parquet")}' (FORMAT parquet)`);
  await database.run(`COPY (FROM read_csv('${at("data.csv")}')) TO '${at("data.jsonl")}' (FORMAT json)`);
  const files = await scripts();
  for (const name of ["data.csv", "data.csv.gz", "cut.csv.gz", "data.svm", "data.parquet", "data.jsonl"])
    files.set(`/${name}`, readFileSync(at(name)));
  browser = await launched();
  for (const kind of ["isolated", "plain"]) {
    const server = await served(files, kind === "isolated");
    servers.push(server);
    pages[kind] = await browser.newPage();
    await pages[kind].goto(server.address);
    await pages[kind].waitForFunction("globalThis.sparrow");
  }
}, 60_000);

afterAll(async () => {
  await browser?.close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly name: string;
  readonly options: library.FitOptions | Omit<library.FitOptions, "target">;
}

/** A fit in a page, with what was told on the way. */
function inPage(kind: "isolated" | "plain", name: string, asked: Asked["options"]) {
  return pages[kind].evaluate(
    async ({ name, options }: Asked) => {
      const { fit, open, threads } = (globalThis as unknown as { sparrow: typeof library }).sparrow;
      const blob = await (await fetch(`/${name}`)).blob();
      const news: library.News[] = [];
      try {
        const file = await open(new File([blob], name));
        const result = await fit(file, options, { onNews: (each) => news.push(each) });
        return { result, news, threads: threads() };
      } catch (error) {
        return { says: (error as Error).message };
      }
    },
    { name, options: asked },
  );
}

/** To the rounding of the engine's own functions: see fit.test.ts. */
function expectAlike(page: FitResult | undefined, node: FitResult): void {
  expect(page?.notes).toEqual(node.notes);
  expect(page?.variables.map(({ name }) => name)).toEqual(node.variables.map(({ name }) => name));
  node.variables.forEach(({ pip, mean }, j) => {
    expect(Math.abs(page!.variables[j].pip - pip)).toBeLessThanOrEqual(1e-12);
    expect(Math.abs(page!.variables[j].mean - mean)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(mean)));
  });
}

itThere.each(["data.csv", "data.csv.gz", "data.parquet", "data.jsonl", "data.svm"])(
  "%s gives the answer of the command line, in two threads over one memory",
  async (name) => {
    const target = name.endsWith("svm") ? {} : { target: "y" };
    const { result, threads } = await inPage("isolated", name, { ...options, ...target, threads: 2 });
    expect(threads).toMatchObject({ shared: true });
    expectAlike(result, await fit(join(folder, name), { ...options, ...target, threads: 1 }));
  },
);

itThere(
  "a page that may not share memory computes the same in one thread, and tells what the chains do",
  async () => {
    const plain = await inPage("plain", "data.csv", { ...options, target: "y", threads: 2 });
    const isolated = await inPage("isolated", "data.csv", { ...options, target: "y", threads: 2 });
    expect(plain.threads).toEqual({ shared: false, count: 1 });
    const { timing: _, ...ours } = plain.result!;
    const { timing: __, ...theirs } = isolated.result!;
    expect(ours).toEqual(theirs);
    for (const { news = [], result } of [plain, isolated]) {
      const last = news.filter(({ search }) => search).at(-1)?.search;
      expect(news.find(({ stage }) => stage === "read")?.bytes?.total).toBe(Buffer.byteLength(csv));
      expect(last?.sizes.map((sizes) => sizes.length)).toEqual([40, 40]);
      // With the paper's settings the shares of the chains are the answer.
      const shares = new Map(last?.inclusion.map(({ name, probability }) => [name, probability]));
      for (const { name, pip } of result!.variables.slice(0, 20)) {
        expect(shares.get(name) ?? 0, name).toBeCloseTo(pip, 12);
      }
    }
  },
);

const THREADS = { plain: 1, isolated: 2 };

itThere("a search that is stopped gives what there is, in one thread and in two", async () => {
  for (const kind of ["plain", "isolated"] as const) {
    const found = await pages[kind].evaluate(async (chains) => {
      const { fit } = (globalThis as unknown as { sparrow: typeof library }).sparrow;
      const file = new File([await (await fetch("/data.csv")).blob()], "data.csv");
      const stop = new AbortController();
      const long = {
        target: "y",
        preset: "paper",
        iterations: 10_000_000,
        burnIn: 1,
        chains,
        threads: 2,
      } as const;
      const onNews = ({ search }: library.News) => {
        if (search?.sizes.every(({ length }) => length > 0)) stop.abort();
      };
      const { partial, variables } = await fit(file, { ...long, signal: stop.signal }, { onNews });
      return { partial, variables: variables.length };
      // One after the other, the second would not have begun.
    }, THREADS[kind]);
    expect(found.partial).toBe(true);
    expect(found.variables).toBeGreaterThan(COLUMNS);
  }
});

itThere("a file that was cut short is refused in the words of the command line", async () => {
  const { says } = await inPage("isolated", "cut.csv.gz", { ...options, target: "y" });
  await expect(fit(join(folder, "cut.csv.gz"), { ...options, target: "y" })).rejects.toThrow(
    says?.replace("cut.csv.gz", join(folder, "cut.csv.gz")),
  );
});
