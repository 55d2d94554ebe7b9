import type { StoredRun } from "../../src/report/stored-run.js";
import type { FitResult, VariableSummary } from "../../src/selection/answer/result.js";

export const variable = (name: string, pip: number, mean: number): VariableSummary => ({
  ...{ name, pip, pipError: 0, mean: pip * mean, sd: 0.1, meanIfIncluded: mean, signProbability: 0.99 },
  lower: pip > 0.975 ? mean - 0.2 : Math.min(0, mean - 0.2),
  upper: pip > 0.975 ? mean + 0.2 : Math.max(0, mean + 0.2),
  lowerIfIncluded: mean - 0.2,
  upperIfIncluded: mean + 0.2,
  selected: pip > 0.5,
});

/** A small result with every field, changed as a test wants. */
export function exampleResult(changes: Partial<FitResult> = {}): FitResult {
  return {
    ...{ family: "gaussian", rows: 1234, columns: 2000, target: "y", preset: "auto", seed: 1 },
    variables: [variable("alpha", 1, 2), variable("beta", 0.8, -1), variable("gamma", 0.2, 0.5)],
    intercept: { mean: 0.5, sd: 0.1, lower: 0.3, upper: 0.7 },
    modelSize: {
      mean: 2,
      lower: 1,
      upper: 3,
      prior: [0.5, 0.3, 0.15, 0.05],
      posterior: [0, 0.15, 0.7, 0.15],
    },
    models: [
      { variables: ["alpha", "beta"], probability: 0.7 },
      { variables: ["alpha"], probability: 0.1 },
    ],
    credibleSets: [
      { variables: ["alpha"], probability: 1 },
      { variables: ["beta", "gamma"], probability: 0.96 },
    ],
    pairs: [{ variables: ["alpha", "beta"], probability: 0.8 }],
    falseDiscovery: { rate: 0.05, expected: 0.01, variables: ["alpha"] },
    verdict: "No problems found.",
    noiseVariance: { mean: 1, lower: 0.9, upper: 1.1 },
    certificate: {
      ...{ complete: true, candidates: 3, threshold: 0.002, massOutside: 0.01 },
      largestOutside: { name: "z1075", pip: 0.0003 },
      groups: {
        variables: 1998,
        weighed: 2,
        largestOutside: { variables: ["z7", "z8"], probability: 0.0001 },
      },
      overall: { pValue: 0.4, share: 0.01, somethingLeft: false },
    },
    diagnostics: { warnings: [] },
    timing: { read: 1, polish: 0.1 },
    settings: { posterior: "enumerated", slab: "independent", slabVariance: 1, modelPrior: "inclusion" },
    ...changes,
  };
}

/** The same as a run folder would hold it. */
export function exampleRun(changes: Partial<FitResult> = {}): StoredRun {
  const { timing, ...result } = exampleResult(changes);
  const columns = result.variables.map(({ name }) => name);
  return {
    ...{ result, timing },
    record: {
      ...{ version: "0.0.0", seed: result.seed, draws: "independent" },
      data: { name: "data.csv", rows: result.rows, columns, checksum: "0123456789abcdef" },
      options: { target: result.target },
      settings: result.settings,
    },
  };
}
