/** What methods hold beside one another is bounded, and what does not fit changes no answer. */

import { expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { compareTable } from "../../src/peers/compare.js";
import { gramSource } from "../../src/peers/gram-source.js";
import { holdOutJudge } from "../../src/peers/hold-out.js";
import { prepare } from "../../src/peers/prepare.js";
import type { Environment } from "../../src/selection/environment.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { ColumnTable } from "../../src/tables/table.js";
import { oneThread, storeOf } from "./store-of.js";

const rng = Rng.seeded(5);
const ROWS = 120;
const noise = () => Float64Array.from({ length: ROWS }, () => normal(rng));
const [a, b, c] = [noise(), noise(), noise()];
const table = arrayTable({ a, b, c, y: noise().map((e, i) => 3 * a[i] + e) }) as ColumnTable;

it("rows that are held out and do not fit are read again, for the same errors", async () => {
  let reads = 0;
  const test: ColumnTable = {
    ...table,
    chunks(wanted) {
      reads += 1;
      return table.chunks(wanted);
    },
  };
  const prepared = await prepare(table, { target: "y", missing: "error" }, oneThread);
  const fit = { coefficients: Float64Array.of(3, 0.1, 0), intercept: 0.2 };
  const errors = async (most: number) => {
    reads = 0;
    const judge = await holdOutJudge(test, prepared, most);
    return { errors: [judge.nullError, await judge.errorOf(fit), await judge.errorOf(fit)], reads };
  };
  const bytes = 8 * 3 * ROWS;
  const whole = await errors(bytes);
  const short = await errors(bytes - 1);
  expect([whole.reads, short.reads]).toEqual([1, 3]);
  expect(short.errors).toEqual(whole.errors);
  const direct = table.chunks([0, 1, 3]) as Iterable<{ columns: readonly ArrayLike<number>[] }>;
  const [{ columns }] = [...direct];
  const squares = Array.from(columns[2], (y, i) => (y - 0.2 - 3 * columns[0][i] - 0.1 * columns[1][i]) ** 2);
  expect(whole.errors[1]).toBeCloseTo(squares.reduce((sum, value) => sum + value, 0) / ROWS, 10);
  await prepared.close();
});

it("products of columns that do not fit are refused before they are computed", async () => {
  const { store, pool } = await storeOf([a, b, c], a);
  const folds = 5;
  const column = 8 * 3 * (folds + 1);
  const source = await gramSource(store, pool, { folds, most: 2 * column });
  await source.load([0, 1]);
  await expect(source.load([2])).rejects.toThrow(
    /^Products of 3 columns with all 3, by 5 folds, take \d+ MB, and .*memory.* leaves \d+ MB for them; allow more/,
  );
  source.forget();
  await source.load([2]);
  expect(source.has(0)).toBe(false);
});

it("our own fit has the threads to itself", async () => {
  const open = new Set<object>();
  let most = 0;
  const environment: Environment = {
    ...oneThread,
    async pool(store, size) {
      const pool = await oneThread.pool(store, size);
      open.add(store);
      most = Math.max(most, open.size);
      return {
        ...pool,
        async close() {
          open.delete(store);
        },
      };
    },
  };
  const only = await compareTable(table, { target: "y", methods: ["esgld"], holdout: 0 }, environment);
  expect(only.methods[0].selected?.[0].name).toBe("a");
  expect(most).toBe(1);
  expect(open.size).toBe(0);
});
