import { afterAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import type { Engine } from "../../src/engines/engine.js";
import { groupedAsked } from "../../src/engines/grouped.js";
import { mixedEngine } from "../../src/engines/mixed.js";
import { judged } from "../../src/engines/reading/judged.js";
import { everyRow } from "../../src/engines/reading/read.js";
import { grouped } from "../../src/mixed/read/grouped.js";
import { mixedData } from "../../src/node/mixed-data.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { type Columns, problem } from "./data.js";
import { endCluster, folder, inClickHouse, inDuckDB } from "./places.js";

const reason = whyNoCluster();

afterAll(async () => {
  await endCluster();
  folder.remove();
});

const places: Record<string, (columns: Columns, name: string) => Promise<Engine>> = {
  DuckDB: inDuckDB,
  ...(reason === undefined && { "ClickHouse, three shards": inClickHouse }),
};

const { counted, classed: _, ...base } = problem(600, 3);
const [x0, x1] = Object.keys(base);
const table: Columns = {
  ...base,
  [x1]: base[x1].map((value, i) => (i % 41 === 0 ? null : value)),
  shop: base[x0].map((_, i) => (i % 97 === 5 ? null : `shop ${i % 23} '"`)),
  place: base[x0].map((_, i) => i % 11),
};
const settings = { target: "measured", columns: [x0, x1, "region"], group: "shop" };

describe.each(Object.entries(places))("sums by group asked of %s", (place, open) => {
  const name = `mixed_${place.length}`;

  test.each(["shop", "place"])("are those of the rows, by groups that are called by %s", async (group) => {
    const engine = await open(table, `${name}_${group}`);
    const asker = everyRow(engine, {});
    const asked = await groupedAsked(asker)(await judged(asker, { keys: [group] }), { ...settings, group });
    await engine.close();
    const read = await grouped(arrayTable(table, "read", { keys: [group] }), { ...settings, group });
    expect(asked.data.groups).toEqual(read.data.groups);
    expect(asked.data.columns).toEqual(read.data.columns);
    expect([...asked.data.rows]).toEqual([...read.data.rows]);
    expect(asked.encodings).toEqual(read.encodings);
    expect(asked.judged).toEqual(read.judged);
    expect(asked.warnings.length).toBe(read.warnings.length);
    // Products of numbers of few digits: sums are exact in any order but for the target's.
    asked.data.values.forEach((value, i) => {
      expect(Math.abs(value - read.data.values[i])).toBeLessThanOrEqual(1e-12 * Math.abs(value) + 1e-9);
    });
  });

  test("give the mixed model of the rows", async () => {
    const options = { target: "measured", group: "shop", fixed: [x0, "region"], random: [x0], seed: 3 };
    const engine = await open(table, `${name}_fit`);
    const { result } = await mixedEngine(engine, { ...options, iterations: 200 });
    await engine.close();
    const { result: expected } = await mixedData(table as never, { ...options, iterations: 200 });
    expect(result.rows).toBe(expected.rows);
    for (const [i, { name: of, mean, sd }] of expected.fixed.entries()) {
      expect(result.fixed[i].name).toBe(of);
      // Chains from sums that differ in their last digit stay together for a while, and then agree in law.
      expect(Math.abs(result.fixed[i].mean - mean)).toBeLessThan(0.3 * sd);
    }
  });
});

test("a model that works on rows reads them where they are few, and says so where they are many", async () => {
  const counts = { ...table, counted };
  const options = { target: "counted", group: "shop", fixed: [x0], iterations: 50 };
  const engine = await inDuckDB(counts, "counts");
  const { result } = await mixedEngine(engine, options);
  expect(result.rows).toBeGreaterThan(500);
  await expect(mixedEngine(engine, options, undefined, 100)).rejects.toThrow(
    /works on the rows themselves.*too many/,
  );
  await engine.close();
});
