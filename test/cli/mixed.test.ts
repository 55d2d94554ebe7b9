import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, it } from "vitest";
import { readAnyRun } from "../../src/node/read-run.js";
import { predict } from "../../src/node.js";
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
  expect(Object.keys(result.timing)).toEqual(["read", "start", "sample"]);
});

it("takes every column of numbers when none is named, and says what it leaves out", async () => {
  const { out, err } = await sparrow(...sleep);
  expect(out).toMatch(/180 rows in 18 groups of subject, target reaction \(gaussian\)/);
  expect(out).toMatch(/^days +1\d\.\d+/m);
  expect(err).toMatch(/left out: "place"/);
});

it("fits a formula with several groupings, whose run can be read, reported and predicted from", async () => {
  const formula = "reaction ~ days + (1 | subject) + (1 | days)";
  const asked = ["mixed", at("sleep.csv"), "--formula", formula, "--iterations", "120", "--chains", "2"];
  const { status, out, err } = await sparrow(...asked, "--out", at("formula"));
  expect(status, err).toBe(0);
  expect(out).toContain(`180 rows, ${formula} (gaussian)`);
  const table = out
    .split("\n")
    .slice(out.split("\n").findIndex((line) => line.startsWith("differs between")));
  expect(table[0]).toMatch(/^differs between +median sd +95% interval +probability$/);
  expect(table[1]).toBe("18 levels of subject");
  expect(table[2]).toMatch(/^ {2}\(intercept\) +\S+ +\S+ to \S+ +(1\.000|>?0\.9\d\d)$/);
  expect(table[3]).toBe("10 levels of days");
  expect(table[4]).toMatch(/^ {2}\(intercept\) +\S+ +\S+ to \S+ +0\.\d\d\d$/);
  expect(table[5]).toMatch(/^\(noise\) +\S+ +\S+ to \S+$/);
  expect(table.slice(6, 8).join(" ")).toBe(
    "The probability is that groups differ in the effect at all, from even odds before the data.",
  );
  expect(readFileSync(at("formula/groups.csv"), "utf8").trim().split("\n")).toHaveLength(19);
  expect(readFileSync(at("formula/groups-2.csv"), "utf8").trim().split("\n")).toHaveLength(11);
  const page = readFileSync(at("formula/report.html"), "utf8");
  expect(page).toContain("(intercept) by days");
  // Every level of both groupings has its mark.
  // Once for wide windows, once for narrow ones.
  expect(page.match(/<circle/g)).toHaveLength(2 * (18 + 10));
  expect(page).toMatch(/All 10 groups, in the order of the effect. The numbers are in groups-2\.csv/);
  expect(page).toMatch(/Log likelihood -\d+\.\d\d at the means/);
  expect(out).toMatch(/^Log likelihood -\d+\.\d\d at the means/m);
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
  expect((await sparrow("report", at("formula"), "--out", at("again.html"))).status).toBe(0);
  expect(readFileSync(at("again.html"), "utf8")).toBe(page);
  const predicted = await sparrow("predict", at("formula"), at("sleep.csv"), "--out", at("formula.csv"));
  expect(predicted.status, predicted.err).toBe(0);
  expect(readFileSync(at("formula.csv"), "utf8").trim().split("\n")).toHaveLength(181);
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
  expect(report).toMatch(/How much groups differ/);
  const { document } = parseHTML(report);
  const drawn = [...document.querySelectorAll('.wide svg[aria-label^="Effects of groups"]')];
  expect(drawn).toHaveLength(2);
  // Every group has a dot and its name.
  for (const svg of drawn) {
    expect(svg.querySelectorAll("circle")).toHaveLength(18);
    const names = [...svg.querySelectorAll("text")].map((text) => text.firstChild!.textContent);
    expect(names).toEqual(expect.arrayContaining(groups.slice(1).map((line) => line.split(",")[0])));
  }
  expect(report).not.toMatch(/NaN|Infinity|undefined/);
  const second = await sparrow(...sleep, "--out", at("run"));
  expect(second).toMatchObject({ status: 1, err: expect.stringMatching(/exists already/) });
});

