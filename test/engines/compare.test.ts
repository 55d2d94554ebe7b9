import { afterAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { askedVariables } from "../../src/engines/asked-variables.js";
import { compareEngine } from "../../src/engines/compare.js";
import type { Engine } from "../../src/engines/engine.js";
import { askedGramSource } from "../../src/engines/folds.js";
import { everyRow, readAsked } from "../../src/engines/reading/read.js";
import { compareData } from "../../src/node/compare-data.js";
import { type Columns, problem } from "./data.js";
import { endCluster, folder, here, inClickHouse, inDuckDB } from "./places.js";

const reason = whyNoCluster();

afterAll(async () => {
  await endCluster();
  folder.remove();
});

const { counted: _, classed, measured, ...predictors } = problem(900, 8, 7, 2);
const table: Columns = { ...predictors, measured };
const target = "measured";

const places: Record<string, (columns: Columns, name: string) => Promise<Engine>> = {
  DuckDB: inDuckDB,
  ...(reason === undefined && { "ClickHouse, three shards": inClickHouse }),
};

describe.each(Object.entries(places))("on %s", (place, open) => {
  test("cross-products by fold add up to those of all rows, and every row is in a fold", async () => {
    const engine = await open(table, `folds_${place.length}`);
    const { asker, expressions, shift, rows, key } = await readAsked(everyRow(engine, {}), { target });
    const data = { asker, variables: askedVariables(expressions, shift), shift, rows, key, seed: 1 };
    const [whole, folded] = [await askedGramSource(data, 1), await askedGramSource(data, 10)];
    // In two steps: what symmetry gives is not asked for again.
    await whole.load([0, 3, 4]);
    await folded.load([3]);
    const before = asker.sent.length;
    await folded.load([0, 4, 3]);
    await engine.close();
    expect(asker.sent.length - before).toBe(1);
    expect(folded.folds.map((fold) => fold.rows).reduce((a, b) => a + b)).toBe(900);
    // Binomial, 900 draws of a tenth: five standard deviations to either side.
    for (const fold of folded.folds) expect(Math.abs(fold.rows - 90)).toBeLessThan(45);
    const x = Object.values(predictors).slice(0, 8) as number[][];
    for (const j of [0, 3, 4]) {
      for (let k = 0; k < 8; k++) {
        const sum = x[j].reduce((s, value, i) => s + (value - shift[j]) * (x[k][i] - shift[k]), 0);
        expect(whole.column(j)[k]).toBeCloseTo(sum, 8);
        expect(folded.column(j)[k]).toBeCloseTo(sum, 8);
      }
    }
  });

  test("methods that need sums alone find what they find in memory, and the others say why not", async () => {
    const engine = await open(table, `compared_${place.length}`);
    const methods = ["esgld", "lasso", "mcp", "blasso", "rjmh"] as const;
    const options = { target, holdout: 0.25, seed: 2 };
    const asked = await compareEngine(engine, { ...options, methods }, here, { sampleRows: 300 });
    await engine.close();
    const read = await compareData(table as never, { ...options, methods, threads: 1 });
    expect([asked.rows, asked.columns, asked.family]).toEqual([read.rows, read.columns, read.family]);
    const by = new Map(asked.methods.map((own) => [own.method, own]));
    expect(by.get("rjmh")?.failure).toMatch(/works on the rows themselves/);
    for (const { method, selected, holdoutError } of read.methods) {
      if (method === "rjmh") continue;
      const own = by.get(method)!;
      expect(own.failure).toBeUndefined();
      // The strong ones; folds and rows that are held out are others here.
      for (const name of [Object.keys(table)[0], "region=south"]) {
        const found = (of: typeof selected) => of!.find((each) => each.name === name)?.coefficient ?? 0;
        expect(Math.abs(found(own.selected) - found(selected))).toBeLessThan(0.25);
        expect(found(own.selected)).not.toBe(0);
      }
      expect(Math.abs(own.holdoutError! / holdoutError! - 1)).toBeLessThan(0.35);
    }
  });
});

test("a small table is read, and compared like any other", async () => {
  const engine = await inDuckDB({ ...predictors, classed }, "small");
  const { methods } = await compareEngine(
    engine,
    { target: "classed", methods: ["lasso"], holdout: 0 },
    here,
  );
  await engine.close();
  expect(methods[0].failure).toBeUndefined();
});
