import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseHTML } from "linkedom";
import { afterAll, expect, it, describe as suite } from "vitest";
import { fitting } from "../../src/browser/room.js";
import * as page from "../../src/browser.js";
import { fitCommand } from "../../src/cli/commands/fit.js";
import { parseCommand } from "../../src/cli/parse.js";
import { runFiles } from "../../src/cli/run-files.js";
import { RUN_FOLDER, saveRun } from "../../src/cli/run-folder.js";
import { claiming } from "../../src/files/claim.js";
import { runPage } from "../../src/node/pages.js";
import { runData } from "../../src/node/run-data.js";
import { type ColumnTable, open, predict } from "../../src/node.js";
import { spokenRun } from "../../src/report/spoken.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { asFlag } from "../../src/wording.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-outputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (path: string) => Object.assign(new Blob([readFileSync(path)]), { name: basename(path) });
const small = join(folder, "small.csv");
const lines = Array.from({ length: 60 }, (_, i) => {
  const x = [1, 2, 3, 4].map((j) => Math.sin(7 * i * j + j).toFixed(3));
  return [...x, (2 * Number(x[0]) + Math.cos(5 * i)).toFixed(3)].join(",");
});
writeFileSync(small, ["a,b,c,d,y", ...lines, ""].join("\n"));
const options = { target: "y", seed: 1 };
const fitted = page.run(file(small), options, { spelling: "command" });

async function columnsOf(path: string): Promise<Record<string, number[]>> {
  const table = (await open(path)) as ColumnTable;
  const out: Record<string, number[]> = Object.fromEntries(table.columns.map(({ name }) => [name, []]));
  for await (const { rows, columns } of table.chunks([...table.columns.keys()])) {
    table.columns.forEach(({ name }, c) => {
      for (let i = 0; i < rows; i++) out[name].push(columns[c][i]);
    });
  }
  table.close?.();
  return out;
}

suite("draws", () => {
  it.each(["parquet", "arrow", "csv"] as const)("come back from %s", async (format) => {
    const stored = page.storedRun(await fitted, options);
    const { names, columns } = stored.draws!;
    const path = join(folder, `draws.${format}`);
    writeFileSync(path, await page.drawsFile(stored, format));
    const found = await columnsOf(path);
    expect(Object.keys(found)).toEqual(names);
    const wrong = names.filter((name, c) => found[name].some((value, i) => value !== columns[c][i]));
    expect(wrong).toEqual([]);
    expect(found[names[0]]).toHaveLength(columns[0].length);
  });
});

/** Names and times apart, which a page has of its own. */
const plain = (html: string) => html.replaceAll(small, "small.csv").replace(/fitted in [\d.]+ s/, "");

it("a page writes the report that the command line writes", async () => {
  const there = join(folder, "run");
  const files = runFiles(spokenRun(await runData(small, options), asFlag), options);
  await claiming(there, RUN_FOLDER, (claimed) => saveRun(claimed, files));
  const { document } = parseHTML("<html><body></body></html>");
  const ours = await page.report(structuredClone(page.storedRun(await fitted, options)), document);
  expect(plain(ours)).toBe(plain(await runPage(there)));
});

it("a page predicts a second file like Node, and writes it like the command line", async () => {
  const predictor = (await fitted).details.predictor();
  const ours = await page.predict(predictor, file(small));
  expect(ours).toEqual(await predict(predictor, small));
  const [header, first] = page.predictionsCsv(ours).split("\n");
  expect(header).toBe("row,mean,meanLower,meanUpper,observationLower,observationUpper,median");
  expect(Number(first.split(",")[1])).toBeCloseTo(ours.mean[0], 4);
});

