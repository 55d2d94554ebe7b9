import { describe, expect, it } from "vitest";
import { exchangeableClusters } from "../../src/clustering/names/exchangeable.js";
import { relabelled } from "../../src/clustering/names/relabel.js";
import { witnessed } from "../../src/clustering/names/witnesses.js";
import { clusters, hiddenStates } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { mixture } from "../../src/models/mixture.js";

/** Means in the first column, from the least to the largest. */
const meansOf = (blocks: readonly { readonly mean?: readonly { readonly mean: number }[] }[]): number[] =>
  blocks.map(({ mean }) => mean![0].mean).sort((a, b) => a - b);

function expectNear(found: readonly number[], wanted: readonly number[], within: number): void {
  wanted.forEach((mean, k) => void expect(Math.abs(found[k] - mean)).toBeLessThan(within));
}

/** Steps of which the first are all in one state, and the others at random in one of three that lie far apart. */
function late(steps: number, first: number) {
  const rng = Rng.seeded(4);
  const states = Array.from({ length: steps }, (_, t) => (t < first ? 0 : 1 + rng.below(3)));
  return { states, values: Float64Array.from(states, (k) => 6 * k + normal(rng)) };
}

describe("blocks that hold none of the first rows keep their names from draw to draw", () => {
  it.each([
    [10, 5000],
    [100, 20_000],
  ])("clusters of %i rows beside thousands", async (each, rows) => {
    const rng = Rng.seeded(2);
    const values = Float64Array.from({ length: 2 * rows }, (_, i) => {
      const corner = i < 6 * each ? 1 + (Math.floor(i / 2) % 3) : 0;
      return 10 * ((corner >> (i % 2)) & 1) + normal(rng);
    });
    const found = await clusters(values, { columns: 2, components: 4 });
    expect(found.verdict).toBe("No problems found.");
    expect(found.diagnostics.iterations).toBeLessThan(5000);
    // Means of ten rows spread by 0.3.
    expectNear(meansOf(found.clusters), [0, 0, 10, 10], 1.2);
    for (const { weight } of found.clusters.slice(1)) expect(weight.mean * rows).toBeLessThan(1.3 * each);
  });

  it.each([
    [1200, 400],
    [7000, 5600],
  ])("states of %i steps that come after %i", async (steps, first) => {
    const { values, states } = late(steps, first);
    const found = await hiddenStates(values, { states: 4, emission: { kind: "gaussian" } });
    expect(found.verdict).toBe("No problems found.");
    expectNear(meansOf(found.states), [0, 6, 12, 18], 0.3);
    const path = found.path(values);
    const order = found.states.map(({ mean }) => Math.round(mean![0].mean / 6));
    const wrong = states.filter((state, t) => order[path[t]] !== state).length;
    expect(wrong / steps).toBeLessThan(0.02);
  });

  it("states of codes and of steps with holes, too", async () => {
    const rng = Rng.seeded(6);
    const codes = Float64Array.from({ length: 1600 }, (_, t) => {
      const state = t < 700 ? 0 : 1 + (Math.floor(t / 20) % 3);
      return rng.uniform() < 0.9 ? state : rng.below(4);
    });
    const coded = await hiddenStates(codes, { states: 4, emission: { kind: "categorical", levels: 4 } });
    expect(coded.verdict).toMatch(/^No problems found\./);
    const likely = coded.states.map(({ probabilities }) =>
      Math.max(...probabilities!.map(({ mean }) => mean)),
    );
    for (const p of likely) expect(p).toBeGreaterThan(0.8);
    const { values } = late(1200, 400);
    const holed = values.map((value) => (rng.uniform() < 0.1 ? Number.NaN : value));
    const found = await hiddenStates(holed, { states: 4, emission: { kind: "gaussian" } });
    expectNear(meansOf(found.states), [0, 6, 12, 18], 0.4);
  });
});

describe("witnesses", () => {
  const model = mixture({ components: 3, emission: gaussian({ columns: 1, covariance: "diagonal" }) });
  const theta = Float64Array.of(0, 0, 0, 0, 8, 0, 16, 0);

  it("are added of blocks that have few, wherever their rows are, and of these alone", () => {
    const values = Float64Array.from({ length: 500 }, (_, i) => (i === 497 ? 8 : i > 480 ? 16 : 0));
    const rows = { rows: 500, columns: 1, weight: 1, values };
    const first = Uint32Array.from({ length: 100 }, (_, i) => i);
    const { witnesses } = witnessed(exchangeableClusters(model, rows, first), [theta]);
    const added = [...witnesses!].slice(100);
    expect(added).toContain(497);
    expect(added.length).toBe(11);
    expect(added.every((row) => row > 480)).toBe(true);
    const enough = exchangeableClusters(model, { ...rows, values: values.map((_, i) => 8 * (i % 3)) }, first);
    expect(witnessed(enough, [theta])).toBe(enough);
  });

  it("do not decide where blocks claim nothing: these are named as those next to them", () => {
    const rows = { rows: 20, columns: 1, weight: 1, values: new Float64Array(20) };
    const any = exchangeableClusters(model, rows);
    const rng = Rng.seeded(3);
    const orders = [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
      [0, 2, 1],
    ];
    const far = Float64Array.of(4, 1, 0, 0, 40, 0, 80, 0);
    const draws = orders.map((order) =>
      any.reordered(
        far.map((x) => x + 0.1 * normal(rng)),
        order,
      ),
    );
    for (const draw of relabelled(any, draws, far)) expectNear([draw[2], draw[4], draw[6]], [0, 40, 80], 1);
  });
});

describe("the share of a state", () => {
  it("is that of the steps, of an absorbing state that comes late", async () => {
    const rng = Rng.seeded(8);
    let absorbed = 0;
    const sequences = Array.from({ length: 60 }, () => {
      const from = 5 + rng.below(6);
      absorbed += Math.max(0, 10 - from);
      return Float64Array.from({ length: 10 }, (_, t) => (t < from ? 0 : 6) + normal(rng));
    });
    const { states } = await hiddenStates(sequences, { states: 2, emission: { kind: "gaussian" } });
    expect(states[1].share.mean).toBeCloseTo(absorbed / 600, 2);
    expect(states[1].mean![0].mean).toBeGreaterThan(5);
    expect(states[1].share.lower).toBeLessThanOrEqual(absorbed / 600 + 0.005);
  });

  it("is that of the steps, of sequences of one step and of more steps than a draw is asked about", async () => {
    const rng = Rng.seeded(9);
    const single = Array.from({ length: 200 }, (_, s) => Float64Array.of((s < 62 ? 6 : 0) + normal(rng)));
    const one = await hiddenStates(single, { states: 2, emission: { kind: "gaussian" } });
    expect(one.states[0].share.mean).toBeCloseTo(138 / 200, 2);
    const { values } = late(9000, 7300);
    const many = await hiddenStates(values, { states: 4, emission: { kind: "gaussian" }, iterations: 300 });
    expect(many.states[0].share.mean).toBeCloseTo(7300 / 9000, 3);
    expect(many.states.reduce((sum, { share }) => sum + share.mean, 0)).toBeCloseTo(1, 10);
  });
});
