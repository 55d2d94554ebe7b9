import { describe, expect, it } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { resultText } from "../../../src/report/text/result.js";
import { credibleSets } from "../../../src/selection/answer/credible-sets.js";
import type { SufficientStatistics } from "../../../src/selection/posterior/evidence.js";
import type { ModelWeights } from "../../../src/selection/posterior/model-weights.js";
import { fixed } from "../../../src/selection/posterior/slab.js";
import { inner } from "../../dense.js";
import { fitRegression } from "../fit-arrays.js";
import { centred, type Regression } from "../problems.js";

/** One effect seen through many columns, x_j = x + a little noise, beside columns that have nothing to do with it. */
function spread(substitutes: number, others: number, rows: number, seed: number): Regression {
  const rng = Rng.seeded(seed);
  const x = Array.from({ length: rows }, () => normal(rng));
  const columns = Array.from({ length: substitutes + others }, (_, j) =>
    j < substitutes ? x.map((value) => value + 0.02 * normal(rng)) : x.map(() => normal(rng)),
  );
  return { columns, y: x.map((value) => 0.5 * value + normal(rng)) };
}

const LAMBDA = 1e-4;

/**
 * The posterior over the models that hold one substitute: each as likely before the data as the next, with slab
 * N(0, σ²) in standard units, σ² unknown. Two at once cost another factor of λ/(1 − λ) and explain nothing more.
 */
function shares({ columns, y }: Regression, substitutes: number): number[] {
  const target = centred(y);
  const logs = columns.slice(0, substitutes).map((values) => {
    const c = centred(values);
    const sd = Math.sqrt(inner(c, c) / (c.length - 1));
    const x = c.map((value) => value / sd);
    const [g, b] = [inner(x, x), inner(x, target)];
    return (
      -0.5 * Math.log(1 + g) - 0.5 * (y.length - 1) * Math.log(inner(target, target) - (b * b) / (g + 1))
    );
  });
  const top = Math.max(...logs);
  const total = logs.reduce((sum, log) => sum + Math.exp(log - top), 0);
  return logs.map((log) => Math.exp(log - top) / total);
}

describe.each([5, 20, 40, 100])("an effect that is spread over %i substitutes", (many) => {
  const data = spread(many, 20, 400, many);
  const options = { priorInclusion: LAMBDA, slabVariance: 1, modelPrior: "inclusion", threads: 1 } as const;

  it("is one set with all of the mass, as the models of one variable say", async () => {
    const result = await fitRegression(data, options);
    const truth = shares(data, many);
    const set = result.credibleSets?.[0];
    expect(result.credibleSets).toHaveLength(1);
    const whole = set?.group ?? { count: set?.variables.length, probability: set?.probability };
    expect(whole.count).toBe(many);
    expect(whole.probability).toBeGreaterThan(0.998);
    const held = set!.variables.reduce((sum, name) => sum + truth[Number(name.slice(1))], 0);
    // Of n equal ones with error s the luckiest 0.95 are overstated by n·s·φ(1.64) = 0.1·n·s: twice that is allowed.
    const errors = result.variables.reduce((sum, { pipError }) => sum + pipError, 0);
    expect(Math.abs(set!.probability - held)).toBeLessThan(0.002 + 0.2 * errors);
    expect(errors).toBeLessThan(0.2);
    expect(set!.probability).toBeGreaterThanOrEqual(0.95);
    // The fewest that do: the most probable ones, and not one more.
    const ranked = [...truth].sort((a, b) => b - a);
    let [fewest, reached] = [0, 0];
    while (reached < 0.95) reached += ranked[fewest++];
    expect(Math.abs(set!.variables.length - fewest)).toBeLessThanOrEqual(Math.ceil(0.02 * many));
  });

  it("is told beside a model size of one, where no single variable is selected", async () => {
    const result = await fitRegression(data, options);
    expect(result.modelSize.mean).toBeCloseTo(1, 1);
    const text = resultText(result).replace(/\s+/g, " ");
    const selected = result.variables.some((variable) => variable.selected);
    if (!selected) {
      expect(text).toMatch(
        new RegExp(`Of ${many} correlated variables that share an effect, x\\d+ and others, at least one`),
      );
    }
    expect(text).toMatch(/at least one of (them|these \d+) is in/);
    expect(selected && many >= 20).toBe(false);
  });
});

