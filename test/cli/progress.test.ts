import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { progressBar, progressLine } from "../../src/cli/progress.js";
import { importFiles, type Progress } from "../../src/node.js";
import { open } from "../../src/tables/open.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { writeTable } from "../../src/tables/write.js";
import { numbers } from "../tables/tables.js";
import { fakeEffects } from "./fake-effects.js";

describe("a line of progress", () => {
  it("of reading files tells bytes, rows, rows per second and the time left", () => {
    const progress = { stage: "read", done: 300_000, total: 1_200_000 } as const;
    expect(progressLine({ ...progress, bytes: { done: 2.5e8, total: 1e9 } }, 10, 120)).toBe(
      `Reading    ${"█".repeat(7)}${"░".repeat(21)} 25%  250MB/1.00GB  300k rows  30.0k/s  30s left`,
    );
  });

  it("of reading something that is no file tells the rows", () => {
    expect(progressLine({ stage: "read", done: 25_000, total: 100_000 }, 5, 80)).toMatch(
      /25% {2}25.0k\/100k rows {2}5000\/s {2}15s left$/,
    );
  });

  it("of standard input, whose end nobody knows, tells bytes and their rate", () => {
    const progress = { stage: "receive", done: 5e7, total: 0, bytes: { done: 5e7 } } as const;
    expect(progressLine(progress, 4, 80)).toBe("Receiving  50.0MB  12.5MB/s");
  });

  it("is redrawn in a terminal, and written every few seconds elsewhere", () => {
    for (const terminal of [true, false]) {
      let now = 0;
      const written: string[] = [];
      const effects = {
        ...fakeEffects(),
        terminal,
        width: 100,
        now: () => now,
        err: (text: string) => void written.push(text),
      };
      const bar = progressBar(effects, false);
      for (; now < 20_000; now += 50)
        bar.show({ stage: "read", done: now, total: 20_000, bytes: { done: 10 * now, total: 200_000 } });
      bar.done();
      if (terminal) {
        expect(written.length).toBeGreaterThan(100);
        expect(written.every((text) => text.startsWith("\r\x1b[2K"))).toBe(true);
      } else {
        expect(written).toHaveLength(4);
        expect(written[1]).toMatch(/^Reading .* 30% {2}60.0kB\/200kB {2}6000 rows {2}1000\/s {2}14s left\n$/);
      }
    }
  });
});

describe("while importing", () => {
  let folder = "";
  const at = (name: string) => join(folder, name);
  const table = numbers(30_000, 3);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sparrow-progress-"));
    await writeTable(arrayTable(table), at("table.parquet"));
    await writeTable(arrayTable(table), at("table.csv"));
    const row = (i: number) => `${table.y[i]} 1:${table.x1[i]} 2:${table.x2[i]}`;
    writeFileSync(at("table.svm"), `${Array.from(table.y, (_, i) => row(i)).join("\n")}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(["table.parquet", "table.csv", "table.svm"])(
    "%s is counted in bytes and rows to its end",
    async (name) => {
      const heard: Progress[] = [];
      await importFiles(at(name), at(`${name}.sparrow`), {
        target: name.endsWith("svm") ? "label" : "y",
        onProgress: (progress) => heard.push(progress),
      });
      const read = heard.filter(({ stage }) => stage === "read");
      const { size } = statSync(at(name));
      expect(read.at(-1)!.done).toBe(30_000);
      expect(read.at(-1)!.bytes!.done).toBeGreaterThan(0.9 * size);
      for (const [i, { bytes, done }] of read.entries()) {
        expect(bytes!.total).toBe(size);
        expect(bytes!.done).toBeLessThanOrEqual(size);
        if (i > 0) expect(done).toBeGreaterThan(read[i - 1].done);
      }
    },
  );

  it("standard input is counted as it comes", async () => {
    const received: number[] = [];
    const text = ["a,y\n", ..."123456".split("").map((digit) => `${digit},${Number(digit) ** 2}\n`)];
    const read = await open("-", {
      input: Readable.from(text.map((line) => Buffer.from(line))),
      onReceived: (bytes) => received.push(bytes),
    });
    read.close?.();
    expect(received).toHaveLength(text.length);
    expect(received.at(-1)).toBe(text.join("").length);
  });
});
