/** The methods that `compare` can run, each explained in a line. */

import { SparrowError } from "../errors.js";
import type { Family } from "../families/family.js";
import { WORTH_A_MESSAGE } from "../workers/pieces.js";
import { localPool } from "../workers/pool.js";
import { bayesianLassoFit, type PeerFit, rjmhFit, splitMergeFit } from "./bayesian.js";
import { binomialValidator } from "./penalized/binomial.js";
import { crossValidate, gaussianValidator, type Validator } from "./penalized/cross-validation.js";
import { denseCoefficients } from "./penalized/path.js";
import { lasso, mcp, type Penalty, scad } from "./penalized/penalty.js";
import { type Prepared, rowsOf } from "./prepared.js";

export interface PeerMethod {
  readonly explanation: string;
  /** Whether it is offered for such targets. */
  offers(family: Family): boolean;
  fit(prepared: Prepared): Promise<PeerFit>;
}

/** Past so many variables a cross-validated path has long passed its best. */
const MAX_SIZE = 500;
/** Tighter than for a path alone: at 1e-7 a correlated column or two may still be on its way out. */
const TOLERANCE = 1e-9;

const bayesian = ({ quadratic }: Family): boolean => quadratic;
const onPaths = ({ peers }: Family): boolean => peers.penalized !== undefined;

export const PEER_METHODS: Readonly<Record<string, PeerMethod>> = {
  rjmh: {
    explanation: "reversible-jump MCMC on all rows, 5000 iterations; selects what is in more often than not",
    offers: bayesian,
    fit: gaussianOnly("rjmh", (prepared) => rjmhFit(prepared, "auto")),
  },
  sam: {
    explanation: "split-and-merge: the same on five subsets of the columns, then on those that stood out",
    offers: bayesian,
    fit: gaussianOnly("sam", (prepared) => splitMergeFit(prepared, "auto")),
  },
  blasso: {
    explanation: "Bayesian Lasso by Gibbs sampling, 200 iterations; selects standardised effects beyond 0.1",
    offers: bayesian,
    fit: gaussianOnly("blasso", (prepared) => bayesianLassoFit(prepared, "auto")),
  },
  lasso: {
    explanation: "penalty on absolute effects, by 10-fold cross-validation and the one-standard-error rule",
    offers: onPaths,
    fit: penalized(() => lasso),
  },
  mcp: {
    explanation: "minimax concave penalty (γ = 3), chosen like the Lasso; large effects are not shrunk",
    offers: onPaths,
    fit: penalized((curvature) => mcp(3, curvature)),
  },
  scad: {
    explanation: "smoothly clipped absolute deviation (a = 3.7), chosen like the Lasso",
    offers: onPaths,
    fit: penalized((curvature) => scad(3.7, curvature)),
  },
};

function gaussianOnly(name: string, fit: (prepared: Prepared) => Promise<PeerFit>): PeerMethod["fit"] {
  return async (prepared) => {
    const { family } = prepared.target;
    if (bayesian(family)) return fit(prepared);
    throw new SparrowError(`${name} is offered for Gaussian targets only, and this one is ${family.name}.`);
  };
}

function penalized(penaltyOf: (curvature: number) => Penalty): PeerMethod["fit"] {
  return async (prepared) => {
    const { validator, curvature } = await validatorOf(prepared);
    const { signal } = prepared;
    const { path, oneStandardError } = await crossValidate(validator, {
      penalty: penaltyOf(curvature),
      maxSize: MAX_SIZE,
      tolerance: TOLERANCE,
      signal,
    });
    const point = path.points[oneStandardError];
    return {
      selected: [...point.variables],
      coefficients: denseCoefficients(point, prepared.store.layout.columns),
      intercept: point.intercept,
      settings: { lambda: point.lambda, folds: validator.folds, path: path.points.length },
    };
  };
}

/** How a path is validated, and the largest curvature that a row of it can have. */
async function validatorOf(prepared: Prepared): Promise<{
  validator: Validator;
  curvature: number;
}> {
  const { family, scaling } = prepared.target;
  switch (family.peers.penalized) {
    case "least squares":
      return { validator: gaussianValidator(await prepared.folded()), curvature: 1 };
    case "logistic": {
      const rows = rowsOf(prepared, "A penalised path for classes");
      const { folds } = await prepared.folded();
      // A path asks thousands of times: of little data a message would take longer than the answer.
      const { rows: count, columns } = rows.store.layout;
      const pool = count * columns < WORTH_A_MESSAGE ? localPool(rows.store) : rows.pool;
      return { validator: binomialValidator({ ...rows, pool, folds, target: scaling }), curvature: 1 / 4 };
    }
    default:
      throw new SparrowError(
        `Penalised paths are offered for Gaussian and binomial targets, and this one is ${family.name}.`,
      );
  }
}
