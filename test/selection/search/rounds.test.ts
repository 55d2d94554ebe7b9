import { describe, expect, test } from "vitest";
import { kernelMemory, wasmKernels } from "../../../src/kernels/wasm.js";
import type { FitOptions } from "../../../src/options/fit.js";
import { fitTable } from "../../../src/selection/fit-table.js";
import {
  agree,
  type RoundsPlan,
  type SearchInput,
  searchInRounds,
} from "../../../src/selection/search/rounds.js";
import type { ChainOutput, SearchPlan } from "../../../src/selection/search/types.js";
import { arrayTable } from "../../../src/tables/readers/arrays.js";
import { localPool } from "../../../src/workers/pool.js";
import { linearExample } from "../problem.js";

const plan = {
  iterations: 400,
  burnIn: 200,
  batch: { by: "blocks", blocks: 1 },
} as unknown as SearchPlan;
const rounds: RoundsPlan = { length: 50, untilAgreement: true, mostBlocks: 6 };

/** The output of a round whose models held the variables at these rates. */
function output(rates: readonly number[], more: Partial<ChainOutput> = {}): ChainOutput {
  return {
    iterations: 50,
    models: 100,
    inclusion: Float64Array.from(rates, (rate) => 100 * rate),
    draws: {
      iteration: new Uint32Array(),
      start: new Uint32Array(1),
      variable: new Uint32Array(),
      value: new Float64Array(),
    },
    sizes: Float64Array.of(1),
    last: { members: Uint32Array.of(0), values: Float64Array.of(1), noiseVariance: 1 },
    ...more,
  };
}

/** Rounds as told, one list of outputs per round; the last one repeats. */
function told(script: readonly (readonly ChainOutput[])[]) {
  const jobs: (readonly SearchInput[])[] = [];
  const run = async (given: readonly SearchInput[]): Promise<ChainOutput[]> => {
    jobs.push(given);
    return [...script[Math.min(jobs.length, script.length) - 1]];
  };
  return { jobs, run };
}

describe("chains agree", () => {
  test.each<[string, number[][], boolean]>([
    [
      "when they hold the same variables",
      [
        [1, 0],
        [0.95, 0.1],
      ],
      true,
    ],
    [
      "when one is only less sure",
      [
        [0.95, 0],
        [0.6, 0.3],
      ],
      true,
    ],
    [
      "not when one holds firmly what another mostly lacks",
      [
        [0.95, 0],
        [0.3, 0],
      ],
      false,
    ],
    [
      "when neither is sure",
      [
        [0.8, 0],
        [0.2, 0.7],
      ],
      true,
    ],
  ])("%s", (_, rates, expected) => {
    expect(agree(rates.map((of) => output(of)))).toBe(expected);
  });
});

describe("a search in rounds", () => {
  test("ends when the last two rounds of all chains agree, and counts just those", async () => {
    const script = [
      [output([1, 0]), output([0, 1])],
      [output([1, 1]), output([1, 0])],
      [output([1, 1]), output([1, 1])],
    ];
    const { jobs, run } = told([...script, script[2]]);
    const searched = await searchInRounds(run, plan, 2, rounds);
    expect(jobs).toHaveLength(4);
    expect(searched).toMatchObject({ agreed: true, cut: false, plan: { iterations: 200, burnIn: 100 } });
    for (const { models, inclusion, iterations } of searched.chains) {
      expect({ models, inclusion: [...inclusion], iterations }).toEqual({
        models: 200,
        inclusion: [200, 200],
        iterations: 200,
      });
    }
  });

  test("goes on where the last round ended", async () => {
    const last = { members: Uint32Array.of(1), values: Float64Array.of(0.3), noiseVariance: 2 };
    const { jobs, run } = told([[output([1, 0], { last })], [output([1, 0])]]);
    await searchInRounds(run, plan, 1, rounds);
    expect(jobs[0][0].stretch).toEqual({ round: 0, before: 0, iterations: 50 });
    expect(jobs[1][0].stretch).toEqual({ round: 1, before: 50, iterations: 50, start: last });
  });

  test("says so when the chains never agree, and counts the second half", async () => {
    const { jobs, run } = told([[output([1, 0]), output([0, 1])]]);
    const searched = await searchInRounds(run, plan, 2, rounds);
    expect(jobs).toHaveLength(8);
    expect(searched).toMatchObject({ agreed: false, cut: false, plan: { iterations: 400, burnIn: 200 } });
    expect(searched.chains[0].models).toBe(400);
  });

  test("runs as long as it was asked to, whether or not they agree", async () => {
    const { jobs, run } = told([[output([1, 0])]]);
    const searched = await searchInRounds(run, plan, 1, { ...rounds, untilAgreement: false });
    expect(jobs).toHaveLength(8);
    expect(searched).not.toHaveProperty("agreed");
    expect(searched.plan).toEqual(plan);
  });

  test("lets batches grow to what the noise asks for, at most twofold a round and up to a limit", async () => {
    const noisy = [output([1, 0], { stepNoise: 5 }), output([0, 1], { stepNoise: 0.1 })];
    const { jobs, run } = told([noisy]);
    await searchInRounds(run, plan, 2, rounds);
    expect(
      jobs.map(
        ([
          {
            plan: { batch },
          },
        ]) => batch,
      ),
    ).toEqual([1, 1, 1, 2, 4, 6, 6, 6].map((blocks) => ({ by: "blocks", blocks })));
  });

  test("is cut when a chain is, and counts nothing of a first round that was", async () => {
    const { run } = told([[output([1, 0], { iterations: 7 })]]);
    const searched = await searchInRounds(run, plan, 1, rounds);
    expect(searched.cut).toBe(true);
    expect(searched.chains[0]).toMatchObject({ iterations: 7, models: 0 });
  });
});

describe("the default mode", () => {
  const data = linearExample(1500, 320, 2);
  const fit = (options: Partial<FitOptions>) =>
    fitTable(
      arrayTable(data),
      { target: "y", seed: 3, ...options },
      {
        kernels: async (bytes) => wasmKernels(kernelMemory(bytes, false)),
        pool: async (store) => localPool(store),
        threads: 1,
      },
    );

  test("chooses how long to search, and says why", async () => {
    const { settings } = await fit({});
    expect(settings.iterations).toBeLessThan(1000);
    expect(settings.chosen).toEqual([
      `2 chains ran ${settings.iterations} iterations, until no variable was firmly in for one and out for another.`,
      expect.stringMatching(
        /^An iteration used a batch of \d+ rows .*for 5 models of 4 moves each and a step of 0\.3 over the largest curvature of the model\.$/,
      ),
    ]);
  });

  test("does as it is told", async () => {
    const asked = { iterations: 120, burnIn: 30, batch: 300, moves: 3, models: 4, chains: 3 };
    const { settings } = await fit({ ...asked, stepSize: 0.1 });
    expect(settings).toMatchObject({ ...asked, stepSize: { relativeToCurvature: 0.1 } });
    expect(settings.chosen).toEqual([
      "3 chains ran 120 iterations, as asked.",
      "An iteration used a batch of 300 rows for 4 models of 3 moves each and a step of 0.1 over the largest curvature of the model.",
    ]);
  });
});
