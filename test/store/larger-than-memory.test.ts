import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Rng } from "../../src/math/rng.js";
import { fit, importFiles } from "../../src/node.js";

const folder = mkdtempSync(join(tmpdir(), "sparrow-spilled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a LIBSVM file that is larger than memory gives the same store and the same fit", async () => {
  const rng = Rng.seeded(2);
  const lines = Array.from({ length: 3000 }, () => {
    const pairs: string[] = [];
    let y = rng.below(100) / 50;
    // Column 1 is in every row and so dense, 2 to 400 are sparse.
    for (let j = 1; j <= 400; j += 1 + (j === 1 ? rng.below(20) : rng.below(40))) {
      const value = 1 + rng.below(9);
      pairs.push(`${j}:${value}`);
      if (j < 12) y += value;
    }
    return `${y} ${pairs.join(" ")}`;
  });
  const path = join(folder, "data.svm");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const store = async (memory: number) => {
    const out = join(folder, `${memory}.sparrow`);
    await importFiles(path, out, { target: "label", memory, blockRows: 300 });
    return readFileSync(out);
  };
  expect(Buffer.compare(await store(1e9), await store(1e5))).toBe(0);
  const options = { target: "label", threads: 1, seed: 4, chains: 1, iterations: 300, burnIn: 100 } as const;
  const answer = async (memory: number) => {
    const { variables, modelSize } = await fit(path, { ...options, memory });
    return JSON.stringify({ variables, modelSize });
  };
  expect(await answer(1e5)).toBe(await answer(1e9));
});
