import { describe, expect, it } from "vitest";
import {
  BatchMeans,
  checkFisher,
  checkGradient,
  checkInvariance,
  checkUnbiased,
} from "../../src/conformance.js";
import { type Path, states } from "../../src/latent/states.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { categorical, type Emission } from "../../src/models/emissions.js";
import { gaussian } from "../../src/models/gaussian.js";
import { hmm } from "../../src/models/hmm.js";
import { stretches } from "../../src/sampling/stretches.js";
import type { Stretch } from "../../src/types.js";

const rng = Rng.seeded(1);
const whole = (values: Float64Array, columns: number): Stretch => {
  const rows = values.length / columns;
  return { rows, columns, weight: 1, values, from: 0, to: rows };
};

interface Case {
  readonly name: string;
  readonly emission: Emission;
  readonly columns: number;
  readonly value: () => number;
}
const cases: readonly Case[] = [
  {
    name: "Gaussian",
    emission: gaussian({ columns: 2, covariance: "full" }),
    columns: 2,
    value: () => normal(rng),
  },
  { name: "categorical", emission: categorical({ levels: 3 }), columns: 1, value: () => rng.below(3) },
];

/** P(z_t = k | x) by the textbook recursions, in plain arrays and without the code under test but its parameters. */
function smoothed(transitions: number[][], emissions: number[][]): number[][] {
  const size = transitions.length;
  const normalised = (p: number[]): number[] => {
    const total = p.reduce((a, b) => a + b);
    return p.map((x) => x / total);
  };
  const forward: number[][] = [];
  emissions.forEach((e, t) => {
    const prior =
      t === 0
        ? e.map(() => 1 / size)
        : e.map((_, k) => forward[t - 1].reduce((sum, f, l) => sum + f * transitions[l][k], 0));
    forward.push(normalised(e.map((x, k) => Math.exp(x) * prior[k])));
  });
  let backward = Array<number>(size).fill(1);
  const out: number[][] = [];
  for (let t = emissions.length - 1; t >= 0; t--) {
    out[t] = normalised(forward[t].map((f, k) => f * backward[k]));
    const beyond = emissions[t].map((x, k) => Math.exp(x) * backward[k]);
    backward = normalised(transitions.map((row) => row.reduce((sum, a, k) => sum + a * beyond[k], 0)));
  }
  return out;
}

const rowsOf = (flat: Float64Array, size: number): number[][] =>
  Array.from({ length: flat.length / size }, (_, t) => [...flat.subarray(t * size, (t + 1) * size)]);

