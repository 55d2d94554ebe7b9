/**
 * Whether the noise of measurements is of one size. Given one draw of all effects |r| is looked at against the ranks u of
 * a column, from −½ to ½, and against 2|u| − ½: by Σ(|r| − mean)(u − mean) over its standard deviation by chance, which
 * takes the variance of |r| from the residuals themselves, so that heavy tails are no alarm. Ranks let no row decide.
 */

import { figure } from "../../../families/fit-check.js";
import { option } from "../../../wording.js";

export interface Looked {
  /** In words: `"x"`, or `the fitted value`. */
  readonly what: string;
  readonly values: ArrayLike<number>;
  /** Whether an interval of its own is told. */
  readonly isColumn: boolean;
}

/** Beyond this is one of 1.7 million columns by chance. */
const BEYOND_CHANCE = 5;
/** What is less does little to intervals, however many rows show it; near the ends of a scale noise is smaller anyway. */
const TIMES = { column: 2, fitted: 3 };
const NARROW = 1.15;
/** Rows that are looked at, evenly from all. */
export const MOST = 200_000;
const LEAST = 40;
/** Of the squares of the target: residuals of a perfect fit are roundings. */
const ROUNDING = 1e-9;

interface Uneven {
  readonly sentence: string;
  readonly sds: number;
}

/** A sentence on the column by which noise differs most, where it does. */
export function spreadSentences(
  residuals: Float64Array,
  target: Float64Array,
  columns: readonly Looked[],
): string[] {
  const centre = mean(target);
  const squares = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0);
  if (squares(residuals) < ROUNDING * squares(target.map((value) => value - centre))) return [];
  const every = Math.ceil(residuals.length / MOST);
  const size = residuals.filter((_, i) => i % every === 0).map(Math.abs);
  if (size.length < LEAST) return [];
  const found = columns.flatMap((column) => {
    const values = Float64Array.from(size, (_, i) => column.values[i * every]);
    const ranks = ranksOf(values);
    const narrow = column.isColumn ? narrowness(size, values) : 1;
    const [least, most] = endsOf(values);
    if (values.every((value) => value === least || value === most))
      return uneven(size, ranks, column, narrow, String(most), String(least));
    return [
      ...uneven(size, ranks, column, narrow, "large", "small"),
      ...uneven(
        size,
        ranks.map((rank) => 2 * Math.abs(rank) - 0.5),
        column,
        narrow,
        "far from its middle",
        "near its middle",
      ),
    ];
  });
  return found
    .sort((a, b) => b.sds - a.sds)
    .slice(0, 1)
    .map(({ sentence }) => sentence);
}

function uneven(
  size: Float64Array,
  scores: Float64Array,
  { what, isColumn }: Looked,
  narrow: number,
  above: string,
  below: string,
): Uneven[] {
  const sds = standardised(size, scores);
  if (!(Math.abs(sds) > BEYOND_CHANCE)) return [];
  const [least, most] = endsOf(scores);
  const meanWhere = (isIn: (score: number) => boolean): number =>
    mean(size.filter((_, i) => isIn(scores[i])));
  // The quarter at either end; all of a value that more rows have than that.
  const times =
    meanWhere((score) => score >= Math.min(0.25, most)) /
    meanWhere((score) => score <= Math.max(-0.25, least));
  const [more, less] = times > 1 ? [above, below] : [below, above];
  if (!(Math.max(times, 1 / times) > (isColumn ? TIMES.column : TIMES.fitted))) return [];
  const own = narrow > NARROW ? ` (its own is too narrow by a factor of about ${figure(narrow)})` : "";
  return [
    {
      sds: Math.abs(sds),
      sentence:
        `The noise is not of one size: residuals are ${figure(Math.max(times, 1 / times))} times as large where ${what} is ${more} as where it is ${less}, so that intervals are wrong${own}. ` +
        `Take the logarithm of a target that is positive and skewed, say with ${option("weights")} how precise each row is, or see whether an effect is no straight line or differs between groups.`,
    },
  ];
}

function endsOf(values: Float64Array): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Σ(|r| − mean)(u − mean) in its standard deviations where no row has more of it than others. */
function standardised(size: Float64Array, scores: Float64Array): number {
  const [a, b] = [mean(size), mean(scores)];
  let [product, one, other] = [0, 0, 0];
  for (let i = 0; i < size.length; i++) {
    product += (size[i] - a) * (scores[i] - b);
    one += (size[i] - a) ** 2;
    other += (scores[i] - b) ** 2;
  }
  return one > 0 && other > 0 ? (Math.sqrt(size.length) * product) / Math.sqrt(one * other) : 0;
}

/** How many times as wide the interval of a slope would be that knew of the sizes (White 1980). */
function narrowness(size: Float64Array, values: Float64Array): number {
  const centre = mean(values);
  let [together, squares, spread] = [0, 0, 0];
  for (let i = 0; i < size.length; i++) {
    const [square, lever] = [size[i] ** 2, (values[i] - centre) ** 2];
    together += square * lever;
    squares += square;
    spread += lever;
  }
  return Math.sqrt((together * size.length) / (squares * spread));
}

/** From −½ to ½; those of equal values are their mean. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((i, j) => values[i] - values[j]);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    const rank = (from + to) / (2 * order.length) - 0.5;
    for (let k = from; k < to; k++) ranks[order[k]] = rank;
  }
  return ranks;
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
