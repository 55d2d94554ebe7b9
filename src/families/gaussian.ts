/** y ~ N(η, σ²), with σ² known or a parameter. */

import { type GaussianScores, gaussianScores } from "../diagnostics/predictive.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { option } from "../wording.js";
import type { Family } from "./family.js";
import { measurementCheck } from "./fit-check.js";
import { measurementInterval, measurementIntervals } from "./observations.js";
import { plainOneVariable } from "./plain.js";
import type { Response } from "./response.js";

export const gaussian: Family<GaussianScores> = {
  name: "gaussian",
  quadratic: true,
  noise: { steps: noiseSteps },
  likelihood: (kernels, noise) => ({
    get dispersion() {
      return noise.variance;
    },
    logLikelihood: (eta, y, n) => -kernels.squaredError(eta, y, n) / (2 * noise.variance),
    change: (d, eta, y, n) => kernels.gaussianChange(d, eta, y, n) / noise.variance,
    score: (out, eta, y, n) => kernels.residual(out, y, eta, n),
    weights: (out, _eta, n) => kernels.fill(out, 1, n),
  }),
  written: (eta, y) => ({
    logLikelihood: `-0.5 * (${y} - ${eta}) * (${y} - ${eta})`,
    score: `${y} - ${eta}`,
    weight: "1",
  }),
  oneVariable: {
    kernel: (kernels) =>
      plainOneVariable(kernels, {
        logDensity: (y, eta) => -0.5 * (y - eta) ** 2,
        score: (y, eta) => y - eta,
        weight: () => 1,
      }),
    rounding: 1e-13,
  },
  response: gaussianResponse,
  logBase: (_y, weight, noiseVariance) => -0.5 * Math.log((2 * Math.PI * noiseVariance) / weight),
  draw: (rng, eta, noiseVariance) => eta + Math.sqrt(noiseVariance) * normal(rng),
  link: (mean) => mean,
  inverseLink: (eta) => eta,
  variance: () => 1,
  departure: (y, mean) => y - mean,
  meanOver: (mean) => mean,
  target: {
    classes: false,
    likely: () => true,
    take: ({ shift }) => ({ scaling: { slope: 1, offset: shift } }),
    remark: ({ counts, most, shift }) =>
      counts && most + shift < 1000
        ? `The target holds whole numbers and was taken for Gaussian; ${option("family", "poisson")} treats them as counts.`
        : undefined,
  },
  prediction: {
    observed: (values) => ({ values }),
    scores: gaussianScores,
    linear: true,
    interval: measurementInterval,
    intervals: measurementIntervals,
    error: (y, eta) => (y - eta) ** 2,
  },
  paper: {
    batch: 200,
    stepSize: 1e-6,
    maxSize: 50,
    weights: "correlation",
    interceptWeight: Math.exp(-1),
    prior: { slabVariance: 25 },
  },
  search: {
    batch: (rows) => Math.min(Math.max(500, Math.ceil(rows / 50)), rows, 5000),
    models: 5,
    // Every round proposes a good share of the columns, of which the weights put the promising ones first.
    moves: (columns) => Math.max(4, Math.min(20, Math.ceil(columns / 500))),
    maxSize: 50,
    births: "walk",
    refreshRows: 5000,
  },
  peers: { penalized: "least squares" },
  check: measurementCheck,
  words: { effectOn: "", error: "squared error" },
};

/** Share of the posterior's own scale that log σ² moves by in a step, and the most it may move at once. */
const NOISE_STEP = 0.1;
const NOISE_LEAP = 0.1;

/**
 * Langevin steps of s = log σ² under p(σ²) ∝ 1/σ²: the gradient is (N/2)(r̄²/σ² − 1), where r̄² is the batch's mean
 * squared residual, and the information N/2.
 */
function noiseSteps(rng: Rng, rows: number): (variance: number, meanSquare: number) => number {
  const noise = Math.sqrt((2 * NOISE_STEP) / rows);
  return (variance, meanSquare) => {
    const drift = 0.5 * NOISE_STEP * (meanSquare / variance - 1);
    const move = Math.max(-NOISE_LEAP, Math.min(NOISE_LEAP, drift + noise * normal(rng)));
    return variance * Math.exp(move);
  };
}

function gaussianResponse(noiseVariance: number): Response {
  return {
    logDensity: (y, eta) => (-0.5 * (y - eta) ** 2) / noiseVariance,
    draw(rng, y, m, v) {
      const share = v / (v + noiseVariance);
      return m + share * (y - m) + Math.sqrt(share * noiseVariance) * normal(rng);
    },
  };
}
