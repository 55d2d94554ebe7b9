import { describe, expect, test } from "vitest";
import { SparrowError } from "../../src/errors.js";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { threads } from "../../src/node/threads.js";
import type { FitOptions } from "../../src/options/fit.js";
import type { FitResult } from "../../src/selection/answer/result.js";
import type { Environment } from "../../src/selection/environment.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { localPool } from "../../src/workers/pool.js";
import { linearExample } from "./problem.js";

const data = linearExample(3000, 60);
const paper: FitOptions = { target: "y", preset: "paper", iterations: 300, chains: 3, moves: 3, seed: 5 };
/** Without the limit on direct work the default mode would not search. */
const wide = linearExample(1500, 320, 2);
const auto: FitOptions = { target: "y", iterations: 200, chains: 3, seed: 5 };

const local: Environment = {
  kernels: async (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Everything but the times, as it would be printed. */
function bytes({ timing, ...rest }: FitResult): string {
  expect(Object.keys(timing).length).toBeGreaterThan(1);
  return JSON.stringify(rest);
}

const run = async (columns: typeof data, options: FitOptions, environment = threads) =>
  bytes(await fitTable(arrayTable(columns), options, environment));

describe.each([
  ["the paper's preset", data, paper],
  ["the default mode", wide, auto],
  ["the default mode with a length and batches of its own choice", wide, { target: "y", seed: 5 }],
] as const)("%s", (_, columns, options) => {
  test("gives the same bytes for the same seed, whoever does the work", async () => {
    const once = await run(columns, { ...options, threads: 1 });
    expect(await run(columns, { ...options, threads: 1 })).toBe(once);
    expect(await run(columns, { ...options, threads: 2 })).toBe(once);
    expect(await run(columns, { ...options, threads: 3 })).toBe(once);
    expect(await run(columns, options, local)).toBe(once);
  });

  test("gives another answer for another seed", async () => {
    const chains = { ...options, chains: 1 };
    expect(await run(columns, chains)).not.toBe(await run(columns, { ...chains, seed: 6 }));
  });
});

describe("the paper's preset on its example in small", () => {
  test.each(["blocks", "rows", "rows-with-replacement"] as const)(
    "finds the eight effects by %s",
    async (sampling) => {
      const options = { ...paper, chains: 1, iterations: 2000, stepSize: 2e-5, sampling };
      const { variables } = await fitTable(arrayTable(data), options, local);
      const selected = variables.filter((v) => v.selected).map((v) => v.name);
      expect(selected.sort()).toEqual(["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"]);
      // The posterior sd is 1/√(3000·½) = 0.026; batches of 200 of 3000 add their own noise: five of the sum's.
      for (const { name, mean, selected: isIn } of variables) {
        if (isIn) expect(Math.abs(mean - (Number(name.slice(1)) <= 5 ? 1 : -1))).toBeLessThan(0.2);
      }
    },
  );
});

describe("a run that is stopped", () => {
  for (const [name, environment] of [
    ["threads", threads],
    ["this thread", local],
  ] as const) {
    test(`returns what it has, marked as partial (${name})`, async () => {
      const stop = new AbortController();
      const result = await fitTable(
        arrayTable(data),
        {
          ...paper,
          chains: 1,
          iterations: 5_000_000,
          burnIn: 10,
          signal: stop.signal,
          onProgress: ({ stage, done }) => {
            if (stage === "search" && done > 50) stop.abort();
          },
        },
        environment,
      );
      expect(result.partial).toBe(true);
      expect(result.variables.some(({ pip }) => pip > 0)).toBe(true);
    });

    test(`says so when nothing was sampled yet (${name})`, async () => {
      const stop = new AbortController();
      const result = fitTable(
        arrayTable(data),
        {
          ...paper,
          iterations: 5_000_000,
          signal: stop.signal,
          onProgress: ({ stage }) => {
            if (stage === "search") stop.abort(new SparrowError("Stopped before anything was sampled."));
          },
        },
        environment,
      );
      await expect(result).rejects.toThrow("Stopped before anything was sampled.");
    });
  }

  test("is not marked when it came to its end", async () => {
    const result = await fitTable(
      arrayTable(data),
      { ...paper, signal: new AbortController().signal },
      threads,
    );
    expect(result).not.toHaveProperty("partial");
  });
});

describe("an error inside a chain", () => {
  test.each([
    [
      "a step longer than the spike allows",
      { stepSize: 0.06 },
      /must stay below 0.05; make stepSize smaller/,
    ],
    [
      "a step that makes the chain diverge",
      { stepSize: 0.04 },
      /diverged in iteration \d+; make stepSize smaller/,
    ],
  ])("is a sentence for the user from a thread as well: %s", async (_, options, message) => {
    for (const environment of [threads, local]) {
      const result = fitTable(arrayTable(data), { ...paper, ...options }, environment);
      await expect(result).rejects.toThrow(message);
      await expect(result).rejects.toBeInstanceOf(SparrowError);
    }
  });
});