describe.each(cases)("a hidden Markov model with $name emissions", ({ emission, columns, value }) => {
  const model = hmm({ states: 3, emission, concentration: 1.2 });
  const kernel = states(model);
  const theta = Float64Array.from(model.names, () => 0.7 * normal(rng));
  const values = Float64Array.from({ length: 4 * columns }, value);
  const batch = whole(values, columns);
  const walk = (path: readonly number[]): Path => ({
    ...kernel.init(rng, theta),
    path: Uint16Array.from(path),
  });

  it("has the gradient of its log joint", () => {
    checkGradient(model, { theta, z: walk([0, 2, 1, 1]), batch });
    checkGradient(model, { theta, z: walk([0, 2, 1, 1]), batch: { ...batch, from: 1, to: 3, weight: 2.5 } });
  });

  it("draws whole paths from their exact joint conditional", () => {
    const steps = [0, 1, 2];
    const paths = steps.flatMap((a) => steps.flatMap((b) => steps.map((c) => walk([a, b, c]))));
    const short = whole(values.subarray(0, 3 * columns), columns);
    const key = (z: Path): string => z.path.slice(0, 3).join();
    checkInvariance(model, kernel, { theta, batch: short, states: paths, key, rng: Rng.seeded(2) });
  });

  it("gives by averaging over paths the gradient of the marginal posterior", () => {
    const logMarginal = (at: Float64Array): number => {
      const z = kernel.init(rng, at);
      kernel.enter(z, at, batch);
      const prior = model.logJoint(at, walk([]), { ...batch, to: 0 });
      return z.logLikelihood + prior;
    };
    checkFisher(model, kernel, { theta, batch, logMarginal, rng: Rng.seeded(3) });
  });

  it("visits states as exact forward-backward says, over 60 steps", () => {
    const long = whole(Float64Array.from({ length: 60 * columns }, value), columns);
    const [transitions, emissions] = [new Float64Array(9), new Float64Array(180)];
    model.transitions(transitions, theta);
    model.logEmissions(emissions, theta, long);
    const exact = smoothed(rowsOf(transitions, 3), rowsOf(emissions, 3));
    const z = kernel.init(rng, theta);
    kernel.enter(z, theta, long);
    const draws = 12_800;
    const seen = exact.map((row) => row.map(() => new BatchMeans(draws)));
    const paths = Rng.seeded(4);
    for (let i = 0; i < draws; i++) {
      kernel.step(paths, z, theta, long);
      seen.forEach((row, t) => void row.forEach((mean, k) => void mean.push(z.path[t] === k ? 1 : 0)));
    }
    // 180 comparisons at 4.5 binomial standard errors: a false alarm in one run of 800.
    exact.forEach((row, t) => {
      row.forEach((p, k) => {
        expect(Math.abs(seen[t][k].mean - p)).toBeLessThan(
          4.5 * Math.sqrt((p * (1 - p)) / draws) + 1 / draws,
        );
      });
    });
  });

  it("has an unbiased gradient when the buffers reach the ends of the chain", () => {
    const all = Float64Array.from({ length: 7 * columns }, value);
    const { count, window } = stretches(all, { columns, length: 3, buffer: 7 });
    const batches = Array.from({ length: count }, (_, last) => window(last));
    const counted = batches.map((b) => [b.from, b.to, b.rows]);
    expect(counted.slice(0, 3)).toEqual([
      [0, 1, 7],
      [0, 2, 7],
      [0, 3, 7],
    ]);
    expect(counted.slice(-3)).toEqual([
      [4, 7, 7],
      [5, 7, 7],
      [6, 7, 7],
    ]);
    checkUnbiased(model, kernel, { theta, batches, whole: whole(all, columns), rng: Rng.seeded(5) });
  });
});

describe.each(cases)("several sequences with $name emissions", ({ emission, columns, value }) => {
  const model = hmm({ states: 3, emission, concentration: 1.2 });
  const kernel = states(model);
  const theta = Float64Array.from(model.names, () => 0.7 * normal(rng));
  const lengths = [3, 1, 4];
  const values = Float64Array.from({ length: 8 * columns }, value);
  const starts = Uint8Array.of(1, 0, 0, 1, 1, 0, 0, 0);
  const together: Stretch = { ...whole(values, columns), starts };
  const apart = lengths.map((length, s) => {
    const from = lengths.slice(0, s).reduce((a, b) => a + b, 0);
    return whole(values.subarray(from * columns, (from + length) * columns), columns);
  });
  const entered = (batch: Stretch): Path => {
    const z = kernel.init(rng, theta);
    kernel.enter(z, theta, batch);
    return z;
  };

  it("have the filters and the likelihood of each by itself: nothing crosses a boundary", () => {
    const all = entered(together);
    const each = apart.map(entered);
    expect([...all.filtered]).toEqual(each.flatMap(({ filtered }) => [...filtered]));
    expect(all.logLikelihood).toBeCloseTo(
      each.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0),
      10,
    );
  });

  it("have no transition from the last state of one to the first of the next", () => {
    const path = [0, 1, 2, 0, 2, 1, 1, 0];
    const at = (z: readonly number[], batch: Stretch): number =>
      model.logJoint(theta, { path: z }, batch) - model.logJoint(theta, { path: [] }, { ...batch, to: 0 });
    let first = 0;
    const sum = apart.reduce((total, one, s) => {
      const own = path.slice(first, first + lengths[s]);
      first += lengths[s];
      return total + at(own, one);
    }, 0);
    expect(at(path, together)).toBeCloseTo(sum, 10);
    checkGradient(model, { theta, z: { path }, batch: together });
  });

  it("draws paths that are independent across a boundary", () => {
    // The last state of the first sequence and the only one of the second: their joint law is the product.
    const z = entered(together);
    const draws = 12_800;
    const seen = Array.from({ length: 9 }, () => new BatchMeans(draws));
    const paths = Rng.seeded(7);
    for (let i = 0; i < draws; i++) {
      kernel.step(paths, z, theta, together);
      seen.forEach((mean, k) => void mean.push(z.path[2] * 3 + z.path[3] === k ? 1 : 0));
    }
    const [left, right] = [z.filtered.subarray(6, 9), z.filtered.subarray(9, 12)];
    // 9 comparisons at 4.5 binomial standard errors: a false alarm in one run of 16,000.
    seen.forEach((mean, k) => {
      const p = left[Math.floor(k / 3)] * right[k % 3];
      expect(Math.abs(mean.mean - p)).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / draws) + 1 / draws);
    });
  });

  it("have an unbiased gradient over all windows, also those that reach over a boundary", () => {
    const { count, window } = stretches(values, { columns, length: 3, buffer: 8, starts });
    const batches = Array.from({ length: count }, (_, last) => window(last));
    checkUnbiased(model, kernel, { theta, batches, whole: together, rng: Rng.seeded(8), draws: 3200 });
  });
});

