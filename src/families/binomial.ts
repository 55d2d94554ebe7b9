/** y ∈ {0, 1} with log-odds η. */

import { type BinomialScores, binomialScores } from "../diagnostics/predictive.js";
import { SparrowError } from "../errors.js";
import { polyaGamma } from "../math/polya-gamma.js";
import { expit, logGamma } from "../math/special.js";
import { option } from "../wording.js";
import { classCheck } from "./class-check.js";
import { PAPER_GLM, SEARCH_GLM } from "./expanded.js";
import type { Family, Observed, TakenTarget, TargetValues } from "./family.js";
import { addLogisticMeans, logisticMean } from "./logistic-means.js";
import { type Exponential, exponentialResponse } from "./response.js";
import { tidy } from "./tidy.js";

const law: Exponential = {
  b: (eta) => Math.max(0, eta) + Math.log1p(Math.exp(-Math.abs(eta))),
  mean: expit,
  variance: (mean) => mean * (1 - mean),
};
const response = exponentialResponse(law);

export const binomial: Family<BinomialScores> = {
  name: "binomial",
  quadratic: false,
  likelihood: (kernels) => ({
    dispersion: 1,
    logLikelihood: kernels.binomialLogLikelihood,
    change: kernels.binomialChange,
    score: kernels.binomialScore,
    weights: kernels.binomialWeights,
  }),
  written(eta, y, { ln }) {
    const mean = `(1 / (1 + exp(-(${eta}))))`;
    return {
      logLikelihood: `${y} * ${eta} - greatest(${eta}, 0e0) - ${ln(`1 + exp(-abs(${eta}))`)}`,
      score: `${y} - ${mean}`,
      weight: `${mean} * (1 - ${mean})`,
    };
  },
  oneVariable: { kernel: (kernels) => kernels.binomialOneVariable, rounding: 1e-6 },
  response: () => response,
  // y is the share of successes in so many trials.
  logBase: (y, trials) =>
    trials === 1 ? 0 : logGamma(trials + 1) - logGamma(trials * y + 1) - logGamma(trials * (1 - y) + 1),
  draw: (rng, eta) => (rng.uniform() < expit(eta) ? 1 : 0),
  link: (mean) => Math.log(mean / (1 - mean)),
  inverseLink: expit,
  check: classCheck,
  variance: law.variance,
  meanOver: logisticMean,
  addMeansOver: addLogisticMeans,
  // Pólya-Gamma weights (Polson, Scott and Windle 2013). Expanded instead, inclusion probabilities in doubt were off
  // by 0.13 at 100 rows and by 0.03 at 400; drawn weights slow a chain down where there are many rows.
  augmentation: {
    mostRows: 10_000,
    weight: polyaGamma,
    score: (y, eta, weight) => y - 0.5 - weight * eta,
  },
  target: {
    classes: true,
    likely: ({ least, most, between }) => between === undefined && most > least,
    take,
    remark: (_, name, success) =>
      `"${name}" has two values: binomial${success === undefined ? "" : `, the probability of ${success}`}.`,
  },
  prediction: {
    observed,
    scores: binomialScores,
    error: (y, eta) => (eta > 0 === (y === 1) ? 0 : 1),
  },
  paper: PAPER_GLM,
  search: SEARCH_GLM,
  peers: { penalized: "logistic" },
  words: { effectOn: "the log odds of ", error: "wrong classes" },
};

function take({ least, most, between, shift }: TargetValues, name: string): TakenTarget {
  const shown = (stored: number) => tidy(stored + shift, most - least);
  if (most > least && between !== undefined) {
    const held = [least, between, most].map(shown).join(", ");
    throw new SparrowError(
      `Column "${name}" must hold two values for ${option("family", "binomial")}, but it holds ${held}; choose another ${option("family")}.`,
    );
  }
  const slope = most > least ? 1 / (most - least) : 1;
  return {
    scaling: { slope, offset: -least * slope },
    classes: [Number(shown(least)), Number(shown(most))],
  };
}

function observed(y: Float64Array, classes: readonly [number, number] | undefined): Observed {
  const [zero, one] = classes ?? [0, 1];
  // The store keeps single precision: so much for equality.
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-5 * Math.abs(one - zero);
  const values = y.map((value) => (near(value, one) ? 1 : near(value, zero) ? 0 : Number.NaN));
  const unfit = values.findIndex(Number.isNaN);
  return unfit < 0 ? { values } : { unfit, wanted: `${zero} or ${one}` };
}
