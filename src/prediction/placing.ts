/** Linear predictors of many rows, one model after the other, by a kernel. */

import { chainBuffer, chainKernels, Region } from "../kernels/chain-memory.js";
import { laidOut } from "../kernels/laid-out.js";
import type { PredictorModel } from "./predictor.js";

/** A model at the base row. */
export interface Prepared {
  readonly model: PredictorModel;
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  readonly eta: number;
  readonly variance: number;
  /** V(r − c). */
  readonly tilt: Float64Array;
}

/** By what rows differ from the base: the variables of row r stand from starts[r] on. */
export interface Differences {
  readonly starts: Int32Array;
  readonly variables: Int32Array;
  readonly away: Float64Array;
}

/** Writes mean and variance of every row under a model, two numbers each; `place` is where that has each variable. */
export type PlaceRows = (model: Prepared, place: Int32Array, law: Float64Array) => void;

const region = new Region();

/** For rows that differ so from the base; one set of rows at a time. */
export function placing({ starts, variables, away }: Differences, width: number): PlaceRows {
  const n = starts.length - 1;
  const entries = starts[n];
  const ofRows = laidOut(0, [2 * n, entries], [starts.length, entries]);
  region.hold(ofRows.end);
  const [law, aways, begins, which] = ofRows.at;
  put(away.subarray(0, entries), aways);
  put(starts, begins);
  put(variables.subarray(0, entries), which);
  return ({ eta, variance, model, mean, covariance, tilt }, place, out) => {
    const k = model.members.length;
    const ofModel = laidOut(ofRows.end, [k, k, k * k, k], [width, k]);
    const start = region.hold(ofModel.end);
    const [means, tilts, covariances, by, places, members] = ofModel.at;
    put(mean, means);
    put(tilt, tilts);
    put(covariance, covariances);
    put(place, places);
    const numbers = [law, means, tilts, covariances, by, aways].map((at) => start + at);
    const whole = [begins, which, places, members].map((at) => start + at);
    chainKernels().placeRows(...numbers, ...whole, n, k, eta, variance);
    out.set(new Float64Array(chainBuffer(), start + law, 2 * n));
  };
}

function put(numbers: Float64Array | Int32Array, at: number): void {
  const where = region.pointer + at;
  if (numbers instanceof Int32Array) new Int32Array(chainBuffer(), where).set(numbers);
  else new Float64Array(chainBuffer(), where).set(numbers);
}
