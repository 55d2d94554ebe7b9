/**
 * Hidden Markov models on a simulated chain of a million steps, and the bias of the stretch estimator by the length of
 * its buffers: `node --import tsx bench/hmm.ts [steps]`.
 */

import { hiddenStates } from "../src/clustering/hidden-states.js";
import { states } from "../src/latent/states.js";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { gaussian } from "../src/models/gaussian.js";
import { hmm } from "../src/models/hmm.js";
import { addSimplexGrad, rowsOf } from "../src/models/simplex.js";
import { stretches } from "../src/sampling/stretches.js";
import type { Stretch } from "../src/types.js";

const steps = Number(process.argv[2] ?? 1e6);
const transitions = [
  [0.95, 0.04, 0.01],
  [0.06, 0.9, 0.04],
  [0.05, 0.1, 0.85],
];
const means = [0, 3, 6];
const sds = [1, 1.5, 1];
const emitted = [
  [0.7, 0.2, 0.05, 0.05],
  [0.1, 0.6, 0.2, 0.1],
  [0.05, 0.05, 0.3, 0.6],
];

function pick(rng: Rng, probabilities: readonly number[]): number {
  let u = rng.uniform();
  let k = 0;
  while (k < probabilities.length - 1 && u >= probabilities[k]) u -= probabilities[k++];
  return k;
}

function simulate(emit: (rng: Rng, state: number) => number): Float64Array {
  const rng = Rng.seeded(1);
  let state = 0;
  return Float64Array.from({ length: steps }, () => {
    state = pick(rng, transitions[state]);
    return emit(rng, state);
  });
}

for (const kind of ["gaussian", "categorical"] as const) {
  const values = simulate((rng, k) =>
    kind === "gaussian" ? means[k] + sds[k] * normal(rng) : pick(rng, emitted[k]),
  );
  const before = process.cpuUsage();
  const found = await hiddenStates(values, {
    states: 3,
    emission: kind === "gaussian" ? { kind } : { kind, levels: 4 },
  });
  const { user, system } = process.cpuUsage(before);
  console.log(`${kind}: ${steps} steps, 3 states: ${((user + system) / 1e6).toFixed(1)} s of CPU`);
  console.log(" ", found.verdict, found.diagnostics);
  found.states.forEach((state, k) => {
    const show = (e: { mean: number; sd: number }, truth: number): string =>
      `${e.mean.toFixed(4)} (${truth}, ${((e.mean - truth) / e.sd).toFixed(1)} sds)`;
    console.log("  moves", state.transitions.map((e, l) => show(e, transitions[k][l])).join("  "));
    if (state.mean) console.log("  mean", show(state.mean[0], means[k]));
    if (state.covariance) console.log("  variance", show(state.covariance[0][0], sds[k] ** 2));
    if (state.probabilities)
      console.log("  emits", state.probabilities.map((e, v) => show(e, emitted[k][v])).join("  "));
  });
}

// The expected gradient at the truth on all stretches, less that on the whole chain, times the posterior's sd: a bias b
// of the gradient moves the mode by about b·sd² = (b·sd) sds. Expectations over paths are exact, by smoothing.
const short = simulate((rng, k) => means[k] / 3 + sds[k] * normal(rng)).subarray(0, 100_000);
const emission = gaussian({ columns: 1, covariance: "diagonal" });
const model = hmm({ states: 3, emission });
const kernel = states(model);
const theta = Float64Array.from([
  ...transitions.flatMap((row) => [Math.log(row[0] / row[2]), Math.log(row[1] / row[2])]),
  ...means.flatMap((mean, k) => [mean / 3, -Math.log(sds[k])]),
]);
const z = kernel.init(Rng.seeded(1), theta);

/** E_z ∇ log p(stretch's own terms | θ). */
function expectedScore(batch: Stretch): Float64Array {
  const out = new Float64Array(theta.length);
  kernel.enter(z, theta, batch);
  const { filtered } = z;
  const a = z.transitions;
  const counts = new Float64Array(9);
  let law = [...filtered.subarray(3 * (batch.rows - 1), 3 * batch.rows)];
  for (let t = batch.rows - 1; t >= 0; t--) {
    const counted = t >= batch.from && t < batch.to;
    if (counted) {
      law.forEach((p, k) => {
        model.blocks[k].unpack(theta);
        model.blocks[k].addGrad(out, p, batch.values, t);
      });
    }
    if (t === 0) break;
    const before = [0, 0, 0];
    law.forEach((p, next) => {
      const share = [0, 1, 2].map((k) => filtered[3 * (t - 1) + k] * a[3 * k + next]);
      const total = share[0] + share[1] + share[2];
      share.forEach((x, k) => {
        before[k] += (p * x) / total;
        if (counted) counts[3 * k + next] += (p * x) / total;
      });
    });
    law = before;
  }
  for (let k = 0; k < 3; k++) addSimplexGrad(out, 2 * k, 1, rowsOf(counts)[k], rowsOf(a.map(Math.log))[k]);
  return out;
}

function scores(length: number, buffer: number): Float64Array[] {
  const { window } = stretches(short, { length, buffer });
  return Array.from({ length: short.length / length }, (_, b) => expectedScore(window((b + 1) * length - 1)));
}
const exact = scores(short.length, 0)[0];
const sd = exact.map((_, j) => 1 / Math.sqrt(scores(100, 100).reduce((sum, s) => sum + s[j] ** 2, 0)));
console.log(
  "largest |bias of the gradient|·(posterior sd), 100,000 weakly separated steps (means 1 apart, sd 1 to 1.5):",
);
for (const length of [20, 100, 1000]) {
  const row = [1, 2, 5, 10, 20, 50].map((buffer) => {
    const all = scores(length, buffer);
    return Math.max(...exact.map((x, j) => Math.abs(all.reduce((sum, s) => sum + s[j], 0) - x) * sd[j]));
  });
  console.log(`  length ${length}: ${row.map((x) => x.toPrecision(2)).join("  ")} (buffers 1 2 5 10 20 50)`);
}
