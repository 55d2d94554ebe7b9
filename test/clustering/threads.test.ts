import { describe, expect, it } from "vitest";
import * as alone from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import * as node from "../../src/node.js";
import type { Progress } from "../../src/options/fit.js";

const rng = Rng.seeded(8);
/** Four clusters that overlap, so that the chains need more than one round. */
const rows = Float64Array.from({ length: 800 }, () => 4 * rng.below(2) + normal(rng));
const sequence = (() => {
  let state = 0;
  return Float64Array.from({ length: 1500 }, () => {
    if (rng.uniform() < 0.1) state = 1 - state;
    return 3 * state + normal(rng);
  });
})();
const json = (value: unknown) => JSON.stringify(value);

describe("with threads", () => {
  it("clusters are the same as without", async () => {
    // Threads are worth their start where there is work for half a second.
    const options = { columns: 2, components: 4, chains: 4, iterations: 3000 };
    const [one, two] = [
      await alone.clusters(rows, options),
      await node.clusters(rows, { ...options, threads: 2 }),
    ];
    expect(json(two)).toBe(json(one));
    expect(two.membership(rows.subarray(0, 20))).toEqual(one.membership(rows.subarray(0, 20)));
  });

  it("clusters of much data, whose chains are anchored, are the same as without", async () => {
    const many = Float64Array.from({ length: 20_000 }, (_, i) => 4 * (i % 2) + normal(rng));
    const options = { columns: 1, components: 2, iterations: 400 };
    const one = await alone.clusters(many, options);
    expect(json(await node.clusters(many, { ...options, threads: 2 }))).toBe(json(one));
  });

  it("hidden states and the scores of several numbers of clusters are the same as without", async () => {
    const states = { states: 2, emission: { kind: "gaussian" }, iterations: 600 } as const;
    const one = await alone.hiddenStates(sequence, states);
    expect(json(await node.hiddenStates(sequence, { ...states, threads: 2 }))).toBe(json(one));
    const apart = [sequence.subarray(0, 700), sequence.subarray(700)];
    const ofTwo = await alone.hiddenStates(apart, states);
    expect(json(await node.hiddenStates(apart, { ...states, threads: 2 }))).toBe(json(ofTwo));
    const several = { columns: 2, counts: [3, 4] };
    const compared = await alone.compareComponents(rows, several);
    expect(compared.scores.map(({ components }) => components)).toEqual([3, 4]);
    expect(await node.compareComponents(rows, { ...several, threads: 2 })).toEqual(compared);
  });

  it("a run that is stopped returns what was sampled so far, and says so", async () => {
    const controller = new AbortController();
    const seen: Progress[] = [];
    const found = await node.clusters(rows, {
      columns: 2,
      components: 2,
      iterations: 2_000_000,
      threads: 2,
      signal: controller.signal,
      onProgress(progress) {
        seen.push(progress);
        if (progress.done > 8000) controller.abort();
      },
    });
    expect(found.partial).toBe(true);
    expect(found.clusters).toHaveLength(2);
    expect(found.diagnostics.iterations).toBeLessThan(1_000_000);
    expect(seen.at(-1)).toMatchObject({ stage: "sample", total: 4_000_000 });
  });

  it("what goes wrong in a thread keeps its sentence and its code", async () => {
    const wrong = { columns: 2, components: 2, stepSize: { a: 1, b: 0, kappa: 2 }, threads: 2 };
    const problem = { name: "SparrowError", code: "option", message: expect.stringMatching(/kappa = 2/) };
    await expect(node.clusters(rows, wrong)).rejects.toMatchObject(problem);
  });
});

it("without threads, too, the event loop turns and a signal is heard", async () => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 1500);
  const long = { states: 2, emission: { kind: "gaussian" }, chains: 1, iterations: 10_000_000 } as const;
  // The start alone may take longer than that on a slow machine; then nothing was sampled.
  const found = await alone
    .hiddenStates(sequence, { ...long, burnIn: 0, signal: controller.signal })
    .catch((error: unknown) => error);
  clearTimeout(timer);
  expect(found).toMatchObject(
    found instanceof alone.SparrowError ? { code: "stopped" } : { partial: true, diagnostics: { chains: 1 } },
  );
});

it("a comparison that is stopped has the numbers that were done, and chooses among them", async () => {
  const controller = new AbortController();
  const found = await alone.compareComponents(rows, {
    columns: 2,
    counts: [1, 2, 6],
    signal: controller.signal,
    onProgress({ done }) {
      if (done >= 1) controller.abort();
    },
  });
  expect(found.partial).toBe(true);
  expect(found.scores.length).toBeLessThan(3);
  expect(found.scores.map(({ components }) => components)).toContain(found.chosen);
});
