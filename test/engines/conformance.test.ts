import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { importData } from "../../src/node/other-data.js";
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

type Place = (table: Columns, target: string) => Promise<FitResult>;

const store: Place = async (table, target) => {
  const path = join(folder.path, `${target}.sparrow`);
  await importData(await parquetOf(table, target), path, { target }, asProperty);
  return (await runData(path, { threads: 1 })).result;
};

const asked =
  (open: typeof inDuckDB): Place =>
  async (table, target) => {
    const engine = await open(table, target);
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
const all = problem(300, 3);
const problems = {
  measured: only(all, x0, x1, x2, "region", "measured"),
  counted: only(all, x0, x1, "region", "counted"),
  classed: only(all, x1, "region", "classed"),
};

describe.each(Object.entries(problems))("a target that is %s", (target, table) => {
  test.each(Object.entries(places))(
    "has the same enumerated probabilities in %s as in memory",
    async (_, place) => {
      const memory = (await runData(table as Parameters<typeof runData>[0], { target, threads: 1 })).result;
      const other = await place(table, target);
      expect(other.settings.posterior).toBe("enumerated");
      expect(other.family).toBe(memory.family);
      expect(other.rows).toBe(memory.rows);
      const byName = new Map(other.variables.map((variable) => [variable.name, variable]));
      expect([...byName.keys()].sort()).toEqual(memory.variables.map(({ name }) => name).sort());
      // Some are sure, some are not: a test that could fail.
      expect(memory.variables.some(({ pip }) => pip > 0.05 && pip < 0.95)).toBe(true);
      for (const { name, pip, mean, sd } of memory.variables) {
        expect(Math.abs(byName.get(name)!.pip - pip)).toBeLessThan(1e-6);
        expect(Math.abs(byName.get(name)!.mean - mean)).toBeLessThan(1e-5 * Math.max(sd, 1e-3) + 1e-7);
      }
    },
  );
});
