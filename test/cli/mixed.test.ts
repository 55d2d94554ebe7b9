import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { sparrow } from "./fake-effects.js";

const folder = mkdtempSync(join(tmpdir(), "mixed-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const { rows } = JSON.parse(readFileSync("test/reference/lme4.json", "utf8"));
const lines = rows.subject.map(
  (subject: string, i: number) => `s${subject},${rows.days[i]},lab,${rows.reaction[i]}`,
);
writeFileSync(at("sleep.csv"), `subject,days,place,reaction\n${lines.join("\n")}\n`);
const sleep = ["mixed", at("sleep.csv"), "--target", "reaction", "--group", "subject", "--iterations", "500"];

it("prints one JSON object with fixed and random effects, noise, diagnostics and timing", async () => {
  const { status, out } = await sparrow(...sleep, "--fixed", "days", "--random", "days", "--json");
  expect(status).toBe(0);
  const result = JSON.parse(out);
  expect(result.fixed.map(({ name }: { name: string }) => name)).toEqual(["(intercept)", "days"]);
  expect(result.fixed[1]).toMatchObject({
    mean: expect.any(Number),
    sd: expect.any(Number),
    lower: expect.any(Number),
    upper: expect.any(Number),
  });
  expect(result.random.names).toEqual(["(intercept)", "days"]);
  expect(result.random.mean).toHaveLength(2);
  expect(result.random.mean[0][1]).toBe(result.random.mean[1][0]);
  expect(result.noiseVariance.mean).toBeGreaterThan(500);
  expect(result.diagnostics.rhat).toBeLessThan(1.1);
  expect(Object.keys(result.timing)).toEqual(["read", "start", "mode", "sample"]);
});

it("takes every column of numbers when none is named, and says what it leaves out", async () => {
  const { out, err } = await sparrow(...sleep);
  expect(out).toMatch(/180 rows in 18 groups of subject, target reaction \(gibbs\)/);
  expect(out).toMatch(/^days +1\d\.\d+/m);
  expect(err).toMatch(/left out: place/);
});

it("writes a run with draws and the effects of every group, and never over another", async () => {
  const first = await sparrow(...sleep, "--random", "days", "--out", at("run"));
  expect(first.status).toBe(0);
  const groups = readFileSync(at("run/groups.csv"), "utf8").trim().split("\n");
  expect(groups[0]).toBe("group,(intercept),sd((intercept)),days,sd(days)");
  expect(groups).toHaveLength(19);
  const draws = readFileSync(at("run/draws.csv"), "utf8").trim().split("\n");
  expect(draws).toHaveLength(1 + 4 * 450);
  expect(JSON.parse(readFileSync(at("run/summary.json"), "utf8")).groups).toBe(18);
  const report = readFileSync(at("run/report.html"), "utf8");
  expect(report).toMatch(/Variance components/);
  expect(report.match(/<circle/g)).toHaveLength(2 * 18);
  expect(report).not.toMatch(/NaN|Infinity|undefined/);
  const second = await sparrow(...sleep, "--out", at("run"));
  expect(second).toMatchObject({ status: 1, err: expect.stringMatching(/exists already/) });
});

it("explains a wrong command line with status 2 and wrong data with status 1, in one sentence", async () => {
  const cases: [string[], number, RegExp][] = [
    [["mixed", at("sleep.csv"), "--target", "reaction"], 2, /--group is missing/],
    [["mixed", at("sleep.csv"), "--group", "subject"], 2, /--target is missing/],
    [[...sleep, "--method", "magic"], 2, /--method must be one of/],
    [[...sleep, "--burn-in", "500"], 2, /--burn-in 500 leaves nothing/],
    [[...sleep, "--fixed", "place"], 1, /Column "place" has the same value in every row: leave it out/],
    [[...sleep, "--fixed", "reaction"], 1, /"reaction" cannot be a predictor/],
    [["mixed", at("none.csv"), "--target", "a", "--group", "b"], 1, /There is no file/],
  ];
  for (const [argv, status, message] of cases) {
    const result = await sparrow(...argv);
    expect(result.status, argv.join(" ")).toBe(status);
    expect(result.err).toMatch(message);
    expect(result.err.trim().split("\n")).toHaveLength(1);
  }
});

it("simulates ratings, fits them as the paper does, and draws its figures", async () => {
  const simulated = await sparrow("simulate", "ratings", "--users", "150", "--out", at("ratings"), "--quiet");
  expect(simulated).toEqual({ status: 0, out: "", err: "" });
  const paper = await sparrow(
    "mixed",
    at("ratings"),
    "--preset",
    "paper",
    "--batch",
    "50",
    "--iterations",
    "400",
    "--json",
  );
  const result = JSON.parse(paper.out);
  expect(result).toMatchObject({ groups: 150, target: "rating", method: "esgld", preset: "paper" });
  expect(result.fixed).toHaveLength(6);

  for (const figure of ["figure-s1", "figure-s2"]) {
    const options = [
      "--data",
      at("ratings"),
      "--iterations",
      "200",
      "--sweeps",
      "50",
      "--out",
      at(figure),
      "--json",
    ];
    const { status, out } = await sparrow("reproduce", figure, ...options);
    expect(status).toBe(0);
    const { experiment, methods, factors, paper } = JSON.parse(out);
    expect(experiment).toBe(figure);
    expect(methods.map(({ method }: { method: string }) => method)).toEqual([
      "algorithm S1",
      "gibbs",
      "anchored",
    ]);
    expect(factors[0].factor).toBeGreaterThan(0);
    expect(paper).toEqual({ factor: 7 });
    expect(existsSync(at(`${figure}/${figure}.json`))).toBe(true);
    const svg = readFileSync(at(`${figure}/${figure}.svg`), "utf8");
    expect(svg.match(/<polyline/g)).toHaveLength(figure === "figure-s1" ? 3 : 12);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  }
});
