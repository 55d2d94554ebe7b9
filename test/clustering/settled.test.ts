import { describe, expect, it } from "vitest";
import { type ChainSteps, chainJob } from "../../src/clustering/chains/chain-job.js";
import type { Leaps } from "../../src/clustering/exact/leaps.js";
import { exchangeableClusters } from "../../src/clustering/names/exchangeable.js";
import { estimate, mapped, type Sampled } from "../../src/clustering/sampled.js";
import { settled } from "../../src/clustering/settled.js";
import { normal } from "../../src/math/normal.js";
import { Rng, type RngState } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { mixture } from "../../src/models/mixture.js";
import type { Progress } from "../../src/options/fit.js";
import type { RunningOptions } from "../../src/workers/crew.js";
import { localPool } from "../../src/workers/pool.js";

/** Two clusters of one column: the logit of the weight, then mean and log factor of each. */
const mixtureOfTwo = mixture({ components: 2, emission: gaussian({ columns: 1, covariance: "diagonal" }) });
const witnesses = { rows: 4, columns: 1, weight: 1, values: Float64Array.of(-2.5, -1.5, 2.5, 3.5) };
const model = exchangeableClusters(mixtureOfTwo, witnesses);
const centre = Float64Array.of(1, -2, 0, 3, 0.5);

const describeBlocks = (draws: Sampled<Float64Array>) => {
  const shares = mapped(draws, model.shares);
  return [0, 1].map((k) => ({
    weight: estimate(shares, (share) => share[k]),
    mean: [estimate(draws, (theta) => theta[model.block(k)])],
  }));
};

interface Problem {
  readonly offset: (chain: number) => number;
  readonly memory: number;
  readonly weight: (t: number) => number;
  readonly leaps?: Leaps | undefined;
}

interface Standing {
  readonly t: number;
  readonly noise: Float64Array;
  readonly rng: RngState;
}

/** Chains about `centre`, the c-th moved by `offset(c)` and, every second one, with names exchanged. */
const job = chainJob(
  "test",
  function* ({ offset, memory, weight }: Problem, rng, to, from?: Standing): ChainSteps<Standing> {
    const c = [0, 1, 2].findIndex((i) => Rng.seeded(1).split(i).save().key === rng.save().key);
    const noise = from ? from.noise.slice() : new Float64Array(5);
    const own = from ? Rng.restore(from.rng) : rng;
    for (let t = (from?.t ?? 0) + 1; t <= to; t++) {
      for (let j = 0; j < 5; j++) {
        noise[j] = memory * noise[j] + Math.sqrt(1 - memory ** 2) * 0.1 * normal(own);
      }
      const theta = centre.map((x, j) => x + noise[j] + (j === 1 ? offset(c) : 0));
      yield {
        t,
        theta: c % 2 === 0 ? theta : model.reordered(theta, [1, 0]),
        weight: weight(t),
        standing: () => ({ t, noise, rng: own.save() }),
      };
    }
  },
);

function run(
  settings: Partial<Problem> & { chains?: number; iterations?: number; burnIn?: number } = {},
  running: RunningOptions = {},
) {
  const { offset = () => 0, memory = 0, chains = 2, iterations, burnIn, weight = () => 1 } = settings;
  return settled({
    job,
    problem: { offset, memory, weight },
    pool: localPool(),
    model,
    chains,
    iterations,
    burnIn,
    rng: Rng.seeded(1),
    running,
    kind: "cluster",
    describe: describeBlocks,
    known: () => ({ certainty: 1, empty: 0, fewer: 0, narrow: [] }),
  });
}

