import { describe, expect, test } from "vitest";
import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { threads } from "../../src/node/threads.js";
import type { FitOptions } from "../../src/options/fit.js";
import type { FitResult } from "../../src/selection/answer/result.js";
import type { Environment } from "../../src/selection/environment.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { timeBudget } from "../../src/selection/time-budget.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { option } from "../../src/wording.js";
import { localPool } from "../../src/workers/pool.js";
import { linearExample } from "./problem.js";

const local: Environment = {
  kernels: async (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};
const OUT_OF_TIME = `Time ran out: this is the best found so far. Raise ${option("seconds")}.`;

/** Without the limit on direct work the default mode would not search. */
const wide = linearExample(1500, 320, 2);
const binary = { ...wide, y: wide.y.map((v: number) => (v > 0 ? 1 : 0)) };
/** A search that no machine finishes in the time given. */
const endless: FitOptions = { target: "y", iterations: 1e9, chains: 2, threads: 2, seed: 5 };

const everyNumberIsFinite = ({ variables, modelSize }: FitResult) =>
  variables.every((v) => [v.pip, v.pipError, v.mean, v.sd, v.lower, v.upper].every(Number.isFinite)) &&
  Number.isFinite(modelSize.mean);

describe("a run with too little time", () => {
  test.each([
    ["numbers, on threads", wide, threads],
    ["numbers, on this thread", wide, local],
    ["classes, on this thread", binary, local],
  ] as const)("answers with the best found so far and says so: %s", async (_, columns, environment) => {
    const result = await fitTable(arrayTable(columns), { ...endless, seconds: 0.001 }, environment);
    expect(result.diagnostics.warnings).toContain(OUT_OF_TIME);
    expect(result.verdict).toContain(OUT_OF_TIME);
    expect(result).not.toHaveProperty("partial");
    expect(everyNumberIsFinite(result)).toBe(true);
    // Five of the eight effects show in the marginal correlations, so even no search at all leads to them.
    const top = result.variables.filter((v) => v.selected).map(({ name }) => name);
    expect(top).toEqual(expect.arrayContaining(["z1", "z2", "z3", "z4", "z5"]));
  });

  test("leaves time for certificate and polish when the search would take it all", async () => {
    const fitted = async (seconds: number): Promise<string[]> => {
      const result = await fitTable(arrayTable(wide), { ...endless, seconds }, threads);
      expect(result.diagnostics.warnings).toContain(OUT_OF_TIME);
      expect(result.certificate?.candidates).toBeGreaterThanOrEqual(8);
      return result.variables.filter((v) => v.selected).map((v) => v.name);
    };
    const due = ["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8"];
    // A search that takes it all takes it of any number of seconds; a busy machine needs more of them.
    let selected: string[] = [];
    for (let seconds = 1; seconds <= 8 && selected.length !== due.length; seconds *= 2) {
      selected = await fitted(seconds);
    }
    expect(selected.sort()).toEqual(due);
  });

  test("is told by the paper's preset when not even the burn-in came to its end", async () => {
    const run = fitTable(arrayTable(wide), { ...endless, preset: "paper", seconds: 0.001 }, local);
    await expect(run).rejects.toThrow("seconds: 0.001 ended before the 400000000 iterations of burn-in");
  });

  test("keeps the chains of the paper's preset up to then", async () => {
    const options = { ...endless, preset: "paper", burnIn: 0, seconds: 0.2 } as const;
    const result = await fitTable(arrayTable(wide), options, local);
    expect(result.diagnostics.warnings).toContain(OUT_OF_TIME);
    expect(result).not.toHaveProperty("partial");
  });
});

describe("a run with time enough", () => {
  test.each([100, 1e9])("gives the bytes of a run without a limit (%d seconds)", async (seconds) => {
    const options: FitOptions = { target: "y", iterations: 100, chains: 2, threads: 1, seed: 5 };
    const bytes = async (given: FitOptions) => {
      const { timing, ...rest } = await fitTable(arrayTable(wide), given, local);
      expect(timing).toHaveProperty("search");
      return JSON.stringify(rest);
    };
    expect(await bytes({ ...options, seconds })).toBe(await bytes(options));
  });
});

describe("the budget of a run", () => {
  test("follows the user's signal, also one that was given before it began", () => {
    const stop = new AbortController();
    const running = timeBudget(undefined, stop.signal);
    expect([running.signal.aborted, running.search.aborted]).toEqual([false, false]);
    stop.abort(new Error("enough"));
    for (const { signal, search } of [running, timeBudget(5, stop.signal)]) {
      expect([signal.aborted, search.aborted]).toEqual([true, true]);
      expect(signal.reason).toEqual(new Error("enough"));
    }
  });

  test("must be a positive number", async () => {
    const run = fitTable(arrayTable(wide), { target: "y", seconds: 0 }, local);
    await expect(run).rejects.toThrow("seconds must be a positive number, not 0.");
  });
});