/** Candidates with given correlations; only those matter here. */
function correlated(matrix: readonly (readonly number[])[]): SufficientStatistics {
  return {
    size: matrix.length,
    gram: Float64Array.from(matrix.flat()),
    cross: new Float64Array(matrix.length),
    targetSquares: 1,
    freedom: 10,
  };
}

function weightsOf(
  size: number,
  models: readonly { readonly members: readonly number[]; readonly probability: number }[],
): ModelWeights {
  const inclusion = new Float64Array(size);
  for (const { members, probability } of models) for (const j of members) inclusion[j] += probability;
  return {
    exact: true,
    models,
    inclusion,
    inclusionError: new Float64Array(size),
    size: Float64Array.of(0, 1),
    slab: fixed({ kind: "independent", scale: 1 }),
    scale: Float64Array.of(1),
  };
}

const ALIKE = (size: number) =>
  Array.from({ length: size }, (_, a) => Array.from({ length: size }, (_, b) => (a === b ? 1 : 0.9)));

describe("a credible set", () => {
  it("takes its probability from all models, also from many that are improbable", () => {
    // 3,000 companions that have nothing to do with it, one to a model: none of the models stands out.
    const size = 3002;
    const matrix = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (_, b) => (a === b ? 1 : a < 2 && b < 2 ? 0.9 : 0)),
    );
    const models = Array.from({ length: 3000 }, (_, m) => ({
      members: [m % 3 === 0 ? 0 : 1, m + 2],
      probability: 0.97 / 3000,
    }));
    const [set, ...more] = credibleSets(
      weightsOf(size, [...models, { members: [], probability: 0.03 }]),
      correlated(matrix),
    );
    expect(more).toEqual([]);
    expect(set.members).toEqual([1, 0]);
    expect(set.probability).toBeCloseTo(0.97, 12);
  });

  it("does not take in what is as likely beside the others as without them", () => {
    const models = [
      { members: [0], probability: 0.48 },
      { members: [1], probability: 0.42 },
      { members: [0, 2], probability: 0.04 },
      { members: [1, 2], probability: 0.03 },
      { members: [], probability: 0.03 },
    ];
    const [set] = credibleSets(weightsOf(3, models), correlated(ALIKE(3)));
    expect(set.members).toEqual([0, 1]);
    expect(set.probability).toBeCloseTo(0.97, 12);
    expect(set.group.count).toBe(2);
  });

  it("is none where substitutes together do not reach 0.95", () => {
    const models = [
      { members: [0], probability: 0.5 },
      { members: [1], probability: 0.44 },
      { members: [], probability: 0.06 },
    ];
    expect(credibleSets(weightsOf(2, models), correlated(ALIKE(2)))).toEqual([]);
  });

  it("agrees with counting models one by one, whatever they are", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const rng = Rng.seeded(seed);
      const raw = Array.from({ length: 40 }, () => ({
        members: Array.from({ length: 6 }, (_, j) => j).filter(() => rng.uniform() < 0.4),
        probability: rng.uniform(),
      }));
      const total = raw.reduce((sum, { probability }) => sum + probability, 0);
      const models = raw.map(({ members, probability }) => ({ members, probability: probability / total }));
      for (const { members, probability, group } of credibleSets(
        weightsOf(6, models),
        correlated(ALIKE(6)),
      )) {
        const counted = models
          .filter((model) => members.some((j) => model.members.includes(j)))
          .reduce((sum, model) => sum + model.probability, 0);
        expect(probability).toBeCloseTo(counted, 10);
        expect(group.count).toBeGreaterThanOrEqual(members.length);
        expect(group.probability).toBeGreaterThanOrEqual(probability - 1e-12);
      }
    }
  });
});
