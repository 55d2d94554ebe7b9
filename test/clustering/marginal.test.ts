import { expect, it } from "vitest";
import { marginalHmm, marginalMixture } from "../../src/clustering/marginal.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { hmm } from "../../src/models/hmm.js";
import { mixture } from "../../src/models/mixture.js";

const rng = Rng.seeded(1);
const emission = gaussian({ columns: 2, covariance: "full" });
const values = Float64Array.from({ length: 12 }, () => normal(rng));
/** All ways to give each of six rows one of two labels. */
const every = Array.from({ length: 64 }, (_, code) => [0, 1, 2, 3, 4, 5].map((i) => (code >> i) & 1));

/** log Σ exp, and the average of vectors with weights ∝ exp. */
function averaged(logs: readonly number[], of: readonly Float64Array[]) {
  const total = logs.reduce((sum, log) => sum + Math.exp(log), 0);
  const mean = new Float64Array(of[0].length);
  of.forEach((vector, i) => {
    for (let j = 0; j < mean.length; j++) mean[j] += (Math.exp(logs[i]) / total) * vector[j];
  });
  return { log: Math.log(total), mean };
}

function expectClose(ours: Float64Array, theirs: Float64Array): void {
  ours.forEach((x, j) => void expect(x).toBeCloseTo(theirs[j], 9));
}

it("a mixture without its labels is the sum over all labels, and its gradient the average", () => {
  const model = mixture({ components: 2, emission });
  const theta = Float64Array.from(model.names, () => 0.5 * normal(rng));
  const batch = { rows: 6, columns: 2, weight: 1, values };
  const gradient = (labels: number[], weight: number): Float64Array => {
    const out = new Float64Array(theta.length);
    model.addGrad(out, 0.5, theta, { labels }, { ...batch, weight });
    return out;
  };
  const logs = every.map((labels) => model.logJoint(theta, { labels }, batch));
  const { log } = averaged(
    logs,
    logs.map(() => theta),
  );
  const marginal = marginalMixture(model);
  expect(marginal.logJoint(theta, null, batch)).toBeCloseTo(log, 10);
  for (const weight of [1, 7]) {
    const out = new Float64Array(theta.length);
    marginal.addGrad(out, 0.5, theta, null, { ...batch, weight });
    expectClose(
      out,
      averaged(
        logs,
        every.map((labels) => gradient(labels, weight)),
      ).mean,
    );
  }
});

it.each([
  ["one sequence", undefined],
  ["two sequences", Uint8Array.of(1, 0, 0, 0, 1, 0)],
])(
  "a hidden Markov model without its path is the sum over all paths, on %s and inside buffers",
  (_, starts) => {
    const model = hmm({ states: 2, emission });
    const theta = Float64Array.from(model.names, () => 0.5 * normal(rng));
    const whole = { rows: 6, columns: 2, weight: 1, values, from: 0, to: 6, ...(starts && { starts }) };
    const logs = every.map((path) => model.logJoint(theta, { path }, whole));
    const marginal = marginalHmm(model);
    // The first state of a sequence is uniform on two.
    const uniform = (starts ? 2 : 1) * Math.log(2);
    expect(marginal.logJoint(theta, null, whole)).toBeCloseTo(
      averaged(
        logs,
        logs.map(() => theta),
      ).log - uniform,
      10,
    );
    for (const batch of [whole, { ...whole, from: 2, to: 5, weight: 7 }]) {
      const out = new Float64Array(theta.length);
      marginal.addGrad(out, 0.5, theta, null, batch);
      const ofPaths = every.map((path) => {
        const gradient = new Float64Array(theta.length);
        model.addGrad(gradient, 0.5, theta, { path }, batch);
        return gradient;
      });
      expectClose(out, averaged(logs, ofPaths).mean);
    }
  },
);
