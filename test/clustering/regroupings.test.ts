import { expect, it } from "vitest";
import { exactClusters } from "../../src/clustering/chains/cluster-chain.js";
import { mixtureEm, ofGroups } from "../../src/clustering/exact/mixture-exact.js";
import { mixtureMode } from "../../src/clustering/exact/mixture-mode.js";
import { climbing, type Mode } from "../../src/clustering/exact/mode.js";
import { regroupings } from "../../src/clustering/exact/regroupings.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** Thin clusters, each along a diagonal of its own, about centres that are a few of their lengths apart. */
function thin(seed: number, { count = 120, columns = 4, components = 5 } = {}) {
  const rng = Rng.seeded(seed);
  const centres = Array.from({ length: components * columns }, () => normal(rng));
  const signs = Array.from({ length: components * columns }, () => (rng.below(2) ? 0.5 : -0.5));
  const labels = Uint16Array.from({ length: count }, (_, i) => i % components);
  const values = new Float64Array(count * columns);
  labels.forEach((k, i) => {
    const common = normal(rng);
    for (let j = 0; j < columns; j++) {
      const at = k * columns + j;
      values[i * columns + j] = centres[at] + signs[at] * (common + 0.1 * normal(rng));
    }
  });
  const floor = new Array<number>(columns).fill(1e-12);
  const exact = exactClusters({ columns, components, covariance: "full", floor });
  return { exact, labels, rows: { rows: count, columns, weight: 1, values } };
}

function ended(steps: Generator<undefined, Mode, void>): Mode {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

it("a start among thin clusters is no worse than the mode next to the truth", () => {
  let worse = 0;
  for (let seed = 0; seed < 12; seed++) {
    const { exact, rows, labels } = thin(seed);
    const truth = ended(climbing(mixtureEm(exact, rows), ofGroups(exact, rows, labels), 300, exact.shapes));
    const found = ended(mixtureMode(Rng.seeded(seed), exact, rows));
    if (found.value < truth.value - 5) worse += 1;
  }
  expect(worse).toBe(0);
});

it("a regrouping is the truth where two clusters were taken for one, and another one for two", () => {
  const { exact, rows, labels } = thin(1, { columns: 3, components: 3 });
  // Rows of 1 belong to 0, and every other one of 2 takes the name of 1.
  const wrong = labels.map((k, i) => (k === 1 ? 0 : k === 2 && i % 2 === 0 ? 1 : k));
  const climb = (groups: Uint16Array) =>
    ended(climbing(mixtureEm(exact, rows), ofGroups(exact, rows, groups), 300, exact.shapes)).value;
  const found = [...regroupings(Rng.seeded(1), exact.model, rows, ofGroups(exact, rows, wrong))];
  expect(Math.max(...found.map(climb))).toBeGreaterThan(climb(labels) - 0.1);
});

it("of one cluster there is no other grouping, and of many there are not too many", () => {
  for (const [components, columns, most] of [
    [1, 4, 0],
    [2, 3, 4],
    [2, 4, 6],
    [3, 4, 18],
    [12, 4, 90],
  ]) {
    const { exact, rows, labels } = thin(2, { components, columns });
    const found = [...regroupings(Rng.seeded(1), exact.model, rows, ofGroups(exact, rows, labels))];
    expect(found.length).toBeLessThanOrEqual(most);
    expect(found.length).toBeGreaterThanOrEqual(components === 1 ? 0 : 2);
    for (const groups of found) expect(new Set(groups).size).toBe(components);
  }
});
