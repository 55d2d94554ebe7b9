/** What can be said about a mixed model before it is fitted: what makes no sense is an error, what is weak a warning. */

import { SparrowError } from "../errors.js";
import { packedSize, placeOf } from "../math/packed.js";
import { namesText } from "../tables/judge/remarks.js";
import type { MixedDesign } from "./model/chart.js";
import { type CrossProducts, pooled } from "./model/crossproducts.js";
import { type EffectProducts, indistinct, indistinctSentence } from "./model/indistinct.js";

/** Of a sum of squares, what is as good as nothing; and what rounding leaves of one that is nothing. */
const NEGLIGIBLE = 1e-10;
const ROUNDING = 1e-14;
/** The share of its squares below which a column's spread has lost half of its digits in sums of products. */
const LOST = 1e-8;

/** Whether a column or the target lies so far from zero for its spread that sums of products blur it. */
export function isSpreadLost(data: CrossProducts): boolean {
  const { rows, values } = pooled(data);
  return Array.from({ length: data.columns.length }, (_, j) => j + 1).some(
    (j) => squareOf(values, 0, rows, j) < LOST * values[placeOf(j, j)],
  );
}

/** Of column j, about its mean. */
const squareOf = (values: Float64Array, from: number, count: number, j: number): number =>
  values[from + placeOf(j, j)] - values[from + placeOf(j, 0)] ** 2 / count;

const AS_FAR = "as far as sums of products can tell";

export function check(data: CrossProducts, { fixed, random }: MixedDesign): string[] {
  const { rows, values } = pooled(data);
  const { columns, target } = data;
  const width = columns.length;
  const units = data.rows.length;
  if (units < 2)
    throw new SparrowError("A mixed model needs at least two groups: there is one; use `fit` instead.");

  const constant = (j: number): boolean => squareOf(values, 0, rows, j) <= NEGLIGIBLE * values[placeOf(j, j)];
  if (constant(width)) {
    throw new SparrowError(
      `The target "${target}" has the same value in every row, ${AS_FAR}: there is nothing to explain.`,
    );
  }
  for (let j = 1; j < width; j++) {
    if (constant(j)) {
      throw new SparrowError(
        `Column "${columns[j]}" has the same value in every row, ${AS_FAR}: leave it out, or take its mean off.`,
      );
    }
  }
  const dependent = firstDependent(values, rows, fixed);
  if (dependent !== undefined) {
    throw new SparrowError(
      `Column "${columns[dependent]}" is a linear combination of the fixed columns before it: leave it out.`,
    );
  }

  const warnings: string[] = [];
  const several = data.rows.reduce((sum, n) => sum + Number(n > 1), 0);
  if (several === 0) {
    warnings.push(
      "Every group has one row, so random effects cannot be told from noise: their split rests on the priors alone.",
    );
  }
  const still = several === 0 ? [] : stillColumns(data, random);
  if (still.length > 0) {
    warnings.push(
      stillSentence(
        still.map((j) => columns[j]),
        "a group",
      ),
    );
  }
  if (units <= random.length) {
    warnings.push(
      `There are ${units} groups for ${random.length} random effects: their covariance rests mostly on the priors.`,
    );
  }
  return warnings;
}

/** Columns that are the same in all rows of every group, beside an intercept. */
function stillColumns({ rows, values, stride }: CrossProducts, random: readonly number[]): number[] {
  if (!random.includes(0)) return [];
  const varies = (j: number): boolean =>
    rows.some((n, i) => {
      const from = i * stride;
      return n > 1 && squareOf(values, from, n, j) > NEGLIGIBLE * values[from + placeOf(j, j)];
    });
  return random.filter((j) => j > 0 && !varies(j));
}

/** What so many groups can tell apart needs no look at the others. */
const FIRST_LOOK = 1000;

/** Which effects cannot be told apart, in sentences; the columns are standard ones. */
export function untoldSentences(data: CrossProducts, random: readonly number[], group: string): string[] {
  const several = data.rows.some((n) => n > 1);
  // What never varies has its own sentence, and the noise where every group has one row.
  const still = several ? stillColumns(data, random) : [];
  const others = random.filter((j) => !still.includes(j));
  const of = (groups: number) => indistinct(effectProducts(data, others, groups, several));
  const first = of(Math.min(FIRST_LOOK, data.rows.length));
  const sets = first.length > 0 && data.rows.length > FIRST_LOOK ? of(data.rows.length) : first;
  return sets.map((set) =>
    indistinctSentence(set, ({ effect }) => ({ effect: data.columns[others[effect]], group })),
  );
}

/** Of effects whose columns are the same in all rows `within` each group. */
export function stillSentence(names: readonly string[], within: string): string {
  const [what, effects] =
    names.length === 1
      ? ["Column % never varies", "its random effect"]
      : ["Columns % never vary", "their random effects"];
  return `${what.replace("%", () => namesText(names))} within ${within}, so ${effects} cannot be told from the random intercept: their split rests on the priors alone.`;
}

/** How the columns of the effects lie to each other; the noise has its own sentence where every group has one row. */
function effectProducts(
  { rows, values, stride }: CrossProducts,
  random: readonly number[],
  groups: number,
  withNoise: boolean,
): EffectProducts {
  const q = random.length;
  const of = (from: number, k: number, l: number): number => values[from + placeOf(random[k], random[l])];
  const total = new Float64Array(packedSize(q));
  let square = 0;
  for (let i = 0; i < groups; i++) {
    square += rows[i];
    for (let k = 0; k < q; k++) for (let l = 0; l <= k; l++) total[placeOf(k, l)] += of(i * stride, k, l);
  }
  return {
    sizes: [q],
    ...(withNoise && { noise: { square, products: [total] } }),
    visit(_, __, each) {
      const products = new Float64Array(q * q);
      for (let i = 0; i < groups; i++) {
        for (let k = 0; k < q; k++) for (let l = 0; l < q; l++) products[k * q + l] = of(i * stride, k, l);
        each(products);
      }
    },
  };
}

/**
 * The first of `which` that the ones before it determine, by the pivots of a Cholesky factor with unit diagonal. After
 * the intercept a column far from zero has a small one of its own, beside which that is judged.
 */
function firstDependent(values: Float64Array, rows: number, which: readonly number[]): number | undefined {
  const size = which.length;
  const l = new Float64Array((size * (size + 1)) / 2);
  const squares = which.map((j) => values[placeOf(j, j)]);
  const spreads = which.map((j, k) => (j === 0 ? 1 : squareOf(values, 0, rows, j) / squares[k]));
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = values[placeOf(which[j], which[k])] / Math.sqrt(squares[j] * squares[k]);
      for (let i = 0; i < k; i++) sum -= l[placeOf(j, i)] * l[placeOf(k, i)];
      if (j === k && sum < Math.max(ROUNDING, NEGLIGIBLE * spreads[j])) return which[j];
      l[placeOf(j, k)] = j === k ? Math.sqrt(sum) : sum / l[placeOf(k, k)];
    }
  }
  return undefined;
}
