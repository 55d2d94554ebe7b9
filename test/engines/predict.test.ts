import { afterAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { clickHouseTable } from "../../src/engines/clickhouse/written-table.js";
import {
  predictAsked,
  predictInto,
  type WrittenColumns,
  type WrittenTable,
} from "../../src/engines/predictions.js";
import { predictData } from "../../src/node/predict-data.js";
import { runData } from "../../src/node/run-data.js";
import type { AnyPredictResult } from "../../src/prediction/any-predictor.js";
import type { PredictResult } from "../../src/prediction/predict.js";
import { type Columns, problem } from "./data.js";
import { endCluster, folder, inClickHouse, inDuckDB, theCluster } from "./places.js";

const reason = whyNoCluster();

afterAll(async () => {
  await endCluster();
  folder.remove();
});

const { measured, classed, counted: _, ...predictors } = problem(400, 3);
const named: Columns = { ...predictors, measured, id: measured.map((_, i) => `row ${i}, "quoted"`) };
const predictor = (await runData({ ...predictors, classed } as never, { target: "classed", threads: 1 }))
  .details;
const model = (
  await runData({ ...predictors, measured } as never, { target: "measured", threads: 1 })
).details.predictor();
const expected = (await predictData(model, named as never, { id: ["id"] })) as PredictResult;

/** By the rows' own names. */
function byId({
  id,
  mean,
  meanUpper,
}: {
  id: readonly string[];
  mean: ArrayLike<number>;
  meanUpper: ArrayLike<number>;
}) {
  return new Map(id.map((name, i) => [name, [mean[i], meanUpper[i]]]));
}

const wanted = byId({ ...expected, id: expected.id!.id });

function agrees(found: Map<string, number[]>): void {
  expect(found.size).toBe(400);
  for (const [name, [mean, upper]] of wanted) {
    expect(found.get(name)![0]).toBeCloseTo(mean, 10);
    expect(found.get(name)![1]).toBeCloseTo(upper, 10);
  }
}

const gathered = ({ id, ...rest }: AnyPredictResult) => byId({ ...rest, id: id!.id });

/** A table that is kept here. */
function kept(): WrittenTable & { readonly parts: WrittenColumns[]; readonly said: string[] } {
  const [parts, said]: [WrittenColumns[], string[]] = [[], []];
  return {
    parts,
    said,
    append: async (columns) => void parts.push(columns),
    publish: async () => void said.push("published"),
    discard: async () => void said.push("discarded"),
  };
}

describe("predictions of rows in DuckDB", () => {
  test("are those of the same rows in memory, with their scores", async () => {
    const engine = await inDuckDB(named, "predicted");
    const found = await predictAsked(engine, model, { id: ["id"] });
    agrees(gathered(found));
    const to = kept();
    const { rows, scores } = await predictInto(engine, model, to, { id: ["id"] });
    await engine.close();
    expect([rows, to.said]).toEqual([400, ["published"]]);
    // Rows come in another order, so sums differ in their last digit.
    const rmse = (of: unknown) => (of as { average: { rmse: number } }).average.rmse;
    expect(rmse(scores)).toBeCloseTo(rmse(found.scores), 12);
    expect(rmse(scores)).toBeCloseTo(rmse(expected.scores), 12);
    const [part] = to.parts as { id: string[]; mean: Float64Array; meanUpper: Float64Array }[];
    agrees(byId(part));
  });

  test("leave nothing behind where a row cannot be predicted", async () => {
    const strange = { ...named, region: named.region.map((level, i) => (i === 399 ? "nowhere" : level)) };
    const engine = await inDuckDB(strange, "strange");
    const to = kept();
    await expect(predictInto(engine, model, to, { id: ["id"] })).rejects.toThrow(/holds "nowhere"/);
    await engine.close();
    expect(to.said).toEqual(["discarded"]);
  });
});

test("a model without the columns of a table says which are lacking", async () => {
  const { region: __, ...less } = named;
  const engine = await inDuckDB(less, "less");
  await expect(predictAsked(engine, predictor.predictor(), {})).rejects.toThrow(/region/);
  await engine.close();
});

describe.skipIf(reason !== undefined)("a table of predictions in ClickHouse", () => {
  const address = (table: string, user: string, port: number) =>
    `clickhouse://${user}@127.0.0.1:${port}/default/${table}`;

  test("is filled from a table on three servers, once and whole", async () => {
    const engine = await inClickHouse(named, "predicted");
    const { servers, run } = await theCluster();
    const out = address('pre`dict"ed', "default", servers[0].port).replace("`", "%60").replace('"', "%22");
    await predictInto(engine, model, await clickHouseTable(out, ""), { id: ["id"] });
    const rows = (await run(
      0,
      'SELECT id, mean, meanUpper FROM `pre\\`dict"ed` FORMAT JSONCompact',
    )) as string;
    const { data } = JSON.parse(rows) as { data: [string, number, number][] };
    agrees(new Map(data.map(([id, ...numbers]) => [id, numbers])));
    // Another one under the same name is refused, and so is one of a user who may only read.
    await expect(clickHouseTable(out, "")).rejects.toThrow(/exists already/);
    const readers = address("other", "reader", servers[0].port);
    const to = await clickHouseTable(readers, "sparrow");
    await expect(predictInto(engine, model, to, { id: ["id"] })).rejects.toThrow(/"reader" may only read/);
    await engine.close();
    expect((await run(0, "SHOW TABLES")).split("\n").filter((name) => /other/.test(name))).toEqual([]);
  });
});
