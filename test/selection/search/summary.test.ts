import { expect, it } from "vitest";
import { searchDiagnostics } from "../../../src/selection/search/diagnostics.js";
import { summarizeSearch } from "../../../src/selection/search/summary.js";
import type { ChainOutput } from "../../../src/selection/search/types.js";

/** Four draws: a = 2, a = 4 with b = −1, nothing, a = 5. */
function chain(weight?: Float64Array): ChainOutput {
  return {
    iterations: 4,
    models: 8,
    inclusion: Float64Array.of(6, 2, 0),
    last: { members: Uint32Array.of(0), values: Float64Array.of(5), noiseVariance: 1 },
    sizes: Float64Array.of(1, 2, 0, 1),
    draws: {
      iteration: Uint32Array.of(1, 2, 3, 4),
      start: Uint32Array.of(0, 1, 3, 3, 4),
      variable: Uint32Array.of(0, 0, 1, 0),
      value: Float64Array.of(2, 4, -1, 5),
      ...(weight && { weight }),
    },
  };
}
const names = ["a", "b", "c"];

it("effects, intervals and sizes weigh each draw as its chain does", () => {
  const { variables, modelSize } = summarizeSearch(
    [chain(Float64Array.of(4, 1, 2, 1))],
    names,
    new Float64Array(3),
  );
  const [a, b, c] = variables;
  expect([a.name, b.name, c.name]).toEqual(names);
  expect([a.pip, b.pip, c.pip]).toEqual([0.75, 0.25, 0]);
  expect(a.mean).toBeCloseTo((4 * 2 + 4 + 5) / 8, 12);
  expect(a.sd).toBeCloseTo(Math.sqrt((4 * 4 + 16 + 25) / 8 - (17 / 8) ** 2), 12);
  expect(a.meanIfIncluded).toBeCloseTo(17 / 6, 12);
  expect([a.signProbability, b.signProbability]).toEqual([1, 1]);
  // 0, 2, 4, 5 with weights 2, 4, 1, 1: the middles are 3, 2.5 and 1 apart.
  expect(a.lower).toBeCloseTo((0.025 * 6.5 * 2) / 3, 12);
  expect(a.upper).toBeCloseTo(5 - 0.025 * 6.5, 12);
  // Without the zero: 2, 4, 5 with weights 4, 1, 1, whose middles are 2.5 and 1 apart.
  expect(a.lowerIfIncluded).toBeCloseTo(2 + (0.025 * 3.5 * 2) / 2.5, 12);
  expect(a.upperIfIncluded).toBeCloseTo(5 - 0.025 * 3.5, 12);
  expect([c.lowerIfIncluded, c.upperIfIncluded]).toEqual([0, 0]);
  expect([c.mean, c.sd, c.lower, c.upper, c.meanIfIncluded, c.signProbability]).toEqual([0, 0, 0, 0, 0, 0.5]);
  expect(modelSize.mean).toBeCloseTo((4 + 2 + 1) / 8, 12);
});

it("draws of equal weight give the plain averages, whatever the weight", () => {
  const plain = summarizeSearch([chain()], names, new Float64Array(3));
  const alike = summarizeSearch([chain(new Float64Array(4).fill(1e-6))], names, new Float64Array(3));
  const numbers = ({ variables, modelSize }: typeof plain) => [
    ...variables.flatMap(({ mean, sd, lower, upper }) => [mean, sd, lower, upper]),
    ...[modelSize.mean, modelSize.lower, modelSize.upper],
  ];
  numbers(plain).forEach((number, k) => void expect(numbers(alike)[k]).toBeCloseTo(number, 12));
});

it("uneven weights are worth fewer draws, so errors are larger", () => {
  const draws = 400;
  const bits = Array.from({ length: draws }, (_, d) => Math.imul(d + 1, 0x9e3779b1) >>> 31);
  const start = Uint32Array.from({ length: draws + 1 }, (_, d) => bits.slice(0, d).filter(Boolean).length);
  const entries = start[draws];
  const one = {
    ...{ iterations: draws, models: draws, inclusion: new Float64Array(1) },
    last: { members: new Uint32Array(0), values: new Float64Array(0), noiseVariance: 1 },
    sizes: Float64Array.from(bits),
    draws: {
      iteration: Uint32Array.from(bits.keys()),
      ...{ start, variable: new Uint32Array(entries), value: new Float64Array(entries).fill(1) },
    },
  };
  const weight = Float64Array.from({ length: draws }, (_, d) => (d % 2 === 0 ? 1 : 3));
  const plain = searchDiagnostics([one], 1);
  const uneven = searchDiagnostics([{ ...one, draws: { ...one.draws, weight } }], 1);
  // (Σw)²/(nΣw²) = 2²/5
  expect(uneven.ess! / plain.ess!).toBeCloseTo(0.8, 12);
  expect(uneven.inclusionError[0] / plain.inclusionError[0]).toBeCloseTo(Math.sqrt(1 / 0.8), 12);
});
