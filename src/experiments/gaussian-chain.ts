/**
 * A model in which everything that Theorems 1 and 2 of Song et al. (2020) speak of is known in closed form:
 *
 *     x_i = θ + b_i + e_i,   b_i ~ N(0, ½),   e_i ~ N(0, ½),   θ ~ N(0, 1),
 *
 * with b_i latent. The posterior of θ is N(Σx_i/λ, 1/λ), λ = N + 1. Given θ and x_i, x_i − θ − b_i is
 * N(½(x_i − θ), ¼), so with m draws of each b_i the gradient on n of the N rows is
 *
 *     ĝ(θ) = λ(μ − θ) + noise,   Var(noise) = s² = N²/n·(V·(1 − n/N) + 1/m),   V the variance of x over N − 1,
 *
 * whatever θ is, and a Langevin chain θ + ½ε·ĝ + √ε·ξ that starts at θ_0 has, with a_t = 1 − ½ε_t·λ,
 *
 *     E θ_{t+1} − μ = a_t(E θ_t − μ),   Var θ_{t+1} = a_t² Var θ_t + ε_t + ¼ε_t²·s².
 *
 * Its law is normal but for the batches, whose sums are nearly so, and W₂ between normal laws is the distance of
 * (mean, standard deviation).
 */

import { sgld } from "../integrators/sgld.js";
import { normal } from "../math/normal.js";
import { Rng } from "../math/rng.js";
import { rowSample } from "../sampling/row-sample.js";
import { sample } from "../sampling/sample.js";
import type { InnerKernel, Model, Rows, Schedule } from "../types.js";

export interface GaussianChain {
  readonly values: Float64Array;
  /** n and m. */
  readonly batch: number;
  readonly draws: number;
}

export interface NormalLaw {
  readonly mean: number;
  readonly variance: number;
}

export function simulatedValues(rng: Rng, rows: number): Float64Array {
  return Float64Array.from({ length: rows }, () => 0.5 + normal(rng));
}

export function posteriorOf(values: Float64Array): NormalLaw {
  const precision = values.length + 1;
  return { mean: values.reduce((sum, x) => sum + x, 0) / precision, variance: 1 / precision };
}

/** W₂ between two normal laws. */
export const wasserstein = (a: NormalLaw, b: NormalLaw): number =>
  Math.hypot(a.mean - b.mean, Math.sqrt(a.variance) - Math.sqrt(b.variance));

/** s² */
export function gradientNoise({ values, batch, draws }: GaussianChain): number {
  const rows = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / rows;
  const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (rows - 1);
  return (rows ** 2 / batch) * (spread * (1 - batch / rows) + 1 / draws);
}

/** The law that a constant step comes to. */
export function stationaryLaw(chain: GaussianChain, stepSize: number): NormalLaw {
  const { mean, variance } = posteriorOf(chain.values);
  const widened = 1 + (stepSize * gradientNoise(chain)) / 4;
  return { mean, variance: (variance * widened) / (1 - stepSize / (4 * variance)) };
}

/** The laws at t = 1, 2, …, from θ_0 = `start`. */
export function* lawsOf(
  chain: GaussianChain,
  stepSize: (t: number) => number,
  start: number,
): Generator<NormalLaw, never, void> {
  const { mean: centre, variance: own } = posteriorOf(chain.values);
  const noise = gradientNoise(chain);
  let law: NormalLaw = { mean: start, variance: 0 };
  for (let t = 1; ; t++) {
    const step = stepSize(t);
    const keep = 1 - step / (2 * own);
    law = {
      mean: centre + keep * (law.mean - centre),
      variance: keep ** 2 * law.variance + step + (step ** 2 * noise) / 4,
    };
    yield law;
  }
}

/** The sum of the residuals x_i − θ − b_i is all that the gradient needs of z; those of ½(x_i − θ) it is drawn around. */
interface Residuals {
  sum: number;
  centre: number;
}

const model: Model<Residuals, Rows> = {
  names: ["θ"],
  logJoint: ([theta]) => -0.5 * theta ** 2,
  addGrad(out, scale, [theta], { sum }, { weight }) {
    out[0] += scale * (2 * weight * sum - theta);
  },
};

const kernel: InnerKernel<Residuals, Rows> = {
  init: () => ({ sum: 0, centre: 0 }),
  enter(z, [theta], { rows, values }) {
    z.centre = 0;
    for (let i = 0; i < rows; i++) z.centre += 0.5 * (values[i] - theta);
  },
  step(rng, z, _, { rows }) {
    z.sum = z.centre + 0.5 * Math.sqrt(rows) * normal(rng);
    return true;
  },
};

/** θ_1, θ_2, … of `sample` itself. */
export function* simulatedChain(
  seed: number,
  { values, batch, draws }: GaussianChain,
  stepSize: Schedule,
  iterations: number,
  start: number,
): Generator<number, void, void> {
  const settings = {
    model,
    kernel,
    draws,
    stepSize,
    iterations,
    batches: rowSample(values, 1, batch),
    integrator: sgld(),
    theta: Float64Array.of(start),
    rng: Rng.seeded(seed),
  };
  for (const { theta } of sample(settings)) yield theta[0];
}
