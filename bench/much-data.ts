/**
 * Are the posteriors of much data as wide as they should be? Many simulated data sets, each fitted by itself: the
 * distance of estimate and truth in posterior sds must have sd 1, and 95% intervals hold the truth 95 times in 100.
 * `node --import tsx bench/much-data.ts [data sets] [rows]`.
 */

import { clusters } from "../src/clustering/clusters.js";
import { hiddenStates } from "../src/clustering/hidden-states.js";
import type { Estimate } from "../src/clustering/sampled.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";

const sets = Number(process.argv[2] ?? 20);
const rows = Number(process.argv[3] ?? 50_000);
const weights = [0.5, 0.3, 0.2];

function report(name: string, all: readonly (readonly [Estimate, number])[], rhats: readonly number[]): void {
  const z = all.map(([{ mean, sd }, truth]) => (mean - truth) / sd);
  const width = Math.sqrt(z.reduce((sum, x) => sum + x * x, 0) / z.length);
  const held = all.filter(([{ lower, upper }, truth]) => lower <= truth && truth <= upper).length;
  console.log(
    `${name}: ${sets} × ${rows}, ${z.length} estimates: sd of (estimate − truth)/sd ${width.toFixed(3)}, 95% intervals hold ${((100 * held) / z.length).toFixed(1)}%, R-hat at most ${Math.max(...rhats).toFixed(3)}`,
  );
}

const found: [Estimate, number][] = [];
const rhats: number[] = [];
for (let set = 1; set <= sets; set++) {
  // Three clusters in a row, two sds apart: a tenth of the labels are in doubt.
  const rng = Rng.seeded(set);
  const values = new Float64Array(2 * rows);
  for (let i = 0; i < rows; i++) {
    const u = rng.uniform();
    const k = u < weights[0] ? 0 : u < weights[0] + weights[1] ? 1 : 2;
    values[2 * i] = 3 * k + (1 + 0.25 * k) * normal(rng);
    values[2 * i + 1] = 0.5 * (values[2 * i] - 3 * k) + normal(rng);
  }
  const fit = await clusters(values, { columns: 2, components: 3, seed: set });
  rhats.push(fit.diagnostics.rhat!);
  fit.clusters.forEach(({ weight, mean, covariance }, k) => {
    const v = (1 + 0.25 * k) ** 2;
    found.push([weight, weights[k]], [mean[0], 3 * k], [mean[1], 0]);
    found.push([covariance[0][0], v], [covariance[0][1], 0.5 * v], [covariance[1][1], 1 + 0.25 * v]);
  });
}
report("clusters", found, rhats);

found.length = 0;
rhats.length = 0;
for (let set = 1; set <= sets; set++) {
  const rng = Rng.seeded(1000 + set);
  const leave = [0.05, 0.1];
  let state = 0;
  const values = Float64Array.from({ length: rows }, () => {
    if (rng.uniform() < leave[state]) state = 1 - state;
    return 1.5 * state + normal(rng);
  });
  const fit = await hiddenStates(values, { states: 2, emission: { kind: "gaussian" }, seed: set });
  rhats.push(fit.diagnostics.rhat!);
  fit.states.forEach(({ transitions, mean, covariance }, k) => {
    found.push([transitions[1 - k], leave[k]], [mean![0], 1.5 * k], [covariance![0][0], 1]);
  });
}
report("states", found, rhats);
