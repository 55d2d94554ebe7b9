import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GaussianScores } from "../../src/diagnostics/predictive.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { importFiles, run } from "../../src/node.js";
import { predictTable } from "../../src/prediction/predict.js";
import { open } from "../../src/tables/open.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";

const rows = 1500;
const rng = Rng.seeded(3);
const x1 = Array.from({ length: rows }, () => normal(rng));
const x2 = Array.from({ length: rows }, () => normal(rng));
const region = Array.from({ length: rows }, () => ["east", "north", "south"][rng.below(3)]);
const y = x1.map((v, i) => 2 * v + (region[i] === "north" ? 3 : 0) + normal(rng));

let folder = "";
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-holdout-"));
  writeFileSync(
    at("data.csv"),
    `x1,x2,region,y\n${y.map((v, i) => `${x1[i]},${x2[i]},${region[i]},${v}`).join("\n")}\n`,
  );
  const pairs = (i: number) =>
    `1:${x1[i]} 2:${x2[i]}${region[i] === "east" ? "" : ` ${region[i] === "north" ? 30 : 31}:1`}`;
  writeFileSync(at("data.svm"), `${y.map((v, i) => `${v} ${pairs(i)}`).join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { threads: 1, holdout: 0.3, seed: 2 } as const;

it("of a LIBSVM file scores what a fit of the other rows predicts", async () => {
  const { result } = await run(at("data.svm"), { ...options, target: "label" });
  const { rows: held, average } = result.holdout!;
  expect(result.rows + held).toBe(rows);
  // 450 rows expected, with a standard deviation of 18.
  expect(Math.abs(held - 0.3 * rows)).toBeLessThan(4 * 18);
  // The noise has standard deviation 1; its estimate from 450 rows has a standard error of 0.033.
  expect(Math.abs((average as GaussianScores).rmse - 1)).toBeLessThan(4 * 0.033);
});

it("of a store does the same, and the run still predicts new data with the columns of the old", async () => {
  await importFiles(at("data.csv"), at("data.sparrow"), { target: "y" });
  const { result, details, data } = await run(at("data.sparrow"), { ...options, target: undefined });
  const { rows: held, average } = result.holdout!;
  expect(result.rows + held).toBe(rows);
  expect(Math.abs((average as GaussianScores).rmse - 1)).toBeLessThan(4 * 0.033);
  expect(data.name).toBe(at("data.csv"));
  const selected = result.variables.filter((variable) => variable.selected).map(({ name }) => name);
  expect(selected.sort()).toEqual(["region=north", "x1"]);
  const fresh = arrayTable({ region: ["north", "south"], x2: [0, 0], x1: [1, 1] });
  const { mean } = await predictTable(details.predictor(), fresh);
  expect(mean[0] - mean[1]).toBeGreaterThan(2.5);
  expect(mean[0] - mean[1]).toBeLessThan(3.5);
});

it("of a store refuses a column that is not there, and a store that memory does not hold", async () => {
  await importFiles(at("data.csv"), at("other.sparrow"), { target: "y" });
  const held = { ...options, target: undefined };
  await expect(run(at("other.sparrow"), { ...held, always: ["nobody"] })).rejects.toThrow("nobody");
  await expect(run(at("other.sparrow"), { ...held, memory: 1e4 })).rejects.toMatchObject({
    commandLine: `The store ${at("other.sparrow")} is too large for --holdout; use it with the data themselves, or give more --memory.`,
  });
});

it("predicts the rows of a LIBSVM file from a run", async () => {
  const { details } = await run(at("data.svm"), { target: "label", threads: 1 });
  const table = await open(at("data.svm"));
  const { scores, mean } = await predictTable(details.predictor(), table);
  expect(mean).toHaveLength(rows);
  expect((scores!.average as GaussianScores).rmse).toBeLessThan(1.1);
});
