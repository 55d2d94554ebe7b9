import { afterAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/engines/engine.js";
import { explain } from "../../src/engines/plan/explain.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { runData } from "../../src/node/run-data.js";
import type { FitOptions } from "../../src/options/fit.js";
import type { Run } from "../../src/selection/run.js";
import { type Columns, only, problem } from "./data.js";
import { folder, here, inDuckDB, parquetOf } from "./places.js";

afterAll(() => folder.remove());

const [x0, x1, x2] = Object.keys(problem(1, 3));
const plain = only(problem(240, 3), x0, x1, x2, "region", "measured");
const target = "measured";

/** Some cells of a column are something else. */
function holed(table: Columns, column: string, every: number, cell: number | string | null): Columns {
  return { ...table, [column]: table[column].map((value, i) => (i % every === 3 ? cell : value)) };
}

async function ask(table: Columns, options: Partial<FitOptions> = {}, open = inDuckDB): Promise<Run> {
  const engine = await open(table, "asked");
  try {
    return await runEngine(engine, { target, ...options }, { environment: here, sampleRows: 80 });
  } finally {
    await engine.close();
  }
}

const read = async (table: Columns, options: Partial<FitOptions> = {}) =>
  runData(await parquetOf(table, "read"), { target, threads: 1, ...options });

const inclusion = ({ result }: Run) =>
  Object.fromEntries(result.variables.map(({ name, pip }) => [name, Number(pip.toFixed(7))]));

describe("what is asked of DuckDB has the answer of what is read", () => {
  const holes = holed(holed(plain, x1, 7, null), "region", 11, null);
  const cases: [string, Columns, Partial<FitOptions>][] = [
    ["rows with holes left out", holes, { missing: "drop" }],
    ["means in the place of holes", holes, { missing: "mean" }],
    ["words that mean a missing value", holed(plain, "region", 9, " n/a "), { missing: "drop" }],
    ["a number that means a missing value", holed(plain, x0, 9, -999), { missing: "drop", na: ["-999"] }],
    ["a target with holes", holed(plain, target, 8, null), {}],
    ["a column that is always in and one that is not", plain, { always: ["region"], exclude: [x2] }],
    ["no intercept, and columns as they are", plain, { intercept: "none", scale: "none" }],
    ["a zellner slab", plain, { slab: "zellner" }],
    ["a column far from zero", { ...plain, [x1]: plain[x1].map((x) => 2 ** 21 + Number(x)) }, {}],
    ["a constant column", { ...plain, [x2]: plain[x2].map(() => 3) }, {}],
  ];
  test.each(cases)("with %s", async (_, table, options) => {
    const [asked, expected] = [await ask(table, options), await read(table, options)];
    expect(inclusion(asked)).toEqual(inclusion(expected));
    expect(asked.result.rows).toBe(expected.result.rows);
    expect(asked.details.predictor().encoding).toEqual(expected.details.predictor().encoding);
  });
});

test("a condition leaves rows out, and queries are kept in their order", async () => {
  const some = Object.fromEntries(
    Object.entries(plain).map(([name, values]) => [
      name,
      values.filter((_, i) => plain.region[i] !== "north"),
    ]),
  );
  const engine = { ...(await inDuckDB(plain, "some")), where: "region <> 'north'" };
  const asked = await runEngine(engine, { target }, { environment: here, sampleRows: 80 });
  await engine.close();
  expect(inclusion(asked)).toEqual(inclusion(await read(some)));
  expect(asked.questions!.length).toBeGreaterThan(5);
  expect(asked.questions!.every(({ sql }) => sql.includes("region <> 'north'"))).toBe(true);
});

test("what cannot be asked is refused in a sentence that says what to do", async () => {
  await expect(ask(holed(plain, "region", 7, null))).rejects.toThrow(
    /missing values in "region".*drop.*mean/,
  );
  await expect(ask(holed(plain, x1, 7, null), { missing: "impute" })).rejects.toThrow(
    /not drawn inside a database/,
  );
  await expect(ask(holed(plain, x1, 7, Number.NaN))).rejects.toThrow(/holds NaN in/);
  await expect(ask(holed(plain, x1, 7, Number.POSITIVE_INFINITY))).rejects.toThrow(
    /is infinite in some rows/,
  );
  await expect(ask(plain, { preset: "paper" })).rejects.toThrow(/draws mini-batches from all rows/);
  await expect(
    ask({ ...plain, age: plain[x0].map((_, i) => `${i % 50} kg`) }, { target: "age" }),
  ).rejects.toThrow(/more than two values/);
});

test("a table that gets rows in between is an error, never a mixture of two", async () => {
  const engine = await inDuckDB(plain, "growing");
  let asked = 0;
  const growing: Engine = {
    ...engine,
    rows(sql, types, how) {
      // From some question on there is a row more.
      if (/ AS s_v/.test(sql) && ++asked > 2)
        return engine.rows(sql.replace("count(*)", "count(*) + 1"), types, how);
      return engine.rows(sql, types, how);
    },
  };
  await expect(runEngine(growing, { target }, { environment: here, sampleRows: 80 })).rejects.toThrow(
    /changed while it was being asked: it had 240 rows and now has 241/,
  );
  await engine.close();
});

test("values that are changed in place between two questions are noticed, and rounding is not", async () => {
  const engine = await inDuckDB(plain, "changing");
  /** From the products of the candidates on, one value of the target is another. */
  const altered = (factor: string): Engine => ({
    ...engine,
    rows(sql, types, how) {
      const other = `(CASE WHEN file_row_number = 7 THEN ${factor} ELSE 1 END * "measured")`;
      const isLater = /sum\(s_v0 \* s_v1\)/.test(sql);
      return engine.rows(isLater ? sql.replaceAll('"measured"', other) : sql, types, how);
    },
  });
  const fit = (factor: string) =>
    runEngine(altered(factor), { target }, { environment: here, sampleRows: 80 });
  await expect(fit("1.5")).rejects.toThrow(/as many rows as before, but not the same values/);
  await fit("1.0000000000001");
  await engine.close();
});

test.each([
  ["by their names", false],
  ["by their hash", true],
])(
  "rows that are put together from blocks of columns are the same rows, told apart %s",
  async (_, isHashed) => {
    const engine = await inDuckDB(plain, "blocks");
    const { key: __, ...nameless } = engine;
    const narrow: Engine = { ...(isHashed ? nameless : engine), limits: { ...engine.limits, columns: 2 } };
    for (const sampleRows of [240, 80]) {
      const fit = async (of: Engine) => runEngine(of, { target }, { environment: here, sampleRows });
      const [whole, blocks] = [await fit(isHashed ? nameless : engine), await fit(narrow)];
      const purpose = sampleRows === 240 ? "rows" : "a sample of rows";
      expect(blocks.questions!.filter((own) => own.purpose === purpose).length).toBe(3);
      expect(inclusion(blocks)).toEqual(inclusion(whole));
      // Of the rows at hand: mixed up, they would have another error.
      expect(blocks.result.scores).toEqual(whole.result.scores);
    }
    await engine.close();
  },
);

test("rows are held out by their hash: the same ones every time, and scored", async () => {
  const [first, again] = [await ask(plain, { holdout: 0.25 }), await ask(plain, { holdout: 0.25 })];
  expect(again.result.holdout).toEqual(first.result.holdout);
  const { holdout, rows } = first.result;
  expect(rows + holdout!.rows).toBe(240);
  // Binomial, 240 draws of one quarter: four standard deviations to either side.
  expect(Math.abs(holdout!.rows - 60)).toBeLessThan(27);
});

test("a search on a sample and the certificate on all rows find what a comparison of all models finds", async () => {
  const rng = Rng.seeded(3);
  const rows = 3000;
  const columns: Columns = {};
  for (let j = 0; j < 40; j++)
    columns[`x${j}`] = Array.from({ length: rows }, () => Math.fround(normal(rng)));
  // The weak one is worth 2 standard errors on the sample, and 6 on all rows.
  columns.y = columns.x3.map((x, i) => Math.fround(Number(x) - 0.11 * Number(columns.x17[i]) + normal(rng)));
  const engine = await inDuckDB(columns, "wide");
  const settings = { environment: here, sampleRows: 400 };
  const plan = await explain(engine, { target: "y" }, 0);
  const whole = await runEngine(engine, { target: "y" }, { ...settings, direct: true });
  const searched = await runEngine(engine, { target: "y" }, { ...settings, direct: false });
  await engine.close();
  const expected = new Map(whole.result.variables.map(({ name, pip }) => [name, pip]));
  expect(searched.search).toBeDefined();
  expect(plan).toMatchObject({ rows, sample: 2000 });
  const described = plan.stages.find(({ purpose }) => purpose === "what each column holds");
  expect(described?.bytes).toBe(rows * 41 * 4);
  expect(searched.result.certificate?.complete).toBe(true);
  expect(searched.result.certificate!.candidates).toBeLessThan(40);
  expect(expected.get("x17")).toBeGreaterThan(0.9);
  for (const { name, pip } of searched.result.variables) {
    expect(Math.abs(pip - expected.get(name)!)).toBeLessThan(0.015);
  }
});
