import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Modern, startModern, whyNoModern } from "../../scripts/modern.js";
import { clickHouseEngine } from "../../src/engines/clickhouse/clickhouse.js";
import { mixedEngine } from "../../src/engines/mixed.js";
import { predictAsked } from "../../src/engines/predictions.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { runData } from "../../src/node/run-data.js";
import { only, problem } from "./data.js";
import { here, valuesSql } from "./places.js";

/** Where it is not, nothing is known of servers newer than Debian's: docs/engines.md says which were tried, and when. */
describe.skipIf(whyNoModern() !== undefined)("a ClickHouse of today", () => {
  let modern: Modern;
  const open = (table: string) =>
    clickHouseEngine(`clickhouse://127.0.0.1:${modern.port}/default/${table}`, { password: "" });

  beforeAll(async () => {
    modern = await startModern();
  });

  afterAll(() => modern.stop());

  const names = Object.keys(problem(1, 3)).slice(0, 3);
  const all = problem(1500, 3, 7, 0.5);

  test.each(["measured", "counted", "classed"])(
    "has the enumerated probabilities of a target that is %s",
    async (target) => {
      const table = only(all, ...names, "region", target);
      for (const sql of valuesSql(table, target)) await modern.run(sql);
      const engine = await open(target);
      const { result, details } = await runEngine(engine, { target }, { environment: here, sampleRows: 100 });
      const memory = await runData(table as never, { target, threads: 1 });
      const by = new Map(result.variables.map(({ name, pip }) => [name, pip]));
      for (const { name, pip } of memory.result.variables)
        expect(Math.abs(by.get(name)! - pip)).toBeLessThan(1e-6);
      const { mean } = await predictAsked(engine, details.predictor(), {});
      await engine.close();
      expect(mean.length).toBe(1500);
    },
  );

  test("has every type that an old one lacks", async () => {
    const types =
      "low LowCardinality(String), hole LowCardinality(Nullable(String)), flag Bool, money Decimal(12, 3), wide Array(Float32), at DateTime64(3, 'UTC'), day Date32, size Int128, n Nullable(Float64), group UInt32, y Float64";
    const row =
      "['a', 'b', 'c'][number % 3 + 1], if(number % 7 = 0, NULL, ['u', 'v'][number % 2 + 1]), number % 2 = 0, toDecimal64(number % 13, 3) / 4, [number % 5, number % 11], toDateTime64('2020-01-01 00:00:00.250', 3, 'UTC') + number % 40, toDate32('1950-01-01') + number % 90, number % 9, if(number % 10 = 3, NULL, number % 17), number % 8, (number % 5) + 0.5 * (number % 2) + sin(number)";
    await modern.run(`CREATE TABLE kinds (${types}) ENGINE = MergeTree ORDER BY tuple()`);
    await modern.run(`INSERT INTO kinds SELECT ${row} FROM numbers(1200)`);
    const engine = await open("kinds");
    const options = { target: "y", missing: "drop" as const };
    const { result, details, questions } = await runEngine(engine, options, {
      environment: here,
      sampleRows: 200,
    });
    const mixed = await mixedEngine(engine, {
      target: "y",
      group: "group",
      fixed: ["flag", "n"],
      iterations: 100,
    });
    await engine.close();
    const numbers = ["at", "day", "flag", "group", "money", "n", "size", "wide[1]", "wide[2]"];
    const found = result.variables.map(({ name }) => name);
    expect(found.filter((name) => !name.includes("=")).sort()).toEqual(numbers);
    // Of three and of two levels each is one the baseline.
    expect(found.filter((name) => /^low=[abc]$/.test(name)).length).toBe(2);
    expect(found.filter((name) => /^hole=[uv]$/.test(name)).length).toBe(1);
    const kinds = new Map(details.predictor().encoding!.columns.map(({ column, kind }) => [column, kind]));
    expect([kinds.get("flag"), kinds.get("day"), kinds.get("at"), kinds.get("money")]).toEqual([
      "boolean",
      "date",
      "date",
      "number",
    ]);
    expect(result.variables.find(({ name }) => name === "wide[1]")!.mean).toBeCloseTo(1, 1);
    // What a query has read is in front of its answer.
    expect(questions!.every(({ read }) => read !== undefined && read.rows > 0)).toBe(true);
    expect(mixed.result.groups).toBe(8);
  });

  test("says what is wrong in the same sentences", async () => {
    await expect(open("nowhere")).rejects.toThrow(/there is no table "nowhere" in the database "default"/);
    await modern.run(
      "CREATE TABLE odd (m Map(String, UInt8), y Float64) ENGINE = MergeTree ORDER BY tuple()",
    );
    const engine = await open("kinds");
    const wrong = { ...engine, where: "colour = 'red'" };
    await expect(runEngine(wrong, { target: "y" }, { environment: here })).rejects.toThrow(
      /does not know a column/,
    );
    await engine.close();
  });
});