/** Words as a shell makes them of a line. */
const wordsOf = (line: string): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${line.replace(/^sparrow fit /, "")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

it.each([
  { target: "y", seed: 3 },
  { target: "it's $HOME", exclude: ["a b", 'c"d', "e,f", "g", "ü"] },
  { target: "y", preset: "paper", stepSize: { a: 1, b: 2, kappa: 0.6 }, threads: 2 } as const,
  { target: "y", stepSize: { a: 0.1, length: 50 }, noHeader: true, delimiter: "\t", na: ["?", "n a"] },
  { target: "`y`", decimal: ",", dateFormat: "%d.%m.%Y", missing: "drop", memory: 2e9, quote: "'" } as const,
])("the command of a fit means the fit: %j", (asked) => {
  const { positionals, options: read } = parseCommand(
    fitCommand,
    wordsOf(page.commandLine("my data's.csv", { ...asked, onProgress: () => {} })),
  );
  expect(positionals).toEqual(["my data's.csv"]);
  expect(read).toEqual(asked);
  const code = page.libraryCode("my data's.csv", asked);
  const given = /fit\("my data's.csv", (\{[\s\S]*\})\);/.exec(code)?.[1];
  expect(new Function(`return ${given}`)()).toEqual(asked);
});

it("reading stops when it is told to", async () => {
  const text = `x,y\n${"1,2\n2,3\n".repeat(40_000)}`;
  const stop = new AbortController();
  const heard: number[] = [];
  const reading = page.describe(Object.assign(new Blob([text]), { name: "long.csv" }), {
    signal: stop.signal,
    onProgress: ({ done }) => {
      heard.push(done);
      stop.abort();
    },
  });
  await expect(reading).rejects.toThrow("Stopped before there was a result.");
  expect(heard[0]).toBeLessThan(80_000);
});

suite("room", () => {
  const table = arrayTable({ x: new Float64Array(20_000), y: new Float64Array(20_000) });
  const readThrough = async (memory: number, rows?: number) => {
    const { rows: _, ...unknown } = table;
    const source: ColumnTable = {
      ...unknown,
      ...(rows !== undefined && { rows }),
      async *chunks(columns) {
        let done = 0;
        for await (const chunk of table.chunks(columns)) {
          done += chunk.rows;
          yield { ...chunk, share: done / 20_000 };
        }
      },
    };
    let chunks = 0;
    const found = fitting(source, memory) as ColumnTable;
    for await (const _ of found.chunks([0, 1])) chunks += 1;
    return chunks;
  };

  it("is found to be too small by the first rows, before the others are read", async () => {
    await expect(readThrough(300_000)).rejects.toThrow(
      "the data would take about 0.00032 GB of memory, and this tab has 0.00030 GB; take fewer columns or rows, or use the command line, which works on disk.",
    );
    await expect(readThrough(300_000, 20_000)).rejects.toThrow("would take about");
    expect(await readThrough(330_000)).toBeGreaterThan(1);
  });

  it("is found to be too small for the different texts of a column", async () => {
    const words = Array.from({ length: 6000 }, (_, i) => `word ${i}`);
    const numbers = Array.from({ length: 6000 }, (_, i) => i % 10);
    const texts = () => fitting(arrayTable({ t: words, y: numbers }, "texts"), 1e6) as ColumnTable;
    const reading = async (columns: readonly number[]) => {
      for await (const _ of texts().chunks([...columns]));
    };
    await expect(reading([0, 1])).rejects.toThrow(
      'texts: column "t" holds more different texts than this tab can keep; leave it out of the file, or use the command line.',
    );
    await reading([1]);
  });

  it("is known when a file is opened, packed or not", async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${i},${i % 7},${(i * 0.37).toFixed(2)}\n`);
    const text = `a,b,c\n${lines.join("")}`;
    for (const [name, content] of [
      ["a.csv", text],
      ["a.csv.gz", gzipSync(text)],
    ] as const) {
      const { needs, tooLarge } = await page.open(Object.assign(new Blob([content]), { name }));
      expect(needs).toBe(8 * 3 * 5001);
      expect(tooLarge).toBeUndefined();
    }
  });
});
