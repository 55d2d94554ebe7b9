import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { threads } from "../../src/node/threads.js";
import { readStore } from "../../src/selection/data/read.js";
import type { Store } from "../../src/store/store.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import type { Job } from "../../src/workers/job.js";
import { latePool } from "../../src/workers/late-pool.js";
import { localPool, type Pool } from "../../src/workers/pool.js";

interface Asked {
  readonly milliseconds: number;
  readonly values: number[];
}

/** Stands still but for those who work. */
let clock = 0;

/** Takes so long, a millisecond at a time, and changes on the way, as its own, what it was given. */
const slow: Job<Asked, number> = {
  name: "slow",
  start(_, { milliseconds, values }, from) {
    let done = 0;
    const stood = (from as number[] | undefined) ?? values;
    const first = stood[0];
    return {
      next() {
        if (done === milliseconds) return false;
        stood[0] = -1;
        done += 1;
        clock += 1;
        return true;
      },
      get done() {
        return done;
      },
      result: () => first,
    };
  },
};

describe("a pool that begins late", () => {
  let store: Store;
  beforeAll(async () => {
    const table = arrayTable({ y: [1, 2, 3, 4], x: [1, 0, 2, 1] });
    const room = { kernels: threads.kernels, threads: 1, scratch: 1 << 16 };
    store = (await readStore(table, { target: "y" }, () => 2, room)).store;
  });
  afterAll(() => store.close?.());

  /** What the others were given, once they have begun. */
  function watched() {
    const given: Asked[] = [];
    const others = async (): Promise<Pool> => {
      const pool = localPool(store);
      return {
        ...pool,
        run(job, inputs, options) {
          given.push(...structuredClone(inputs as unknown as Asked[]));
          return pool.run(job, inputs, options);
        },
      };
    };
    return { given, pool: latePool(store, 3, others, () => clock) };
  }
  const asked = (count: number, milliseconds: number): Asked[] =>
    Array.from({ length: count }, (_, i) => ({ milliseconds, values: [i] }));

  test("does short jobs in this thread", async () => {
    const { given, pool } = watched();
    expect(pool.size).toBe(3);
    expect(await pool.run(slow, asked(3, 1))).toEqual([0, 1, 2]);
    expect(given).toEqual([]);
    await pool.close();
  });

  test("leaves what takes long to others, as it was asked, and all that comes later", async () => {
    const { given, pool } = watched();
    const told: number[] = [];
    const options = { onProgress: (done: number) => told.push(done) };
    expect(await pool.run(slow, [...asked(1, 50), ...asked(2, 400)], options)).toEqual([0, 0, 1]);
    expect(given).toEqual(asked(2, 400));
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(await pool.run(slow, asked(1, 1))).toEqual([0]);
    expect(given).toHaveLength(3);
    await pool.close();
  });

  test("does not begin what changes the data, since it could not begin it anew", async () => {
    const { given, pool } = watched();
    expect(await pool.run({ ...slow, writes: true }, asked(1, 1))).toEqual([0]);
    expect(given).toHaveLength(1);
    await pool.close();
  });

  test("keeps what was finished, and hands on where the others stood, as it was told", async () => {
    const { pool } = watched();
    const kept = new Map<number, unknown>();
    const saving = {
      interval: 1e6,
      from: [undefined, [7], [8]],
      onState: () => {},
      onResult: (index: number, result: unknown) => void kept.set(index, result),
    };
    const results = await pool.run(slow, [...asked(1, 1), ...asked(2, 200)], { saving });
    expect(results).toEqual([0, 7, 8]);
    expect([...kept].sort()).toEqual(results.map((result, index) => [index, result]));
    await pool.close();
  });
});
