import { describe, expect, it } from "vitest";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import type { MixedOptions } from "../../src/mixed/options.js";
import { crew } from "../../src/node/threads.js";
import type { Crew } from "../../src/workers/crew.js";

const GROUPS = 400;
const rng = Rng.seeded(21);
const data = emptyCrossProducts(
  ["(intercept)", "x"],
  "y",
  Array.from({ length: GROUPS }, (_, g) => `g${g}`),
);
for (let g = 0; g < GROUPS; g++) {
  const [level, slope] = [normal(rng), 0.5 * normal(rng)];
  for (let i = 0; i < 6; i++) {
    const x = normal(rng);
    addRow(data, g, [1, x, 2 + level + (0.5 + slope) * x + normal(rng)]);
  }
}
const options = { target: "y", group: "g", fixed: ["x"], random: ["x"], seed: 3 };

/** Says how many threads were asked for. */
function counting(): { crew: Crew; asked: number[] } {
  const asked: number[] = [];
  const pool: Crew["pool"] = (size) => {
    asked.push(size);
    return crew.pool(size);
  };
  return { crew: { threads: 4, pool }, asked };
}

async function fitted(threads: number, more: Partial<MixedOptions>) {
  const { crew, asked } = counting();
  const messages: string[] = [];
  const onMessage = (message: string): void => void messages.push(message);
  const { result, draws, effects } = await fitMixed(data, { ...options, ...more, threads, onMessage }, crew);
  const { timing: _, ...answer } = result;
  return { asked, same: { answer, draws, effects: effects(), messages } };
}

/** All of them long enough that threads are worth their start. */
const samplers: [string, Partial<MixedOptions>][] = [
  ["gibbs", { method: "gibbs", iterations: 250, chains: 3 }],
  ["mini-batches", { method: "esgld", iterations: 1000, chains: 3 }],
  ["the paper's algorithm", { preset: "paper", iterations: 900, chains: 3, batch: 100 }],
  [
    "steps that are too large at first",
    { preset: "paper", iterations: 900, chains: 3, batch: 100, stepSize: 0.5 },
  ],
];

describe("chains in threads", () => {
  it.each(samplers)("give the answer of one thread to the last bit: %s", async (name, more) => {
    const [one, two] = [await fitted(1, more), await fitted(2, more)];
    expect(one.asked).toEqual([]);
    expect(two.asked).toEqual([2]);
    expect(two.same).toEqual(one.same);
    expect(one.same.messages.length > 0).toBe(name.startsWith("steps"));
  });

  it("are stopped by a signal, with what was sampled so far", async () => {
    const controller = new AbortController();
    const onProgress = ({ done }: { done: number }) => {
      if (done > 3000) controller.abort();
    };
    const asked = { method: "gibbs", iterations: 100_000, burnIn: 10, chains: 2, threads: 2 } as const;
    const { result } = await fitMixed(
      data,
      { ...options, ...asked, signal: controller.signal, onProgress },
      crew,
    );
    expect(result.partial).toBe(true);
    expect(result.fixed[0].mean).toBeCloseTo(2, 0);
  });
});
