/** y a count with log-mean η. */

import { type PoissonScores, poissonScores } from "../diagnostics/predictive.js";
import { SparrowError } from "../errors.js";
import { logGamma } from "../math/special.js";
import { poisson as poissonVariate } from "../math/variates.js";
import { option } from "../wording.js";
import { PAPER_GLM, SEARCH_GLM } from "./expanded.js";
import type { Family } from "./family.js";
import { countCheck } from "./fit-check.js";
import { countInterval, countIntervals } from "./observations.js";
import { exponentialResponse } from "./response.js";
import { tidy } from "./tidy.js";

const mean = (eta: number): number => Math.exp(Math.min(700, eta));
const response = exponentialResponse({ b: mean, mean, variance: (mu) => mu });

export const poisson: Family<PoissonScores> = {
  name: "poisson",
  quadratic: false,
  likelihood: (kernels) => ({
    dispersion: 1,
    logLikelihood: kernels.poissonLogLikelihood,
    change: kernels.poissonChange,
    score: kernels.poissonScore,
    weights: kernels.poissonWeights,
  }),
  written(eta, y) {
    const mean = `exp(least(700, ${eta}))`;
    return { logLikelihood: `${y} * ${eta} - ${mean}`, score: `${y} - ${mean}`, weight: mean };
  },
  oneVariable: { kernel: (kernels) => kernels.poissonOneVariable, rounding: 1e-13 },
  response: () => response,
  logBase: (y) => -logGamma(y + 1),
  draw: (rng, eta) => poissonVariate(rng, Math.exp(eta)),
  link: Math.log,
  inverseLink: mean,
  variance: (mu) => mu,
  departure,
  meanOver: (eta, sd) => mean(eta + 0.5 * sd * sd),
  target: {
    classes: false,
    likely: ({ counts }) => counts?.areCounts === true,
    take({ counts, least, most, shift }, name) {
      if (counts) return { scaling: { slope: 1, offset: shift } };
      const bad = least + shift < -0.5 ? tidy(least + shift, most - least) : "numbers with a fraction";
      throw new SparrowError(
        `Column "${name}" must hold counts for ${option("family", "poisson")}, but it holds ${bad}; choose another ${option("family")}.`,
      );
    },
    remark: ({ most, shift }, name) =>
      `"${name}" holds whole numbers from 0 to ${Math.round(most + shift)}, most of them small, as counts do: poisson; ${option("family", "gaussian")} takes them for measurements.`,
  },
  prediction: {
    observed(y) {
      const unfit = y.findIndex((value) => value < 0);
      return unfit < 0 ? { values: y } : { unfit, wanted: "a count" };
    },
    // A mean of exactly zero comes of underflow only.
    scores: (y, mu) =>
      poissonScores(
        y,
        mu.map((m) => Math.max(m, Number.MIN_VALUE)),
      ),
    interval: countInterval,
    intervals: countIntervals,
    error: (y, eta) => (y - Math.exp(eta)) ** 2,
  },
  paper: PAPER_GLM,
  search: SEARCH_GLM,
  peers: {},
  check: (_, remedy) => countCheck(mean, remedy),
  words: {
    effectOn: "the log of the mean of ",
    error: "squared error",
  },
};

/** Anscombe's residual (1953), half a count nearer to the mean: the tails of few counts are right to some tenths. */
function departure(y: number, mu: number): number {
  const nearer = y > mu ? Math.max(mu, y - 0.5) : Math.min(mu, y + 0.5);
  return (1.5 * (nearer ** (2 / 3) - mu ** (2 / 3))) / mu ** (1 / 6);
}
