import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fit, importFiles } from "../../src/node.js";

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sparrow-narrowed-"));
  const rng = Rng.seeded(1);
  const rows = Array.from({ length: 200 }, (_, i) => {
    const [a, b, c] = [normal(rng), normal(rng), normal(rng)];
    const group = ["red", "green", "blue"][i % 3];
    return [a, b, c, group, a + 0.3 * b + (group === "red" ? 1 : 0) + normal(rng)].join(",");
  });
  writeFileSync(at("data.csv"), ["a,b,c,group,y", ...rows].join("\n"));
  await importFiles(at("data.csv"), at("data.sparrow"), { target: "y" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["without a number", { exclude: ["a"] }],
  ["without a text", { exclude: ["group"] }],
  ["with some columns only", { columns: ["b", "g*"] }],
])("a store is fitted %s as its file is", async (_, narrowed) => {
  const [store, file] = await Promise.all(
    ["data.sparrow", "data.csv"].map((name) => fit(at(name), { target: "y", threads: 1, ...narrowed })),
  );
  expect(store.variables.map(({ name }) => name).sort()).toEqual(
    file.variables.map(({ name }) => name).sort(),
  );
  for (const { name, pip, mean } of file.variables) {
    const same = store.variables.find((variable) => variable.name === name)!;
    expect(same.pip).toBeCloseTo(pip, 6);
    expect(same.mean).toBeCloseTo(mean, 6);
  }
});
