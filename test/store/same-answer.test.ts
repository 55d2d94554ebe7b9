import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
