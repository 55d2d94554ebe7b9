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
    expect(lines[0]).toBe("row,mean,meanLower,meanUpper,median");
    expect(lines).toHaveLength(401);
    for (const line of lines.slice(1)) {
      const [, mean, lower, upper] = line.split(",").map(Number);
      expect(lower <= mean && mean <= upper).toBe(true);
    }
  });

  test("gives the same scores whatever the order of the columns", async () => {
    const plain = JSON.parse((await sparrow("predict", at("run"), at("data.csv"), "--json")).out);
    const reversed = JSON.parse((await sparrow("predict", at("run"), at("reversed.csv"), "--json")).out);
    expect(reversed.average).toEqual(plain.average);
  });

  test("prints the predictions where no file is named, with the columns that name a row", async () => {
    const [head, ...rows] = readFileSync(at("data.csv"), "utf8").trim().split("\n");
    const named = rows.map((line, i) => `${i === 0 ? '"Smith, ""Jo"""' : `p${i}`},${line}`);
    writeFileSync(at("named.csv"), [`who,${head}`, ...named].join("\n"));
    const { out, err } = await sparrow("predict", at("run"), at("named.csv"), "--id", "who");
    const lines = out.trim().split("\n");
    expect(lines[0]).toBe("row,who,mean,meanLower,meanUpper,median");
    expect(lines).toHaveLength(401);
    expect(lines[1]).toMatch(/^1,"Smith, ""Jo""",0\.\d+,/);
    expect(lines[400]).toMatch(/^400,p399,/);
    expect(err).toMatch(/400 rows predicted, target y\s[\s\S]*AUC/);
    const asked = ["predict", at("run"), at("named.csv"), "--id", "who"];
    const json = JSON.parse((await sparrow(...asked, "--json")).out);
    expect(json.predictions).toHaveLength(400);
    expect(json.predictions[0]).toMatchObject({ row: 1, who: 'Smith, "Jo"', mean: expect.any(Number) });
    for (const file of ["named.parquet", "named-out.csv"]) {
      expect((await sparrow(...asked, "--out", at(file), "--quiet")).status).toBe(0);
    }
    expect(readFileSync(at("named-out.csv"), "utf8")).toBe(out);
    const unknown = await sparrow("predict", at("run"), at("named.csv"), "--id", "whom");
    expect(unknown.err).toMatch(/has no column "whom"/);
  });

  test("scores the rows that hold the target and predicts the others, too", async () => {
    const [head, ...rows] = readFileSync(at("data.csv"), "utf8").trim().split("\n");
    const column = head.split(",").indexOf("y");
    const blank = (line: string) =>
      line
        .split(",")
        .map((cell, c) => (c === column ? "" : cell))
        .join(",");
    const write = (name: string, lines: string[]) => writeFileSync(at(name), [head, ...lines].join("\n"));
    write(
      "partly.csv",
      rows.map((line, i) => (i < 100 ? line : blank(line))),
    );
    write("first.csv", rows.slice(0, 100));
    write("blank.csv", rows.map(blank));
    const predicted = async (file: string) =>
      JSON.parse((await sparrow("predict", at("run"), at(file), "--json")).out);
    const [some, first] = [await predicted("partly.csv"), await predicted("first.csv")];
    expect(some.average).toEqual(first.average);
    expect([some.rows, some.average.rows, some.predictions.length]).toEqual([400, 100, 400]);
    expect((await predicted("blank.csv")).average).toBeUndefined();
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
