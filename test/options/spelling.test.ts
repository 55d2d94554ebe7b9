/** Sentences in results name options: as properties in the library, as flags on the command line, and never as marks. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as browser from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import type { MixedFit } from "../../src/mixed/fit.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import * as node from "../../src/node.js";
import { spokenCompare, spokenMixed, spokenRecord, spokenResult } from "../../src/report/spoken.js";
import { asFlag, asProperty, option } from "../../src/wording.js";
import { sparrow } from "../cli/fake-effects.js";

const MARK = /[\ue000\ue001]/;
let folder: string;
const at = (name: string) => join(folder, name);

const rng = Rng.seeded(4);
const columns = {
  x: Float64Array.from({ length: 60 }, () => normal(rng)),
  z: Float64Array.from({ length: 60 }, () => normal(rng)),
  y: Float64Array.from({ length: 60 }, () => normal(rng)),
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-spelling-"));
  const lines = Array.from(
    { length: 60 },
    (_, i) => `${columns.x[i]},${columns.z[i]},g${i % 6},${columns.y[i]}`,
  );
  writeFileSync(at("data.csv"), `x,z,group,y\n${lines.join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One short chain is a problem whose remedies are options. */
const short = { target: "y", preset: "paper", iterations: 40, threads: 1 } as const;

function unmarked(text: string): void {
  expect(text.length).toBeGreaterThan(0);
  expect(text).not.toMatch(MARK);
}

describe("a fit", () => {
  it.each([
    ["on arrays", () => browser.run(columns, { ...short })],
    ["of a file", () => node.run(at("data.csv"), { ...short })],
  ])("%s speaks of properties in the library", async (_, run) => {
    const { result, details } = await run();
    expect(result.diagnostics.warnings).toContain(
      "One chain cannot show whether chains agree. Run with chains: 4.",
    );
    expect(result.verdict).toContain("Run with chains: 4.");
    unmarked(JSON.stringify([result, details.predictor()]));
  });

  it("speaks of flags on the command line, in the run folder and on the page", async () => {
    const paper = ["--target", "y", "--preset", "paper", "--iterations", "40", "--threads", "1"];
    const { status, out, err } = await sparrow("fit", at("data.csv"), ...paper, "--out", at("run"));
    expect(status).toBe(0);
    expect(out.replaceAll("\n", " ")).toContain("Run with --chains 4.");
    expect((await sparrow("report", at("run"))).status).toBe(0);
    unmarked(out + err);
    for (const file of readdirSync(at("run"))) unmarked(readFileSync(join(at("run"), file), "utf8"));
    const { diagnostics } = JSON.parse(readFileSync(at("run/summary.json"), "utf8"));
    expect(diagnostics.warnings.join(" ")).toContain("Run with --chains 4.");
    expect(readFileSync(at("run/report.html"), "utf8")).toContain("--chains 4");
  });
});

describe("clusters, comparisons, imports and mixed models", () => {
  it("hold no mark in the library", async () => {
    const clusters = await browser.clusters(columns.x, {
      columns: 1,
      components: 2,
      iterations: 60,
      chains: 1,
    });
    expect(clusters.verdict).toContain("Run with chains: 4.");
    const comparison = await node.compare(at("data.csv"), {
      target: "y",
      exclude: ["group"],
      methods: ["lasso"],
      threads: 1,
    });
    const record = await node.importFiles(at("data.csv"), at("library.sparrow"), { target: "y" });
    const data = emptyCrossProducts(
      ["(intercept)", "x"],
      "y",
      Array.from({ length: 6 }, (_, g) => `g${g}`),
    );
    for (let i = 0; i < 60; i++) addRow(data, i % 6, [1, columns.x[i], columns.y[i]]);
    const messages: string[] = [];
    const onMessage = (message: string) => messages.push(message);
    const mixed = await browser.mixedFromProducts(data, {
      target: "y",
      group: "g",
      iterations: 40,
      onMessage,
    });
    unmarked(JSON.stringify([clusters, comparison, record, mixed.result, messages]));
    unmarked(readFileSync(at("library.sparrow"), "utf8"));
  });

  it("hold no mark on the command line", async () => {
    const mixed = ["mixed", at("data.csv"), "--target", "y", "--group", "group", "--iterations", "40"];
    const compare = ["compare", at("data.csv"), "--target", "y", "--exclude", "group", "--methods", "lasso"];
    const imported = ["import", at("data.csv"), "--target", "y", "--out", at("command.sparrow")];
    for (const argv of [[...mixed, "--out", at("mixed")], compare, imported]) {
      const { status, out, err } = await sparrow(...argv);
      expect([status, argv[0]]).toEqual([0, argv[0]]);
      unmarked(out + err);
    }
    for (const file of readdirSync(at("mixed"))) unmarked(readFileSync(join(at("mixed"), file), "utf8"));
  });
});

describe("every field of a result that holds sentences is spelt", () => {
  const sentence = `Use ${option("missing", "drop")} or ${option("exclude", ["a b"])}.`;
  const said = {
    property: 'Use missing: "drop" or exclude: ["a b"].',
    flag: 'Use --missing drop or --exclude "a b".',
  };
  const spellings = [
    ["properties", asProperty, said.property],
    ["flags", asFlag, said.flag],
  ] as const;

  it.each(spellings)("with %s", (_, spelling, expected) => {
    const fit = spokenResult(
      {
        notes: [sentence],
        verdict: sentence,
        diagnostics: { warnings: [sentence] },
        settings: { chosen: [sentence], chains: 2 },
      } as never,
      spelling,
    );
    expect(fit).toEqual({
      notes: [expected],
      verdict: expected,
      diagnostics: { warnings: [expected] },
      settings: { chosen: [expected], chains: 2 },
    });
    const judged = { notes: [sentence], verdict: sentence, diagnostics: { warnings: [sentence] } };
    expect(spokenMixed({ result: judged } as unknown as MixedFit, spelling).result).toEqual({
      notes: [expected],
      verdict: expected,
      diagnostics: { warnings: [expected] },
    });
    const compared = { methods: [{ method: "a", failure: sentence }, { method: "b" }] };
    expect(spokenCompare(compared as never, spelling).methods).toEqual([
      { method: "a", failure: expected },
      { method: "b" },
    ]);
    expect(spokenRecord({ notes: [sentence] } as never, spelling).notes).toEqual([expected]);
  });
});
