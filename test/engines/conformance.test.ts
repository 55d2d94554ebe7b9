import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { importData } from "../../src/node/import-data.js";
import { runData } from "../../src/node/run-data.js";
import type { FitResult } from "../../src/selection/answer/result.js";
import { asProperty } from "../../src/wording.js";
import { type Columns, only, problem } from "./data.js";
import { endCluster, folder, here, inClickHouse, inDuckDB, parquetOf } from "./places.js";

const reason = whyNoCluster();
if (reason !== undefined) console.warn(`ClickHouse is left out: ${reason}.`);

afterAll(async () => {
  await endCluster();
  folder.remove();
});

/** Rows that may be read: fewer than there are, so that everything else has to be asked. */
const sampleRows = 100;

/** `name` is that of the table. */
type Place = (table: Columns, target: string, name: string) => Promise<FitResult>;

const inMemory = new Map<string, Promise<FitResult>>();

/** Once for all places that are compared with it. */
function memory(table: Columns, target: string, name: string): Promise<FitResult> {
  const known = inMemory.get(name);
  if (known) return known;
  const found = runData(table as Parameters<typeof runData>[0], { target, threads: 1 }).then(
    ({ result }) => result,
  );
  inMemory.set(name, found);
  return found;
}

const store: Place = async (table, target, name) => {
  const path = join(folder.path, `${name}.sparrow`);
  await importData(await parquetOf(table, name), path, { target }, asProperty);
  return (await runData(path, { threads: 1 })).result;
};

const asked =
  (open: typeof inDuckDB): Place =>
  async (table, target, name) => {
    const engine = await open(table, name);
    const { result } = await runEngine(engine, { target }, { environment: here, sampleRows });
    await engine.close();
    return result;
  };

const places: Record<string, Place> = {
  "a store on disk": store,
  "DuckDB, asked": asked(inDuckDB),
  ...(reason === undefined && { "ClickHouse, three shards, asked": asked(inClickHouse) }),
};

const [x0, x1, x2] = Object.keys(problem(1, 3));
/** Effects so small that some stay in doubt, and enough rows that what single precision loses in every one would show. */
const problems = [300, 1500].flatMap((rows) => {
  const all = problem(rows, 3, 7, rows === 300 ? 1 : 0.5);
  return [
    ["measured", rows, only(all, x0, x1, x2, "region", "measured")],
    ["counted", rows, only(all, x0, x1, "region", "counted")],
    ["classed", rows, only(all, x1, "region", "classed")],
  ] as const;
});

describe.each(problems)("a target that is %s, in %d rows,", (target, rows, table) => {
  test.each(Object.entries(places))(
    "has the same enumerated probabilities in %s as in memory",
    async (_, place) => {
      const name = `${target}_${rows}`;
      const [expected, other] = [await memory(table, target, name), await place(table, target, name)];
      expect(other.settings.posterior).toBe("enumerated");
      expect(other.family).toBe(expected.family);
      expect(other.rows).toBe(rows);
      const byName = new Map(other.variables.map((variable) => [variable.name, variable]));
      expect([...byName.keys()].sort()).toEqual(expected.variables.map(({ name: own }) => own).sort());
      // Some are sure, some are not: a test that could fail.
      expect(expected.variables.some(({ pip }) => pip > 0.05 && pip < 0.95)).toBe(true);
      for (const { name: own, pip, mean, sd } of expected.variables) {
        expect(Math.abs(byName.get(own)!.pip - pip)).toBeLessThan(1e-6);
        expect(Math.abs(byName.get(own)!.mean - mean)).toBeLessThan(1e-5 * Math.max(sd, 1e-3) + 1e-7);
      }
    },
  );
});

test.each(Object.entries(places))(
  "probabilities that are sampled in %s differ from those in memory by no more than both say they may",
  async (_, place) => {
    const { counted: _c, classed: _d, measured, ...predictors } = problem(600, 22, 5, 0.5);
    const table = { ...predictors, sampled: measured };
    const [expected, other] = [
      await memory(table, "sampled", "sampled"),
      await place(table, "sampled", "sampled"),
    ];
    expect([expected.settings.posterior, other.settings.posterior]).toEqual(["sampled", "sampled"]);
    const byName = new Map(other.variables.map((variable) => [variable.name, variable]));
    // Four standard errors for each of two dozen: one false alarm in six hundred.
    for (const { name, pip, pipError = 0 } of expected.variables) {
      const { pip: its, pipError: itsError = 0 } = byName.get(name)!;
      expect(Math.abs(its - pip)).toBeLessThanOrEqual(4 * Math.hypot(pipError, itsError) + 1e-6);
    }
  },
);
