import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fit, importFiles } from "../../src/node.js";

const folder = mkdtempSync(join(tmpdir(), "same-answer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Weak effects among correlated columns far from zero, where an answer that is not the same would show. */
function file(family: "linear" | "classes" | "counts"): string {
  const rng = Rng.seeded(7);
  const rows = Array.from({ length: 120 }, (_, i) => {
    const common = normal(rng);
    const x = Array.from({ length: 9 }, () => 0.7 * common + normal(rng));
    const mean = 0.3 * x[0] + 0.2 * x[3];
    const y = { linear: mean + normal(rng), classes: mean + normal(rng) > 0 ? "yes" : "no", counts: i % 4 };
    return [...x.map((value) => (1000.123 + value).toPrecision(9)), "abc"[i % 3], y[family]].join(",");
  });
  const path = join(folder, `${family}.csv`);
  writeFileSync(path, `a,b,c,d,e,f,g,h,i,word,y\n${rows.join("\n")}\n`);
  return path;
}

/** Every seventh value or so is missing. */
function holed(): string {
  const rng = Rng.seeded(9);
  const rows = Array.from({ length: 80 }, () => {
    const x = Array.from({ length: 4 }, () => normal(rng));
    const cells = x.map((value) => (rng.below(7) === 0 ? "" : value.toFixed(3)));
    return [...cells, (x[0] + normal(rng)).toFixed(3)].join(",");
  });
  const path = join(folder, "holes.csv");
  writeFileSync(path, `a,b,c,d,y\n${rows.join("\n")}\n`);
  return path;
}

it("a file with holes answers as its store does, and where they are drawn, as in any other format", async () => {
  const path = holed();
  const settings = { target: "y", threads: 1, seed: 3 };
  for (const missing of ["drop", "mean"] as const) {
    const store = join(folder, `${missing}.sparrow`);
    await importFiles(path, store, { target: "y", seed: 3, missing });
    const answer = await fit(path, { ...settings, missing });
    expect((await fit(store, settings)).variables).toEqual(answer.variables);
  }
  // A store has no holes: those who read the data draw them.
  const records = (await readFile(path, "utf8")).trim().split("\n").slice(1);
  const lines = records.map((line) => {
    const [a, b, c, d, y] = line.split(",").map((cell) => (cell === "" ? null : Number(cell)));
    return JSON.stringify({ a, b, c, d, y });
  });
  const other = join(folder, "holes.jsonl");
  writeFileSync(other, `${lines.join("\n")}\n`);
  expect((await fit(other, settings)).variables).toEqual((await fit(path, settings)).variables);
});

it.each(["linear", "classes", "counts"] as const)(
  "%s: a store answers as its file does, exactly with the same seed and to the stated error with another",
  async (family) => {
    const path = file(family);
    const store = join(folder, `${family}.sparrow`);
    await importFiles(path, store, { target: "y", seed: 1 });
    const settings = { target: "y", threads: 1 };
    const answer = async (data: string, seed: number) => (await fit(data, { ...settings, seed })).variables;
    expect(await answer(store, 1)).toEqual(await answer(path, 1));
    const other = await answer(store, 2);
    for (const [j, { name, pip, pipError }] of (await answer(path, 2)).entries()) {
      expect(other[j].name).toBe(name);
      expect(Math.abs(other[j].pip - pip)).toBeLessThanOrEqual(Math.max(pipError ?? 0, 1e-6));
    }
  },
);