describe("a run folder", () => {
  const record = (name: string) => JSON.parse(readFileSync(at(`${name}/run.json`), "utf8"));

  it("has the record of any other run, and its times lie apart", async () => {
    const { status, out } = await sparrow(
      ...sleep,
      "--random",
      "days",
      "--seed",
      "5",
      "--out",
      at("whole"),
      "--json",
    );
    expect(status).toBe(0);
    expect(readdirSync(at("whole")).sort()).toEqual([
      "draws.csv",
      "draws.parquet",
      "groups.csv",
      "manifest.json",
      "model.json",
      "report.html",
      "run.json",
      "summary.json",
      "timing.json",
    ]);
    expect(record("whole")).toMatchObject({
      version: expect.any(String),
      seed: 5,
      draws: "chains",
      data: {
        name: at("sleep.csv"),
        rows: 180,
        columns: ["days"],
        checksum: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      options: { target: "reaction", group: "subject", iterations: 500, random: ["days"] },
      settings: { method: "gibbs", chains: 4 },
    });
    const summary = JSON.parse(readFileSync(at("whole/summary.json"), "utf8"));
    const timing = JSON.parse(readFileSync(at("whole/timing.json"), "utf8"));
    expect({ ...summary, timing }).toEqual(JSON.parse(out));
  });

  it("has the same bytes with any number of threads, times apart", async () => {
    for (const threads of ["1", "2"]) {
      const argv = [...sleep, "--random", "days", "--threads", threads, "--out", at(`by-${threads}`)];
      expect((await sparrow(...argv)).status).toBe(0);
    }
    for (const file of readdirSync(at("by-1")).filter((name) => !/timing|manifest/.test(name))) {
      expect(readFileSync(at(`by-1/${file}`)).equals(readFileSync(at(`by-2/${file}`))), file).toBe(true);
    }
  });

  it("has draws that readers of Parquet know by the names of any other run", async () => {
    await sparrow(...sleep, "--random", "days", "--out", at("draws"));
    const stored = await readAnyRun(at("draws"));
    if (stored.kind !== "mixed") throw new Error("a run of another kind");
    const { draws, result } = stored.run;
    expect(draws.names).toEqual([
      ...[".chain", ".iteration", ".draw", "intercept", "b_days", "sigma2"],
      ...["var((intercept))", "cov((intercept), days)", "var(days)"],
    ]);
    const slopes = draws.columns[draws.names.indexOf("b_days")];
    expect(slopes.reduce((sum, slope) => sum + slope, 0) / slopes.length).toBeCloseTo(
      result.fixed[1].mean,
      10,
    );
    expect(draws.columns[0].at(-1)).toBe(4);
  });

  it("is made into a page that begins with the verdict", async () => {
    await sparrow(...sleep, "--random", "days", "--out", at("page"));
    const { verdict } = JSON.parse(readFileSync(at("page/summary.json"), "utf8"));
    const { status } = await sparrow("report", at("page"), "--out", at("page.html"));
    expect(status).toBe(0);
    const page = readFileSync(at("page.html"), "utf8");
    expect(page).toBe(readFileSync(at("page/report.html"), "utf8"));
    expect(page.indexOf(verdict.split(". ")[0])).toBeGreaterThan(0);
    expect(page.indexOf(verdict.split(". ")[0])).toBeLessThan(page.indexOf("Effects in all groups"));
    expect(page).toContain(record("page").data.checksum);
  });

  it("that is not whole or is damaged is said to be so", async () => {
    await sparrow(...sleep, "--out", at("broken"));
    writeFileSync(at("broken/summary.json"), "{");
    expect((await sparrow("report", at("broken"))).err).toMatch(
      /summary\.json is damaged.*run the command again/,
    );
    rmSync(at("broken/summary.json"));
    expect((await sparrow("report", at("broken"))).err).toMatch(
      /broken is damaged: summary\.json is missing; run the command again/,
    );
    writeFileSync(at("broken/model.json"), '{"format":"sparrow-mixed-predictor","version":2}');
    const { err } = await sparrow("predict", at("broken"), at("sleep.csv"));
    expect(err).toMatch(/model\.json is damaged: it has 48 bytes, not \d+/);
  });
});

describe("predict from a run", () => {
  it("scores known and new groups apart, and writes which is which", async () => {
    await sparrow(...sleep, "--random", "days", "--out", at("known"));
    const more = `${readFileSync(at("sleep.csv"), "utf8")}stranger,3,lab,280\nstranger,4,lab,300\n`;
    writeFileSync(at("more.csv"), more);
    const argv = ["predict", at("known"), at("more.csv")];
    const { status, out } = await sparrow(...argv, "--out", at("predicted.csv"), "--json");
    expect(status).toBe(0);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({ model: "mixed", group: "subject", target: "reaction", rows: 182 });
    expect(summary.all.rows).toBe(182);
    expect(summary.known.rows).toBe(180);
    expect(summary.new.rows).toBe(2);
    // The noise has a standard deviation of 26.
    expect(summary.known.rmse).toBeLessThan(26);
    const lines = readFileSync(at("predicted.csv"), "utf8").trim().split("\n");
    expect(lines[0]).toBe("row,mean,meanLower,meanUpper,observationLower,observationUpper,known");
    const width = (line: string) => Number(line.split(",")[3]) - Number(line.split(",")[2]);
    expect(lines[1].endsWith(",1")).toBe(true);
    expect(lines[182].endsWith(",0")).toBe(true);
    expect(width(lines[182])).toBeGreaterThan(2 * width(lines[1]));
    const text = await sparrow(...argv);
    expect(text.err).toMatch(/182 rows predicted, target reaction/);
    expect(text.err).toMatch(/all rows +known groups +new groups/);
  });

  it("works from the library by the path of the folder, and knows groups as the file writes them", async () => {
    const numbered = rows.subject.map(
      (subject: string, i: number) => `${subject},${rows.days[i]},${rows.reaction[i]}`,
    );
    writeFileSync(at("numbered.csv"), `subject,days,reaction\n${numbered.join("\n")}\n`);
    const argv = [
      "mixed",
      at("numbered.csv"),
      "--target",
      "reaction",
      "--group",
      "subject",
      "--iterations",
      "300",
    ];
    await sparrow(...argv, "--out", at("numbered"));
    const named = { subject: [rows.subject[0], "unheard of"].map(String), days: [2, 2] };
    const numbers = { subject: [Number(rows.subject[0]), 1e6], days: [2, 2] };
    const [byName, byNumber] = [await predict(at("numbered"), named), await predict(at("numbered"), numbers)];
    expect("known" in byName && [...byName.known]).toEqual([1, 0]);
    expect(byNumber).toEqual(byName);
  });
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
