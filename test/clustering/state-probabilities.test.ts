import { expect, it } from "vitest";
import { stateProbabilities } from "../../src/clustering/state-probabilities.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { gaussian } from "../../src/models/gaussian.js";
import { hmm } from "../../src/models/hmm.js";

it("state probabilities are those of all paths, listed, averaged over draws by weight", () => {
  const rng = Rng.seeded(1);
  const model = hmm({ states: 3, emission: gaussian({ columns: 1, covariance: "diagonal" }) });
  const draws = [0, 1].map(() => Float64Array.from(model.names, () => normal(rng)));
  const weights = Float64Array.of(0.25, 0.75);
  const values = Float64Array.from({ length: 4 }, () => normal(rng));
  const sequence = { rows: 4, columns: 1, weight: 1, values, from: 0, to: 4 };
  const found = stateProbabilities(model, { chains: [[draws[0]], [draws[1]]], weights }, sequence);

  const expected = new Float64Array(12);
  draws.forEach((theta, d) => {
    const paths = Array.from({ length: 81 }, (_, code) =>
      [0, 1, 2, 3].map((t) => Math.floor(code / 3 ** t) % 3),
    );
    const masses = paths.map((path) => Math.exp(model.logJoint(theta, { path }, sequence)));
    const total = masses.reduce((a, b) => a + b);
    paths.forEach((path, i) => {
      path.forEach((k, t) => {
        expected[3 * t + k] += (weights[d] * masses[i]) / total;
      });
    });
  });
  found.forEach((p, i) => void expect(p).toBeCloseTo(expected[i], 12));
});
