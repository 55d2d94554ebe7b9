import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sparrow } from "./fake-effects.js";

let folder = "";
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-near-"));
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [weight, kind] = [Math.sin(i), ["a", "b", "c"][i % 3]];
    return `${weight},${Math.cos(3 * i)},${kind},${(i % 7) + 1},${2 * weight + Math.cos(11 * i)}`;
  });
  writeFileSync(at("data.csv"), `weight,height,kind,count,answer\n${rows.join("\n")}\n`);
  writeFileSync(at("renamed.csv"), `wieght,height,kind,count\n1,2,a,3\n`);
  expect((await sparrow("fit", at("data.csv"), "--target", "answer", "--out", at("run"))).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FIT = ["fit", "data.csv", "--target", "answer"];
const MIXED = ["mixed", "data.csv", "--target", "answer", "--group", "kind"];
const FORMULA = ["mixed", "data.csv", "--formula"];
const reading = ["categorical", "number", "text", "missing-level", "keep"];

describe("a column that is misspelt is answered with the one that was meant", () => {
  const misspelt: string[][] = [
    ["fit", "data.csv", "--target", "anwser"],
    ...["exclude", "columns", "always", ...reading].map((name) => [...FIT, `--${name}`, "wieght"]),
    ["describe", "data.csv", "--target", "anwser"],
    ...reading.map((name) => ["describe", "data.csv", `--${name}`, "wieght"]),
    ["import", "data.csv", "--target", "anwser", "--out", "new.sparrow"],
    ["import", "data.csv", "--target", "answer", "--exclude", "wieght", "--out", "new.sparrow"],
    ["compare", "data.csv", "--target", "anwser"],
    ["compare", "data.csv", "--target", "answer", "--exclude", "wieght"],
    ["mixed", "data.csv", "--target", "anwser", "--group", "kind"],
    ["mixed", "data.csv", "--target", "answer", "--group", "knid"],
    [...MIXED, "--fixed", "wieght"],
    [...MIXED, "--random", "wieght"],
    ...["weights", "offset"].map((name) => [
      ...FORMULA,
      "answer ~ weight + (1 | kind)",
      `--${name}`,
      "cuont",
    ]),
    ...["anwser ~ weight + (1 | kind)", "answer ~ wieght + (1 | kind)", "answer ~ weight + (1 | knid)"].map(
      (formula) => [...FORMULA, formula],
    ),
    [...FORMULA, "answer ~ weight + factor(knid) + (1 | kind)"],
    [...FORMULA, "answer ~ weight:hieght + (1 | kind)"],
    [...FORMULA, "answer ~ weight + (1 + hieght | kind)"],
    ["predict", "run", "data.csv", "--id", "knid"],
  ];

  it.each(misspelt.map((words) => [words.join(" "), words] as const))("%s", async (_, words) => {
    const argv = words.map((word) => (/^data\.csv$|^run$|\.sparrow$/.test(word) ? at(word) : word));
    const { status, err } = await sparrow(...argv);
    expect(status).not.toBe(0);
    expect(err).toMatch(/has no column "(\w+)".* Did you mean "(weight|height|kind|count|answer)"\?/);
  });

  it("in data to predict, too", async () => {
    const { err } = await sparrow("predict", at("run"), at("renamed.csv"));
    expect(err).toMatch(/has no column "weight", which the run needs; perhaps its "wieght" is that column/);
  });
});
