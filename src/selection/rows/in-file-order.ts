/**
 * Whether rows that follow each other in the file are alike beyond what the model says of them. With residuals that have
 * a correlation of r from row to row, and a variable that has ρ, its interval is too narrow by about
 * √((1 + rρ)/(1 − rρ)), which is exact where both are autoregressions of first order (Bartlett 1935).
 */

import { rowOrder } from "../../store/build/order.js";
import type { ModelRows } from "./model-rows.js";

export interface InFileOrder {
  /** Of residuals of rows that follow each other. */
  readonly correlation: number;
  /** The variable whose interval is too narrow by most, and by how much. */
  readonly name: string;
  readonly factor: number;
}

/** More rows than this are not put into the order of the file: it takes a tenth of a second. */
const MOST_ROWS = 2e6;
/** Rows that are looked at: 0.2 is a dozen standard errors. */
const LOOKED_AT = 4000;
/** Standard errors, 1/√N each, and the least that is worth a word, of r, and of rρ: intervals too narrow by a tenth. */
const BEYOND_CHANCE = 5;
const [NOTICED, NARROW] = [0.2, 0.1];
/**
 * Where so many of the moves of the target from row to row go one way, the file was sorted by it, perhaps within groups:
 * residuals follow each other although rows may be independent.
 */
const SORTED = 0.75;

export function rowsAlike(rows: ModelRows, among: ReadonlySet<string>): InFileOrder | undefined {
  const { names, family, store } = rows;
  const { layout, record } = store;
  const wanted = [...names.keys()].filter((k) => among.has(names[k]));
  if (wanted.length === 0 || layout.rows > MOST_ROWS) return undefined;
  const { y, eta, values } = rows.at(stretch(rowOrder(record.seed, layout.rows)));
  const residual = y.map((value, i) => {
    const mean = family.inverseLink(eta[i]);
    return (value - mean) / Math.sqrt(family.variance(mean));
  });
  const correlation = fromRowToRow(residual);
  const least = Math.max(NOTICED, BEYOND_CHANCE / Math.sqrt(y.length));
  if (!(Math.abs(correlation) > least) || isSorted(y)) return undefined;
  let worst: InFileOrder | undefined;
  for (const k of wanted) {
    const both = Math.min(0.99, correlation * fromRowToRow(values(k)));
    const factor = Math.sqrt((1 + both) / (1 - both));
    if (both > NARROW && !(worst && worst.factor >= factor)) worst = { correlation, name: names[k], factor };
  }
  return worst;
}

/** Places of rows that follow each other in the file: all of them, or those in its middle. */
function stretch(order: Uint32Array): Uint32Array {
  const count = Math.min(order.length, LOOKED_AT);
  const from = Math.floor((order.length - count) / 2);
  const places = new Uint32Array(count);
  for (let place = 0; place < order.length; place++) {
    const at = order[place] - from;
    if (at >= 0 && at < count) places[at] = place;
  }
  return places;
}

/** The correlation of each with the next, over those that are numbers. */
function fromRowToRow(values: Float64Array): number {
  let [count, mean] = [0, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    count += 1;
    mean += (value - mean) / count;
  }
  let [squares, products] = [0, 0];
  let before = Number.NaN;
  for (const value of values) {
    const away = value - mean;
    if (Number.isFinite(value)) squares += away * away;
    if (Number.isFinite(value) && Number.isFinite(before)) products += away * before;
    before = away;
  }
  return squares > 0 ? products / squares : 0;
}

function isSorted(target: Float64Array): boolean {
  let [rises, falls] = [0, 0];
  for (let i = 1; i < target.length; i++) {
    if (target[i] > target[i - 1]) rises += 1;
    if (target[i] < target[i - 1]) falls += 1;
  }
  return Math.max(rises, falls) >= SORTED * (rises + falls);
}
