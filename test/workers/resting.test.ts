import { expect, it } from "vitest";
import type { Job } from "../../src/workers/job.js";
import { localPool } from "../../src/workers/pool.js";
import { restingPool } from "../../src/workers/resting.js";

const twice: Job<number, number, undefined> = {
  name: "twice",
  start: (_, value) => ({ next: () => false, done: 1, result: () => 2 * value }),
};

it("threads that rest are ended, and started again for the next job", async () => {
  const told: string[] = [];
  const pool = await restingPool(async () => {
    told.push("open");
    return {
      ...localPool(),
      close: async () => {
        told.push("close");
      },
    };
  });
  expect(await pool.run(twice, [1, 2])).toEqual([2, 4]);
  await pool.rest();
  await pool.rest();
  expect(told).toEqual(["open", "close"]);
  expect(await Promise.all([pool.run(twice, [3]), pool.run(twice, [4])])).toEqual([[6], [8]]);
  await pool.close();
  expect(told).toEqual(["open", "close", "open", "close"]);
});
