import { expect, test } from "vitest";
import { asker, expandedWords, usedLayers } from "../../src/engines/asker.js";
import { clickHouseDialect } from "../../src/engines/clickhouse/clickhouse.js";
import { duckdbDialect } from "../../src/engines/duckdb.js";
import type { Engine } from "../../src/engines/engine.js";
import { rectangleTiles, triangleTiles } from "../../src/engines/plan/products.js";
import { combination, questionSql, written } from "../../src/engines/question.js";

const limits = { aggregates: 250, columns: 300, letters: 250_000 };

test("every pair is in one tile, and every tile is within the limits, however wide the table", () => {
  const fits = (pairs: readonly (readonly [number, number])[], columns: number) =>
    pairs.length <= limits.aggregates && columns <= limits.columns;
  for (const size of [1, 5, 22, 23, 200, 700]) {
    const tiles = triangleTiles(size, limits);
    const pairs = tiles.flatMap((tile) => tile.pairs);
    expect(pairs.every(([a, b]) => a <= b)).toBe(true);
    expect(tiles.every((tile) => fits(tile.pairs, new Set(tile.pairs.flat()).size))).toBe(true);
    expect(new Set(pairs.map(([a, b]) => a * size + b)).size).toBe((size * (size + 1)) / 2);
    expect(pairs.length).toBe((size * (size + 1)) / 2);
  }
  for (const [tall, wide] of [
    [1, 5000],
    [24, 5000],
    [64, 333],
    [400, 3],
  ]) {
    const tiles = rectangleTiles(tall, wide, limits);
    const pairs = tiles.flatMap((tile) => tile.pairs);
    const columns = (of: typeof pairs) =>
      new Set(of.map(([a]) => a)).size + new Set(of.map(([, b]) => b)).size;
    expect(tiles.every((tile) => fits(tile.pairs, columns([...tile.pairs])))).toBe(true);
    expect(new Set(pairs.map(([a, b]) => a * wide + b)).size).toBe(tall * wide);
    expect(pairs.length).toBe(tall * wide);
  }
});

test("numbers keep every digit, and nothing that is no number gets into a question", () => {
  for (const value of [0, 1, 0.1, -1 / 3, 1e-300, 123456789.12345679, Number.MAX_VALUE])
    expect(Number(written(value).replace(/[()]/g, ""))).toBe(value);
  expect(() => written(Number.NaN)).toThrow(RangeError);
  expect(
    combination(0, [
      [1, "s_v1"],
      [0, "s_v2"],
      [-2, "s_v3"],
    ]),
  ).toBe("s_v1 + (-2e+0) * s_v3");
  expect(combination(0, [])).toBe("0e+0");
});

test("a question names only what it needs, through all layers", () => {
  const layers = [
    { s_v1: "a", s_v2: "b", s_v3: "c" },
    { s_eta: "s_v1 + 1" },
    { s_w: "exp(s_eta)", s_r: "s_v3" },
  ];
  expect(usedLayers(layers, ["sum(s_w)"])).toEqual([
    { s_v1: "a" },
    { s_eta: "s_v1 + 1" },
    { s_w: "exp(s_eta)" },
  ]);
  // s_v1 is no part of s_v11.
  expect(usedLayers([{ s_v1: "a", s_v11: "b" }], ["sum(s_v11)"])).toEqual([{ s_v11: "b" }]);
});

test("names in front carry no rows anywhere; nested names are what DuckDB takes", () => {
  const question = { layers: [{ s_v1: "a" }, { s_eta: "s_v1 + 1" }], aggregates: ["sum(s_eta)"] };
  const ask = (dialect: Engine["dialect"]) =>
    questionSql({ engine: { dialect, table: "t" } as Engine, conditions: ["a > 0"] }, question);
  expect(ask(clickHouseDialect)).toBe(
    "WITH a AS s_v1, s_v1 + 1 AS s_eta SELECT ifNull(toFloat64(count(*)), nan), ifNull(toFloat64(sum(s_eta)), nan) FROM t WHERE (a > 0)",
  );
  expect(ask(duckdbDialect)).toContain(
    "FROM (SELECT *, s_v1 + 1 AS s_eta FROM (SELECT a AS s_v1 FROM t WHERE (a > 0)) AS t0) AS t1",
  );
});

test("whatever a name or a value holds, it stays a name or a value", () => {
  const nasty = `a'; DROP TABLE t; -- "\`\\`;
  expect(duckdbDialect.literal(nasty)).toBe(`'a''; DROP TABLE t; -- "\`\\'`);
  expect(duckdbDialect.identifier(nasty)).toBe(`"a'; DROP TABLE t; -- ""\`\\"`);
  expect(clickHouseDialect.literal(nasty)).toBe(`'a\\'; DROP TABLE t; -- "\`\\\\'`);
  expect(clickHouseDialect.identifier(nasty)).toBe(`\`a'; DROP TABLE t; -- "\\\`\\\\\``);
});

test("a query that would be longer than the engine takes is sent in parts, with the same answers", async () => {
  const sent: string[] = [];
  const engine = {
    ...{ name: "it", dialect: clickHouseDialect, table: "t", columns: [] },
    limits: { ...limits, letters: 2000 },
    async *rows(sql: string) {
      sent.push(sql);
      const columns = [...sql.matchAll(/ifNull\(toFloat64\((?:count\(\*\)|sum\(s_v(\d+)\))\), nan\)/g)];
      yield { rows: 1, columns: columns.map(([, number = "7"]) => [Number(number)]) };
    },
    close() {},
  } as unknown as Engine;
  const layers = [
    Object.fromEntries(Array.from({ length: 60 }, (_, j) => [`s_v${j}`, `\`a long name ${j}\``])),
  ];
  const aggregates = Array.from({ length: 60 }, (_, j) => `sum(s_v${j})`);
  const sums = await asker({ engine, conditions: [] }).sums("sums", { layers, aggregates });
  expect([...sums]).toEqual(Array.from({ length: 60 }, (_, j) => j));
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.every((sql) => sql.length <= 2000)).toBe(true);
});

test("words are counted as if every name were what it stands for", () => {
  const layers = [{ s_v1: "a + 1", s_v2: "b" }, { s_eta: "s_v1 * s_v2 + s_v1" }];
  // a + 1, b, a + 1; and the sum itself.
  expect(expandedWords(layers, ["sum(s_eta * s_v2)"])).toBe(1 + 5 + 1);
});
