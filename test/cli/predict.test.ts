import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sparrow } from "./fake-effects.js";

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-predict-"));
  const simulate = ["simulate", "logistic", "--rows", "400", "--columns", "9", "--seed", "2", "--quiet"];
  expect((await sparrow(...simulate, "--out", at("data.csv"))).status).toBe(0);
  const fit = ["fit", at("data.csv"), "--target", "y", "--threads", "1", "--quiet", "--out", at("run")];
  expect((await sparrow(...fit)).status).toBe(0);
  const [head, ...rows] = readFileSync(at("data.csv"), "utf8").trim().split("\n");
  const reversed = (line: string) => line.split(",").reverse().join(",");
  writeFileSync(at("reversed.csv"), `${[head, ...rows].map(reversed).join("\n")}\n`);
  const without = (line: string) => line.split(",").slice(1).join(",");
  writeFileSync(at("without.csv"), `${[head, ...rows].map(without).join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("sparrow predict", () => {
  test("prints the scores of the average and of the median model, and writes a row for each row", async () => {
    const { status, out } = await sparrow(
      "predict",
      at("run"),
      at("data.csv"),
      "--json",
      "--out",
      at("p.csv"),
    );
    expect(status).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ family: "binomial", rows: 400, target: "y" });
    for (const scores of [report.average, report.median]) {
      expect(scores.auc).toBeGreaterThan(0.8);
      expect(scores.logLoss).toBeLessThan(0.6);
    }
    const lines = readFileSync(at("p.csv"), "utf8").trim().split("\n");
    expect(lines[0]).toBe("mean,lower,upper,median");
    expect(lines).toHaveLength(401);
    for (const line of lines.slice(1)) {
      const [mean, lower, upper] = line.split(",").map(Number);
      expect(lower <= mean && mean <= upper).toBe(true);
    }
  });

  test("gives the same scores whatever the order of the columns", async () => {
    const plain = JSON.parse((await sparrow("predict", at("run"), at("data.csv"), "--json")).out);
    const reversed = JSON.parse((await sparrow("predict", at("run"), at("reversed.csv"), "--json")).out);
    expect(reversed.average).toEqual(plain.average);
  });

  test("refuses what it cannot use with one sentence", async () => {
    const missing = await sparrow("predict", at("run"), at("without.csv"));
    expect(missing.status).toBe(1);
    expect(missing.err).toMatch(/has no column "z1", which the run needs/);
    const nowhere = await sparrow("predict", at("nowhere"), at("data.csv"));
    expect(nowhere.err).toMatch(/There is no run folder .*nowhere/);
    writeFileSync(at("taken.csv"), "");
    const taken = await sparrow("predict", at("run"), at("data.csv"), "--out", at("taken.csv"));
    expect(taken.err).toMatch(/exists already/);
    expect(existsSync(at("taken.csv"))).toBe(true);
  });
});