it("the bias of a stretch without buffers is real, and buffers remove it geometrically", () => {
  // Two sticky states, weakly told apart: breaking the chain loses what the neighbours know.
  const model = hmm({ states: 2, emission: gaussian({ columns: 1, covariance: "diagonal" }) });
  const kernel = states(model);
  const theta = Float64Array.of(2, -2, -0.5, 0, 0.5, 0);
  const draw = Rng.seeded(6);
  let state = 0;
  const values = Float64Array.from({ length: 2000 }, () => {
    if (draw.uniform() < 0.12) state = 1 - state;
    return state - 0.5 + normal(draw);
  });
  const exact = stays(whole(values, 1));
  const errors = [0, 2, 4, 8, 16].map((buffer) => {
    const { window } = stretches(values, { length: 10, buffer });
    const pieces = Array.from({ length: 200 }, (_, b) => stays(window(10 * b + 9))).flat();
    expect(pieces.length).toBe(exact.length);
    return pieces.reduce((sum, p, t) => sum + Math.abs(p - exact[t]), 0);
  });
  expect(errors[0]).toBeGreaterThan(20);
  for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThan(0.7 * errors[i - 1]);
  expect(errors[4]).toBeLessThan(0.005 * errors[0]);

  /** P(z_{t−1} = z_t = 0 | stretch) for each step that counts, by the conditionals that the sampler draws from. */
  function stays(batch: Stretch): number[] {
    const z = kernel.init(draw, theta);
    kernel.enter(z, theta, batch);
    const a = z.transitions;
    // A first step without a predecessor counts as 0.
    const out = batch.from === 0 ? [0] : [];
    const found: number[] = [];
    let law = [z.filtered[2 * (batch.rows - 1)], z.filtered[2 * (batch.rows - 1) + 1]];
    for (let t = batch.rows - 2; t >= 0; t--) {
      const joint = [0, 1].map((k) =>
        [0, 1].map((next) => {
          const weight = [0, 1].map((l) => z.filtered[2 * t + l] * a[2 * l + next]);
          return (law[next] * weight[k]) / (weight[0] + weight[1]);
        }),
      );
      if (t + 1 >= batch.from && t + 1 < batch.to) found.push(joint[0][0]);
      law = joint.map((row) => row[0] + row[1]);
    }
    return [...out, ...found.reverse()];
  }
});

it("the filter has the likelihood of steps that are all but impossible after each other", () => {
  // Two states that hardly ever follow each other, and steps that are sure to come from either in turn.
  const model = hmm({ states: 2, emission: gaussian({ columns: 1, covariance: "full" }) });
  const theta = new Float64Array(model.names.length);
  const rare = -400;
  theta.set([-rare, rare]);
  theta[model.block(0)] = 40;
  theta[model.block(1)] = -40;
  const steps = 40;
  const values = Float64Array.from({ length: steps }, (_, t) => (t % 2 === 0 ? 40 : -40));
  const kernel = states(model);
  const z = kernel.init(rng, theta);
  kernel.enter(z, theta, whole(values, 1));
  // The best path moves at every step; any that stays pays 80² / 2 for a step, more than two moves cost.
  const each = -0.5 * Math.log(2 * Math.PI);
  expect(z.logLikelihood).toBeCloseTo(Math.log(0.5) + steps * each + (steps - 1) * rare, 6);
});
