import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { predict, type ReadAsked, run } from "../../src/node.js";
import { base, type Columns, withColumn, withZ, written } from "../messy/base.js";

// A run remembers how its file was read: new data are read alike.

const folder = mkdtempSync(join(tmpdir(), "sparrow-alike-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = (columns: Columns, rows: number): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice(0, rows)]));

/** Fits one file and predicts the first rows of it from another, without being told anything. */
async function predicted(columns: Columns, options: ReadAsked, delimiter = ",", first = columns) {
  writeFileSync(at("data.csv"), written(columns, { delimiter }));
  const { details } = await run(at("data.csv"), {
    ...options,
    target: "y",
    missing: "mean",
    threads: 1,
    exclude: ["who"],
  });
  writeFileSync(at("new.csv"), written(head(first, 3), { delimiter }));
  const model = JSON.parse(JSON.stringify(details.predictor())) as ReturnType<typeof details.predictor>;
  return Array.from((await predict(model, at("new.csv"))).mean, (mean) => Number(mean.toPrecision(6)));
}

describe("predict reads as the run did", () => {
  it("a decimal comma that the new rows leave open", async () => {
    const comma = (z: number) => z.toFixed(3).replace(".", ",");
    const clean = await predicted(
      withZ((z) => 1 + Math.abs(z)),
      {},
    );
    const all = withZ((z) => comma(1 + Math.abs(z)));
    expect(await predicted({ ...all, z: [...all.z.slice(0, -1), "0,5"] }, {}, ";")).not.toEqual([]);
    expect(await predicted(all, { decimal: "," }, ";")).toEqual(clean);
  });

  it("values that were said to be missing, and the character between values", async () => {
    const holes = withZ((z, i) => (i % 5 === 1 ? null : z));
    const marked = withZ((z, i) => (i % 5 === 1 ? -999 : z));
    expect(await predicted(marked, { na: ["-999"], delimiter: "^" }, "^")).toEqual(
      await predicted(holes, {}),
    );
  });

  it("categories that look like numbers in the new rows", async () => {
    const kind = withColumn("kind", (i) => (i < 5 ? String(i % 2) : ["0", "1", "a", "b", "c", "d"][i % 6]));
    expect(await predicted(kind, {})).toHaveLength(3);
  });

  it("a level for what is missing", async () => {
    const roof = (word: string | null) => withColumn("roof", (i) => (i % 4 === 1 ? word : "ab"[i % 2]));
    const named = await predicted(roof("missing"), {});
    expect(await predicted(roof(null), { missingLevel: ["roof"] })).toEqual(named);
  });

  it("a value that is new where the rare ones have one name", async () => {
    const many: Columns = {
      x: Array.from({ length: 2600 }, (_, i) => (i * 7) % 13),
      town: Array.from({ length: 2600 }, (_, i) => (i % 2 ? `small ${(i >> 1) % 1100}` : `big ${i % 3}`)),
      y: Array.from({ length: 2600 }, (_, i) => ((i * 7) % 13) + (i % 2 ? 5 : 0) + ((i * 31) % 7) / 7),
    };
    writeFileSync(at("towns.csv"), written(many));
    const { details } = await run(at("towns.csv"), { target: "y", threads: 1 });
    const { mean } = await predict(details.predictor(), { x: [1, 1], town: ["never seen", "small 1"] });
    expect(mean[0]).toBe(mean[1]);
  });
});

describe("a column of another kind than the run had", () => {
  it.each([
    ["dates", ["2024-01-01", "2024-01-02", "2024-01-03"], /holds "2024-01-01" in row 1|holds date values/],
    ["booleans", [true, false, true], /holds boolean values, but the model was fitted to number values/],
    ["words", ["a", "b", "a"], /holds "a" in row 1|holds text values/],
  ])("is refused: %s", async (_, z, message) => {
    const { details } = await run(base(), { target: "y", threads: 1, always: ["z"] });
    await expect(predict(details.predictor(), { ...head(base(), 3), z })).rejects.toThrow(message);
  });

  it("is taken where it is empty and holes can be filled", async () => {
    const { details } = await run(
      withZ((z, i) => (i === 3 ? null : z)),
      { target: "y", threads: 1, missing: "mean" },
    );
    const { mean } = await predict(details.predictor(), { ...head(base(), 3), z: [null, null, null] });
    expect(mean).toHaveLength(3);
  });
});
