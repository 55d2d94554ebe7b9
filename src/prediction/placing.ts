/** Linear predictors of many rows, one model after the other, by a kernel. */

import { chainBuffer, chainKernels, Region } from "../kernels/chain-memory.js";
import { laidOut } from "../kernels/laid-out.js";
import type { PredictorModel } from "./predictor.js";
import type { Unknown } from "./predictor-law.js";

/** A model at the base row. */
export interface Prepared {
  readonly model: PredictorModel;
  readonly members: Int32Array;
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  readonly eta: number;
  readonly variance: number;
  /** V(r − c). */
  readonly tilt: Float64Array;
}

/** Rows side by side: of every variable its values, some of which may be means of what is `unknown` of a row. */
export interface RowBlock {
  readonly rows: number;
  readonly columns: readonly Float64Array[];
  readonly unknown?: ReadonlyMap<number, Unknown>;
}

/** Writes mean and variance of every row under a model, two numbers each; `place` is where that has each variable. */
export type PlaceRows = (model: Prepared, place: Int32Array, law: Float64Array) => void;

const region = new Region();

/** Rows of which at least this share differs from the base are placed as they are. */
const DENSE = 0.5;
/** Rows that the kernel for those places at a time. */
const TOGETHER = 4;

/** For one set of rows at a time. */
export function placing(base: ArrayLike<number>, { rows, columns }: RowBlock): PlaceRows {
  const length = TOGETHER * Math.ceil(rows / TOGETHER);
  const away = new Float64Array(length * columns.length);
  let different = 0;
  columns.forEach((column, j) => {
    const from = base[j];
    for (let r = 0, at = j * length; r < rows; r++, at++) {
      away[at] = column[r] - from;
      if (away[at] !== 0) different++;
    }
  });
  return different >= DENSE * rows * columns.length
    ? placingDense(away, length)
    : placingDifferences(differencesOf(away, { length, rows, different }), columns.length);
}

/** One variable after the other, of so many rows each. */
function placingDense(away: Float64Array, length: number): PlaceRows {
  const ofRows = laidOut(0, [2 * length, away.length], []);
  region.hold(ofRows.end);
  const [law, aways] = ofRows.at;
  put(away, aways);
  return (prepared, _, out) => {
    const k = prepared.model.members.length;
    const ofModel = laidOut(ofRows.end, [k, k, k * k, TOGETHER * k], [k]);
    const start = region.hold(ofModel.end);
    const [means, tilts, covariances, by, members] = ofModel.at;
    put(prepared.mean, means);
    put(prepared.tilt, tilts);
    put(prepared.covariance, covariances);
    put(prepared.members, members);
    const places = [law, means, tilts, covariances, by, aways, members].map((at) => start + at);
    chainKernels().placeDense(...places, 8 * length, length, k, prepared.eta, prepared.variance);
    out.set(new Float64Array(chainBuffer(), start + law, out.length));
  };
}

/** By what rows differ from the base: the variables of row r stand from starts[r] on. */
interface Differences {
  readonly starts: Int32Array;
  readonly variables: Int32Array;
  readonly away: Float64Array;
}

function differencesOf(
  away: Float64Array,
  { length, rows, different }: { length: number; rows: number; different: number },
): Differences {
  const starts = new Int32Array(rows + 1);
  for (let at = 0; at < away.length; at++) {
    if (away[at] !== 0) starts[(at % length) + 1] += 1;
  }
  for (let r = 0; r < rows; r++) starts[r + 1] += starts[r];
  const next = starts.slice(0, rows);
  const found = {
    starts,
    variables: new Int32Array(different),
    away: new Float64Array(different),
  };
  for (let at = 0; at < away.length; at++) {
    if (away[at] === 0) continue;
    const to = next[at % length]++;
    found.variables[to] = Math.floor(at / length);
    found.away[to] = away[at];
  }
  return found;
}

function placingDifferences({ starts, variables, away }: Differences, width: number): PlaceRows {
  const n = starts.length - 1;
  const entries = starts[n];
  const ofRows = laidOut(0, [2 * n, entries], [starts.length, entries]);
  region.hold(ofRows.end);
  const [law, aways, begins, which] = ofRows.at;
  put(away, aways);
  put(starts, begins);
  put(variables, which);
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
