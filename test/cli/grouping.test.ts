import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { sparrow } from "./fake-effects.js";

const folder = mkdtempSync(join(tmpdir(), "grouping-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const rng = Rng.seeded(3);
const table = (head: string, lines: readonly (readonly (string | number)[])[]): string =>
  `${head}\n${lines.map((line) => line.join(",")).join("\n")}\n`;

/** Two clusters of correlated columns, a column of words and one hole. */
const flowers = Array.from({ length: 120 }, (_, i) => {
  const common = normal(rng);
  const size = (i % 3 === 0 ? 6 : 0) + common;
  return [
    i === 5 ? "" : size.toFixed(2),
    (size + 0.2 * normal(rng)).toFixed(2),
    i % 3 === 0 ? "iris" : "rose",
  ];
});
writeFileSync(at("flowers.csv"), table("height,width,kind", flowers));

/** Four nights of two dice, and a number beside each throw. */
let loaded = false;
const throws = Array.from({ length: 320 }, (_, t) => {
  if (rng.uniform() < 0.1) loaded = !loaded;
  const letter = loaded && rng.uniform() < 0.9 ? "six" : ["one", "two", "three"][rng.below(3)];
  return [`night${Math.floor(t / 80)}`, letter, ((loaded ? 5 : 0) + normal(rng)).toFixed(3)];
});
writeFileSync(at("nights.csv"), table("night,throw,force", throws));

it("chooses a number of clusters, and writes a run that can be verified and reported again", async () => {
  const { status, out, err } = await sparrow(
    "clusters",
    at("flowers.csv"),
    "--components",
    "1..3",
    "--out",
    at("run"),
  );
  expect(status, err).toBe(0);
  expect(out).toContain("120 rows of 2 columns in 2 clusters, full covariance (gibbs)\nNo problems found.");
  expect(out).toMatch(/The number of clusters with the smallest BIC is 2/);
  expect(out).toMatch(/^share +6\d% .* 3\d% /m);
  expect(err).toMatch(/left out: "kind"/);
  expect(err).toMatch(/1 of 240 values are missing/);
  const rows = readFileSync(at("run/clusters.csv"), "utf8").trim().split("\n");
  expect(rows[0]).toBe("row,cluster,p1,p2");
  rows.slice(1).forEach((row, i) => void expect(row.split(",")[1]).toBe(i % 3 === 0 ? "2" : "1"));
  const page = readFileSync(at("run/report.html"), "utf8");
  expect(page).toContain("How many?");
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
  const verified = await sparrow("verify", at("run"));
  expect(verified.status, verified.err).toBe(0);
  expect(verified.out).toContain("A run of sparrow clusters, version");
  expect((await sparrow("report", at("run"), "--out", at("again.html"))).status).toBe(0);
  expect(readFileSync(at("again.html"), "utf8")).toBe(page);
  writeFileSync(at("run/clusters.csv"), rows.join("\n"));
  expect((await sparrow("verify", at("run"))).err).toMatch(/clusters\.csv is damaged/);
});

it("prints one JSON object, the same for the same seed and any number of threads", async () => {
  const asked = [
    "clusters",
    at("flowers.csv"),
    "--components",
    "2",
    "--covariance",
    "tied",
    "--json",
    "--quiet",
  ];
  const [one, two] = [await sparrow(...asked), await sparrow(...asked, "--threads", "2", "--seed", "1")];
  expect(one.err).toBe("");
  const { timing, ...result } = JSON.parse(one.out);
  const { timing: _, ...again } = JSON.parse(two.out);
  expect(again).toEqual(result);
  expect(Object.keys(timing)).toEqual(["read", "fit"]);
  expect(result).toMatchObject({ model: "clusters", components: 2, covariance: "tied", method: "gibbs" });
  expect(result.clusters[0].covariance).toEqual(result.clusters[1].covariance);
});

it("finds the states of several sequences, of words and of numbers, with the path of every step", async () => {
  const words = ["states", at("nights.csv"), "--sequence", "night", "--columns", "throw", "--states", "2"];
  const { status, out, err } = await sparrow(...words);
  expect(status, err).toBe(0);
  expect(out).toMatch(/320 steps of throw in 4 sequences, 2 states \(gibbs\)/);
  expect(out).toMatch(/^six +/m);
  expect(out).toMatch(/^begins in +/m);
  const numbers = [
    "states",
    at("nights.csv"),
    "--sequence",
    "night",
    "--columns",
    "force",
    "--states",
    "1..3",
  ];
  const found = await sparrow(...numbers, "--out", at("states"));
  expect(found.status, found.err).toBe(0);
  expect(found.out).toMatch(/The number of states with the smallest BIC is 2/);
  const path = readFileSync(at("states/states.csv"), "utf8").trim().split("\n");
  expect(path).toHaveLength(321);
  const verified = await sparrow("verify", at("states"));
  expect(verified.out, verified.err).toContain("A run of sparrow states, version");
  expect((await sparrow("report", at("states"), "--out", at("states.html"))).status).toBe(0);
  expect(readFileSync(at("states.html"), "utf8")).toContain("Moves between states");
});

it.each([
  [["clusters", "flowers.csv", "--components", "0"], /--components must be a positive whole number/],
  [["clusters", "flowers.csv", "--components", "4..2"], /--components must go from 1 or more upwards/],
  [
    ["clusters", "flowers.csv", "--columns", "kind,width"],
    /"kind" holds no numbers; leave it out of --columns/,
  ],
  [["clusters", "flowers.csv", "--columns", "kind"], /"kind" holds no numbers; leave it out of --columns/],
  [["clusters", "flowers.csv", "--columns", "depth"], /has no column "depth" \(--columns\)/],
  [
    ["clusters", "flowers.csv", "--components", "2", "--method", "esgld"],
    /holes in the rows; take --method gibbs/,
  ],
  [["clusters", "flowers.csv", "--exclude", "height,width"], /no column of numbers/],
  [["states", "nights.csv", "--sequence", "day"], /has no column "day"/],
  [
    ["states", "nights.csv", "--states", "2", "--iterations", "10", "--burn-in", "20"],
    /--burn-in 20 leaves nothing/,
  ],
] as const)("what cannot be is said in a sentence: %j", async ([command, file, ...rest], sentence) => {
  const { status, err } = await sparrow(command, at(file), ...rest);
  expect(status).not.toBe(0);
  expect(err).toMatch(sentence);
});

it("rows of a sequence need not be next to each other, and keep their places in what is written", async () => {
  const order = Array.from(throws.keys()).sort((i, j) => (i % 80) - (j % 80));
  writeFileSync(
    at("mixed-nights.csv"),
    table(
      "night,throw,force",
      order.map((i) => throws[i]),
    ),
  );
  const asked = (file: string, out: string) =>
    sparrow(
      "states",
      at(file),
      "--sequence",
      "night",
      "--columns",
      "force",
      "--states",
      "2",
      "--out",
      at(out),
    );
  await asked("nights.csv", "together");
  const { status, out, err } = await asked("mixed-nights.csv", "apart");
  expect(status, err).toBe(0);
  expect(out).toContain("320 steps of force in 4 sequences");
  expect(err).toContain('The rows of a "night" are not all next to each other');
  const lines = (run: string) =>
    readFileSync(at(`${run}/states.csv`), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.slice(line.indexOf(",")));
  const together = lines("together");
  expect(lines("apart")).toEqual(order.map((i) => together[i]));
});

it("a step that is in no known sequence is not guessed at", async () => {
  const holes = throws.map(([night, ...rest], i) => [i === 7 ? "" : night, ...rest]);
  writeFileSync(at("unknown-night.csv"), table("night,throw,force", holes));
  const { status, err } = await sparrow(
    "states",
    at("unknown-night.csv"),
    "--sequence",
    "night",
    "--columns",
    "force",
  );
  expect(status).toBe(1);
  expect(err).toMatch(/1 of 320 rows have no value in "night" \(--sequence\), the first of them row 8/);
});

it("columns that clusters cannot be made of are named, with the option that leaves them out", async () => {
  const more = flowers.map(([height, width, kind], i) => [
    height,
    width,
    Number(width) * 2,
    i % 2 ? "7" : "7.0",
    kind,
  ]);
  writeFileSync(at("more-flowers.csv"), table("height,width,twice,same,kind", more));
  const first = await sparrow("clusters", at("more-flowers.csv"));
  expect(first.err).toContain(
    'Column "same" has the same value in every row; leave it out (--exclude same).',
  );
  const second = await sparrow("clusters", at("more-flowers.csv"), "--exclude", "same");
  expect(second.err).toContain(
    'Column "twice" is a linear combination of "width"; leave it out (--exclude twice).',
  );
});

it("takes true and false as codes, by the words of the file, named or as the only column", async () => {
  const rng = Rng.seeded(12);
  const cells = Array.from({ length: 400 }, (_, t) =>
    rng.uniform() < (Math.floor(t / 40) % 2 ? 0.9 : 0.1) ? "Yes" : "no",
  );
  writeFileSync(at("answers.csv"), `said\n${cells.join("\n")}\n`);
  writeFileSync(at("both.csv"), `said,x\n${cells.map((cell, i) => `${cell},${i % 7}`).join("\n")}\n`);
  const found = await Promise.all([
    sparrow("states", at("answers.csv"), "--states", "2", "--json"),
    sparrow("states", at("both.csv"), "--columns", "said", "--states", "2", "--json"),
  ]);
  for (const { status, out, err } of found) {
    expect(status, err).toBe(0);
    const { levels, states } = JSON.parse(out);
    expect(levels).toEqual(["no", "Yes"]);
    expect(states[0].probabilities).toHaveLength(2);
  }
  const numbers = await sparrow("clusters", at("both.csv"), "--components", "1");
  expect(numbers.err).toMatch(/Not columns of numbers, so left out: "?said/);
});

it("says how many rows are copies of others, and that runs of groups predict nothing", async () => {
  const rng = Rng.seeded(13);
  const rows = Array.from({ length: 30 }, () => `${rng.uniform()},${rng.uniform()}`);
  writeFileSync(at("copied.csv"), `a,b\n${rows.flatMap((row) => [row, row, row]).join("\n")}\n`);
  const { err } = await sparrow("clusters", at("copied.csv"), "--components", "1", "--out", at("copied"));
  expect(err).toMatch(/60 of 90 rows are copies of others/);
  const predicted = await sparrow("predict", at("copied"), at("copied.csv"));
  expect(predicted.status).not.toBe(0);
  expect(predicted.err).toMatch(/is a run of sparrow clusters, which .* predicts no others/);
});
