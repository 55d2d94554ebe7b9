import { expect, it } from "vitest";
import type { RjmhOutput, RjmhPlan } from "../../src/peers/rjmh.js";
import { splitAndMerge } from "../../src/peers/split-merge.js";

const COLUMNS = 11;
const INTERCEPT = COLUMNS;
const whole: RjmhPlan = {
  seed: 1,
  stream: 0,
  iterations: 5000,
  burnIn: 2000,
  thin: 10,
  variables: Array.from({ length: COLUMNS + 1 }, (_, j) => j),
  weights: Float64Array.from({ length: COLUMNS + 1 }, (_, j) => 0.1 + 0.05 * j),
  inclusion: 0.01,
  maxSize: 50,
  slabVariance: 25,
  noiseVariance: 1,
  freedom: 100,
};

/** A sampler that finds the variables of `inclusion` and has their numbers for coefficients. */
function runner(inclusion: Record<number, number>) {
  const rounds: RjmhPlan[][] = [];
  const run = async (plans: readonly RjmhPlan[]): Promise<RjmhOutput[]> => {
    rounds.push([...plans]);
    return plans.map(({ variables, iterations }) => ({
      iterations,
      inclusion: Float64Array.from(variables, (j) => inclusion[j] ?? 0),
      mean: Float64Array.from(variables, (j) => (inclusion[j] ? j : 0)),
      noiseVariance: 1,
      acceptance: 0.5,
      meanSize: 1,
    }));
  };
  return { rounds, run };
}

it("every predictor is in one subset and the intercept in each, with the prior of the subset's size", async () => {
  const { rounds, run } = runner({ 2: 0.9, 7: 0.31, 8: 0.3 });
  const output = await splitAndMerge(run, whole, (size) => 1 / size, { everywhere: [INTERCEPT] });
  const [split, [merged]] = rounds;
  expect(split).toHaveLength(5);
  const predictors = split.flatMap(({ variables }) => variables.filter((j) => j !== INTERCEPT));
  expect(predictors).toEqual(whole.variables.slice(0, COLUMNS));
  for (const { variables, weights, inclusion, iterations, burnIn } of split) {
    expect(variables).toContain(INTERCEPT);
    expect([...weights]).toEqual(variables.map((j) => whole.weights[j]));
    expect({ inclusion, iterations, burnIn }).toEqual({ inclusion: 1 / 4, iterations: 2500, burnIn: 1000 });
  }
  expect(new Set([...split, merged].map(({ stream }) => stream)).size).toBe(6);
  // 0.3 itself does not stand out.
  expect(merged.variables).toEqual([2, 7, INTERCEPT]);
  expect(merged.inclusion).toBe(1 / 4);
  expect(output.merged).toEqual([2, 7, INTERCEPT]);
  expect(output.inclusion[2]).toBe(0.9);
  expect(output.mean[7]).toBe(7);
  expect(output.mean[8]).toBe(0);
});

it("nothing that stands out is an empty answer, not a failure", async () => {
  const { rounds, run } = runner({});
  const plan = { ...whole, variables: [0, 1, 2], weights: whole.weights.slice(0, 3) };
  const output = await splitAndMerge(run, plan, () => 0.1);
  expect(rounds).toHaveLength(1);
  expect(rounds[0]).toHaveLength(3);
  expect([...output.inclusion]).toEqual([0, 0, 0]);
});