describe("chains of exchangeable blocks", () => {
  it("are compared once their labels agree, and stop as soon as nothing is wrong", async () => {
    const { blocks, diagnostics, verdict, draws } = await run({});
    expect(verdict).toBe("No problems found.");
    expect(diagnostics).toMatchObject({ chains: 2, iterations: 3000, warnings: [] });
    expect(diagnostics.rhat).toBeLessThan(1.01);
    // 1000 independent draws; the estimate of so few spreads by some 15%.
    for (const block of blocks) {
      expect(block.weight.essBulk).toBeGreaterThan(500);
      expect(block.weight.essTail).toBeGreaterThan(500);
    }
    expect(draws.chains.map((chain) => chain.length)).toEqual([500, 500]);
    // The heavier one first. 4.5 standard errors of 0.1/√1000.
    expect(Math.abs(blocks[0].mean[0].mean + 2)).toBeLessThan(4.5 * 0.0032);
    expect(Math.abs(blocks[1].mean[0].mean - 3)).toBeLessThan(4.5 * 0.0032);
  });

  it("that forget slowly run on until there are enough effective draws", async () => {
    const { diagnostics, verdict } = await run({ memory: 0.97 });
    expect(verdict).toBe("No problems found.");
    expect(diagnostics.iterations).toBeGreaterThan(3000);
    expect(Math.min(diagnostics.essBulk!, diagnostics.essTail!)).toBeGreaterThanOrEqual(200);
  });

  it("that differ are said to, with the quantity and what to do", async () => {
    const { diagnostics, verdict } = await run({ offset: (c) => 0.3 * c });
    expect(diagnostics).toMatchObject({ rhatOf: "mean 1 of cluster 1", iterations: 24_000 });
    expect(diagnostics.rhat).toBeGreaterThan(1.1);
    expect(verdict).toMatch(
      /The chains disagree \(R-hat [\d.]+ for mean 1 of cluster 1\); do not use these results\. (There are too few independent draws .*\. )?Run \d+ times as many iterations\./,
    );
    expect(diagnostics.warnings.join()).not.toContain("--");
  });

  it("run as long as they are told, whatever comes out", async () => {
    expect((await run({ offset: (c) => c, iterations: 900 })).diagnostics.iterations).toBe(900);
    await expect(run({ iterations: 10, burnIn: 10 })).rejects.toThrow(
      /No draws were kept: give more than 10/,
    );
  });

  it("cannot be compared where there is only one", async () => {
    const { diagnostics, verdict } = await run({ chains: 1 });
    expect(verdict).toContain("One chain cannot show whether chains agree.");
    expect(diagnostics.iterations).toBe(3000);
  });

  it("count their draws by the weights of their schedule", async () => {
    // Draws of iterations 1001 to 2000 are worth nothing, half of those that are kept.
    const plain = await run({ iterations: 3000 });
    const late = await run({ iterations: 3000, weight: (t) => (t > 2000 ? 1 : 1e-9) });
    expect(late.blocks[0].mean[0].essBulk! / plain.blocks[0].mean[0].essBulk!).toBeCloseTo(0.5, 2);
    const [chain] = late.draws.chains;
    const second = chain.slice(250).concat(late.draws.chains[1].slice(250));
    const mean = second.reduce((sum, theta) => sum + theta[1], 0) / 500;
    expect(late.blocks[0].mean[0].mean).toBeCloseTo(mean, 6);
  });

  it("tell how far they are, all together", async () => {
    const seen: Progress[] = [];
    await run({ memory: 0.97 }, { onProgress: (progress) => seen.push(progress) });
    const { total } = seen.at(-1)!;
    expect(total).toBeGreaterThan(6000);
    expect(seen.at(-1)).toEqual({ stage: "sample", done: total, total });
    expect(seen).toContainEqual({ stage: "sample", done: 6000, total: 6000 });
    seen.slice(1).forEach(({ done }, i) => void expect(done).toBeGreaterThanOrEqual(seen[i].done));
  });

  it("that are stopped give what they have, without those that fell far behind", async () => {
    // One thread runs them in turn, so the second has hardly begun.
    const stopAt = (limit: number) => {
      const controller = new AbortController();
      const weight = (t: number) => {
        if (t === limit) controller.abort();
        return 1;
      };
      return run({ weight, iterations: 60_000 }, { signal: controller.signal });
    };
    const { partial, draws, diagnostics } = await stopAt(600);
    expect(partial).toBe(true);
    expect(diagnostics).toMatchObject({ chains: 1, iterations: 600 });
    // Every 64th of the iterations after the 200th.
    expect(draws.chains.map((chain) => chain.length)).toEqual([6]);
    await expect(stopAt(60)).rejects.toMatchObject({ code: "stopped" });
  });
});
