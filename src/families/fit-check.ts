/**
 * Whether targets vary about their means as their family says. Where they do not, every number may be worked out
 * right and the answer still be wrong: that is a problem, not a note. Each sentence says what and what to do.
 */

import { type End, FitMoments } from "../kernels/fit-moments.js";
import { option } from "../wording.js";

export interface FitCheck {
  add(rows: CheckedRows): void;
  /** Sentences on what does not fit, given the number of coefficients. */
  problems(coefficients: number): string[];
}

/** Some rows: the first `count` of each vector. */
export interface CheckedRows {
  readonly count: number;
  readonly y: Float64Array;
  /** Linear predictors given a probable model. */
  readonly eta: Float64Array;
  /** Values of a variable of that model, until others are asked for. */
  values(variable: number): Float64Array;
}

/** Counts that vary more than this are worth a word: intervals are then too narrow by 14%. */
const OVERDISPERSED = 1.3;
/** What too narrow intervals do to a choice of variables, and what helps. */
const OF_SELECTION =
  ", and variables that do not matter may have probabilities near 1. " +
  `Take the logarithm of the counts plus one for the target, with ${option("family", "gaussian")}, and trust what both ways agree on.`;
/** Standard errors beyond which chance is no explanation; sums over few rows have heavier tails than the normal. */
const BEYOND_CHANCE = 5;

/** Sums over rows of squared errors and of what they are by the law. */
export class Dispersion {
  private rows = 0;
  private squares = 0;
  private variances = 0;
  private excess = 0;
  private spread = 0;

  /** `excess` is zero on average by the law, with a variance of `spread`. */
  add(row: Readonly<Record<"square" | "variance" | "excess" | "spread", number>>): void {
    this.rows += 1;
    this.squares += row.square;
    this.variances += row.variance;
    this.excess += row.excess;
    this.spread += row.spread;
  }

  /** How many times as much as they should rows vary, where that is worth a word and no chance. */
  times(coefficients: number): number | undefined {
    const times = (this.squares / this.variances) * (this.rows / Math.max(1, this.rows - coefficients));
    const isBeyondChance = this.excess > BEYOND_CHANCE * Math.sqrt(this.spread);
    return times > OVERDISPERSED && isBeyondChance ? times : undefined;
  }
}

/**
 * Counts against Poisson's law, of which the variance is the mean. The factor is Σ(y − μ)²/Σμ, that by which the
 * squared errors of coefficients are understated; the test of chance is Σ[(y − μ)² − y] / √(2Σμ²), about standard
 * normal for Poisson counts (Dean 1992). Pearson's Σ(y − μ)²/μ would let one row with a tiny mean decide.
 */
export function countCheck(inverseLink: (eta: number) => number, remedy = OF_SELECTION): FitCheck {
  const dispersion = new Dispersion();
  let [zeros, expectedZeros] = [0, 0];
  return {
    add({ count, y, eta }) {
      for (let i = 0; i < count; i++) {
        const mean = inverseLink(eta[i]);
        const square = (y[i] - mean) ** 2;
        if (y[i] === 0) zeros += 1;
        expectedZeros += Math.exp(-mean);
        dispersion.add({ square, variance: mean, excess: square - y[i], spread: 2 * mean * mean });
      }
    },
    problems(coefficients) {
      const times = dispersion.times(coefficients);
      if (times === undefined) return [];
      const tooMany = zeros - expectedZeros > BEYOND_CHANCE * Math.sqrt(expectedZeros);
      const empty = tooMany
        ? ` There are ${zeros} zeros where ${Math.round(expectedZeros)} are expected: asking which rows are above zero (${option("family", "binomial")}) may say more.`
        : "";
      return [
        `Given the model the counts vary ${figure(times)} times as much as Poisson counts: intervals are too narrow by a factor of about ${figure(Math.sqrt(times))}${remedy}${empty}`,
      ];
    },
  };
}

/** What kurtosis has to exceed that of the normal by, as a share of the rows: a few rows then make up most squares. */
const DECIDING = 0.05;
/** Share of the rows at an end of a target that is otherwise continuous. */
const AT_END = 0.25;
/** Fewer rows do not show where a target ends. */
const ENOUGH_ROWS = 20;
/** Values of the target that show whether it is continuous, and how many of them may be alike. */
const LOOKED_AT = 200;
const ALIKE = 0.2;

/** Measurements against normal noise: tails so heavy that a few rows decide, and targets that are cut off. */
export function measurementCheck(): FitCheck {
  const moments = new FitMoments();
  const seen: number[] = [];
  return {
    add({ count, y, eta }) {
      moments.add(y, eta, count);
      for (let i = 0; i < count && seen.length < LOOKED_AT; i++) seen.push(y[i]);
    },
    problems: () => [
      // Residuals of a perfect fit are roundings.
      ...(moments.squares > 1e-9 * moments.around ? heavyTails(moments) : []),
      ...cutOff("smallest", moments.least, moments.most.value),
      ...cutOff("largest", moments.most, moments.least.value),
    ],
  };

  function heavyTails({ rows, squares, fourths, largest }: FitMoments): string[] {
    const excess = (rows * fourths) / squares ** 2 - 3;
    if (!(excess > DECIDING * rows && excess > BEYOND_CHANCE * Math.sqrt(24 / rows))) return [];
    const share = Math.round((100 * largest.reduce((a, b) => a + b, 0)) / squares);
    return [
      `A few rows decide: the ${largest.length} of ${rows} that lie farthest from the model make up ${share}% of the squared residuals, so that probabilities and intervals rest on them. ` +
        "Look at these rows; leave mistakes out, or take the logarithm of a target that is skewed.",
    ];
  }

  function cutOff(which: string, { value, count }: End, other: number): string[] {
    if (moments.rows < ENOUGH_ROWS) return [];
    const others = seen.filter((y) => y !== value);
    const distinct = new Set(others).size;
    if (!(count > AT_END * moments.rows && value !== other && distinct > (1 - ALIKE) * others.length))
      return [];
    const share = Math.round((100 * count) / moments.rows);
    return [
      `In ${share}% of the rows the target has its ${which} value, as if it were cut off there: effects are pulled towards zero. ` +
        `Ask which rows lie beyond it (${option("family", "binomial")} on a target of two values), and fit those by themselves.`,
    ];
  }
}

/** Two digits. */
export const figure = (value: number): number => Number(value < 10 ? value.toFixed(1) : value.toPrecision(2));
