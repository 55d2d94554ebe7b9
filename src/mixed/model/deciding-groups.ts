/**
 * Whether a few groups hold the squared residuals: rows that lie far away decide then, although every number may be worked
 * out right. Sums of products know no rows, but they know Σe² of every group, which is σ²χ² with as many degrees as the
 * group has rows. Chance is no explanation where Σ(Σe²)² over (ΣΣe²)² exceeds what such laws give.
 */

import { packedSize, placeOf } from "../../math/packed.js";
import { namesText } from "../../tables/judge/remarks.js";
import { layoutOf, type MixedDesign, unpack } from "./chart.js";
import { conditionalProducts, factorConditional, solveConditional } from "./conditional-effects.js";
import type { CrossProducts } from "./crossproducts.js";

/** Standard deviations beyond which chance is no explanation. */
const BEYOND_CHANCE = 5;
/** Groups that hold so much of the squares in no more than so many of the rows: subject 332 of lme4's sleepstudy has 0.29. */
const MOST = 0.5;
const FEW = 0.25;
/** A group is named with the worst if it has more than this part of its squares. */
const LIKE_THE_WORST = 3;
/** Of the squares of the target: residuals of a perfect fit are roundings. */
const ROUNDING = 1e-9;

/** At one draw of θ, which is as good as any where it matters. */
export function decidingSentences(data: CrossProducts, design: MixedDesign, theta: Float64Array): string[] {
  const { rows, groups, values, stride } = data;
  const squares = squaresOf(data, design, theta);
  const all = rows.reduce((sum, n) => sum + n, 0);
  const total = squares.reduce((sum, square) => sum + square, 0);
  const target = rows.reduce((sum, _, i) => sum + values[(i + 1) * stride - 1], 0);
  const [own, other] = [rows.map((n) => n / all), squares.map((square) => square / total)];
  if (total < ROUNDING * target || !isBeyondChance(rows, other, all)) return [];
  const beyond = other.map((share, i) => share - own[i]);
  const order = [...beyond.keys()].sort((a, b) => beyond[b] - beyond[a]);
  const worst = order.filter((i) => beyond[i] > beyond[order[0]] / LIKE_THE_WORST);
  const part = (shares: Float64Array): number => worst.reduce((sum, i) => sum + shares[i], 0);
  if (part(own) > FEW || part(other) < MOST) return [];
  const percent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`;
  const names = namesText(worst.map((i) => groups[i]));
  const [who, they, it] =
    worst.length === 1
      ? [`Group ${names} decides: it has`, "it", "its"]
      : [`Groups ${names} decide: they have`, "them", "their"];
  return [
    `${who} ${percent(part(own))} of the rows and ${percent(part(other))} of the squared residuals, so that probabilities and intervals rest on ${they}. ` +
      `Look at ${it} rows; leave mistakes out, or take the logarithm of a target that is skewed.`,
  ];
}

/** Against χ² with n degrees, whose square is n² + 2n on average and has a variance of 8n² + 48n about n². */
function isBeyondChance(rows: Float64Array, shares: Float64Array, all: number): boolean {
  let [excess, variance] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    excess += shares[i] ** 2 - (rows[i] ** 2 + 2 * rows[i]) / all ** 2;
    variance += (8 * rows[i] ** 2 + 48 * rows[i]) / all ** 4;
  }
  return excess > BEYOND_CHANCE * Math.sqrt(variance);
}

/** Σe² of every group, at its mean effects given θ. */
function squaresOf(data: CrossProducts, design: MixedDesign, theta: Float64Array): Float64Array {
  const layout = layoutOf(design);
  const { random, fixed, width } = layout;
  const point = unpack(layout);
  point.read(theta);
  const factor = new Float64Array(packedSize(random.length));
  const b = new Float64Array(random.length);
  const coefficients = new Float64Array(width + 1);
  return data.rows.map((_, i) => {
    const from = i * data.stride;
    factorConditional(factor, 0, layout, point, data.values, from);
    conditionalProducts(b, 0, layout, theta, data.values, from);
    solveConditional(b, 0, factor, 0, random.length);
    coefficients.fill(0);
    fixed.forEach((j, k) => {
      coefficients[j] -= theta[k];
    });
    random.forEach((j, k) => {
      coefficients[j] -= b[k];
    });
    coefficients[width] = 1;
    let sum = 0;
    for (let j = 0; j <= width; j++)
      for (let k = 0; k <= width; k++)
        sum += coefficients[j] * coefficients[k] * data.values[from + placeOf(j, k)];
    return Math.max(0, sum);
  });
}
