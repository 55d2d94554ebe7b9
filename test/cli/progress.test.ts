import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { progressBar, progressLine, type Shown } from "../../src/cli/progress.js";
import { runCli } from "../../src/cli/run.js";
import { CLEAR_LINE } from "../../src/cli/terminal.js";
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

describe("a bar", () => {
  /** What a terminal shows of some progress, a second apart. */
  function shownOf(...all: Shown[]): string[] {
    const written: string[] = [];
    let now = 0;
    const clock = () => {
      now += 1000;
      return now;
    };
    const terminal = {
      terminal: true,
      width: 100,
      now: clock,
      err: (text: string) => void written.push(text),
    };
    const bar = progressBar({ ...fakeEffects(), ...terminal }, false);
    for (const progress of all) bar.show(progress);
    return written.map((text) => text.replace(CLEAR_LINE, ""));
  }

  it("is not at its end before everything is done", () => {
    const [almost, whole] = shownOf(
      { stage: "write", done: 1999, total: 2000 },
      { stage: "write", done: 2000, total: 2000 },
    );
    expect(almost).toContain(" 99% ");
    expect(whole).toContain(" 99% ");
  });

  it("whose end moves away counts on without one, and does not go back", () => {
    const lines = shownOf(
      { stage: "sample", done: 3900, total: 4000 },
      { stage: "sample", done: 4100, total: 8000 },
      { stage: "sample", done: 8000, total: 8000 },
    );
    expect(lines[0]).toContain(" 97% ");
    expect(lines[1]).toMatch(/^Sampling {3}4100 iterations {2}1s$/);
    expect(lines[2]).toMatch(/^Sampling {3}8000 iterations {2}2s$/);
  });

  it("of stages that take turns goes on where each was", () => {
    const turns = ["certify", "polish", "certify", "polish"] as const;
    const lines = shownOf(...turns.map((stage) => ({ stage, done: 0, total: 0 })));
    expect(lines).toEqual(["Certifying 0s", "Polishing  0s", "Certifying 2s", "Polishing  2s"]);
  });
});

/** Stages in their order, each with its shares in percent, as a terminal would have shown them. */
async function watched(...argv: string[]): Promise<{ readonly label: string; readonly shares: number[] }[]> {
  let now = 0;
  const written: string[] = [];
  const clock = () => {
    now += 1000;
    return now;
  };
  const terminal = { terminal: true, width: 100, now: clock, err: (text: string) => void written.push(text) };
  const effects = { ...fakeEffects(), ...terminal };
  expect(await runCli(argv, effects), written.join("")).toBe(0);
  const stages: { label: string; shares: number[] }[] = [];
  for (const text of written.filter((each) => each.startsWith(CLEAR_LINE) && each !== CLEAR_LINE)) {
    const [, label, share] = /^((?:\w+: )?\w+)(?:.* (\d+)%)?/.exec(text.slice(CLEAR_LINE.length))!;
    if (stages.at(-1)?.label !== label) stages.push({ label, shares: [] });
    if (share !== undefined) stages.at(-1)!.shares.push(Number(share));
  }
  return stages;
}

describe("every command's bar", () => {
  let folder = "";
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sparrow-bars-"));
    const table = numbers(300, 6);
    await writeTable(arrayTable(table), at("table.csv"));
    const holes = Array.from(table.x1, (x, i) => (i % 11 === 0 ? "" : String(x)));
    const rows = holes.map((x, i) => `${x},${table.x2[i]},${i % 9},${table.y[i]}`);
    writeFileSync(at("holes.csv"), `x1,x2,group,y\n${rows.join("\n")}\n`);
    writeFileSync(
      at("groups.csv"),
      `x2,group,y\n${rows.map((row) => row.replace(/^[^,]*,/, "")).join("\n")}\n`,
    );
    await watched("fit", at("table.csv"), "--target", "y", "--out", at("before"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const commands: [string, string[], string][] = [
    ["fit", ["fit", "table.csv", "--target", "y", "--out", "run"], "Writing"],
    [
      "the paper's fit",
      [...["fit", "table.csv", "--target", "y", "--preset", "paper"], ...["--batch", "50", "--out", "paper"]],
      "Writing",
    ],
    [
      "a fit with holes",
      ["fit", "holes.csv", "--target", "y", "--exclude", "group", "--out", "holes"],
      "Writing",
    ],
    ["import", ["import", "table.csv", "--target", "y", "--out", "table.sparrow"], "Writing"],
    [
      "mixed",
      ["mixed", "groups.csv", "--target", "y", "--group", "group", "--iterations", "200", "--out", "mixed"],
      "Writing",
    ],
    ["compare", ["compare", "table.csv", "--target", "y", "--methods", "esgld,lasso"], "esgld: Screening"],
    ["predict", ["predict", "before", "table.csv", "--out", "predicted.csv"], "Writing"],
    ["simulate", ["simulate", "linear", "--rows", "2500", "--columns", "8", "--out", "new.csv"], "Writing"],
  ];

  it.each(commands)(
    "of %s never goes back, never comes again, and ends with the writing",
    async (_, words, last) => {
      const isFile = (word: string) => /\.|^(?:run|paper|holes|mixed|before)$/.test(word);
      const [command, ...rest] = words;
      const path = (word: string, i: number) =>
        isFile(word) && rest[i - 1] !== "--preset" ? at(word) : word;
      const stages = await watched(command, ...rest.map(path));
      const labels = stages.map(({ label }) => label);
      expect(labels.at(-1)).toBe(last);
      // Certifying and polishing take turns; nothing else does.
      const once = labels.filter((label) => !["Certifying", "Polishing"].includes(label));
      if (command !== "compare") expect(new Set(once).size).toBe(once.length);
      for (const { shares } of stages) {
        expect(shares).toEqual([...shares].sort((a, b) => a - b));
        expect(Math.max(0, ...shares)).toBeLessThan(100);
      }
    },
  );
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
