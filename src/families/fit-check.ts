/**
 * Whether targets vary about their means as their family says. Where they do not, every number may be worked out
 * right and the answer still be wrong: that is a problem, not a note. Each sentence says what and what to do.
 */

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
/** Standard errors beyond which chance is no explanation; sums over few rows have heavier tails than the normal. */
const BEYOND_CHANCE = 5;

/**
 * Counts against Poisson's law, of which the variance is the mean. The factor is Σ(y − μ)²/Σμ, that by which the
 * squared errors of coefficients are understated; the test of chance is Σ[(y − μ)² − y] / √(2Σμ²), about standard
 * normal for Poisson counts (Dean 1992). Pearson's Σ(y − μ)²/μ would let one row with a tiny mean decide.
 */
export function countCheck(inverseLink: (eta: number) => number): FitCheck {
  let [rows, zeros, expectedZeros, squares, sum, excess, spread] = [0, 0, 0, 0, 0, 0, 0];
  return {
    add({ count, y, eta }) {
      rows += count;
      for (let i = 0; i < count; i++) {
        const mean = inverseLink(eta[i]);
        const square = (y[i] - mean) ** 2;
        if (y[i] === 0) zeros += 1;
        expectedZeros += Math.exp(-mean);
        squares += square;
        sum += mean;
        excess += square - y[i];
        spread += 2 * mean * mean;
      }
    },
    problems(coefficients) {
      const times = (squares / sum) * (rows / Math.max(1, rows - coefficients));
      if (!(times > OVERDISPERSED && excess > BEYOND_CHANCE * Math.sqrt(spread))) return [];
      const tooMany = zeros - expectedZeros > BEYOND_CHANCE * Math.sqrt(expectedZeros);
      const empty = tooMany
        ? ` There are ${zeros} zeros where ${Math.round(expectedZeros)} are expected: asking which rows are above zero (${option("family", "binomial")}) may say more.`
        : "";
      return [
        `Given the model the counts vary ${figure(times)} times as much as Poisson counts: intervals are too narrow by a factor of about ${figure(Math.sqrt(times))}, and variables that do not matter may have probabilities near 1. ` +
          `Take the logarithm of the counts plus one for the target, with ${option("family", "gaussian")}, and trust what both ways agree on.${empty}`,
      ];
    },
  };
}

/** Rows whose residuals are the largest, told together. */
const FEW = 5;
/** What kurtosis has to exceed that of the normal by, as a share of the rows: a few rows then make up most squares. */
const DECIDING = 0.05;
/** Share of the rows at an end of a target that is otherwise continuous. */
const AT_END = 0.25;
/** Values of the target that show whether it is continuous, and how many of them may be alike. */
const LOOKED_AT = 200;
const ALIKE = 0.2;

/**
 * Measurements against normal noise: tails so heavy that a few rows decide, and targets that are cut off. One short loop
 * for each question: engines make such loops fast before they have gone through all rows, and long ones afterwards.
 */
export function measurementCheck(): FitCheck {
  const largest: number[] = [];
  const ends = { least: atEnd(-1), most: atEnd(1) };
  const seen: number[] = [];
  let [rows, squares, fourths, around, mean] = [0, 0, 0, 0, 0];
  let errors = new Float64Array(0);
  return {
    add({ count, y, eta }) {
      if (errors.length < count) errors = new Float64Array(count);
      for (let i = 0; i < count; i++) errors[i] = (y[i] - eta[i]) ** 2;
      for (let i = 0; i < count; i++) {
        squares += errors[i];
        fourths += errors[i] * errors[i];
      }
      for (let i = 0; i < count; i++) {
        const away = y[i] - mean;
        mean += away / (rows + i + 1);
        around += away * (y[i] - mean);
      }
      ends.least.add(y, count);
      ends.most.add(y, count);
      for (let i = 0; i < count && seen.length < LOOKED_AT; i++) seen.push(y[i]);
      keepLargest(largest, errors, count);
      rows += count;
    },
    problems: () => [
      // Residuals of a perfect fit are roundings.
      ...(squares > 1e-9 * around ? heavyTails() : []),
      ...cutOff("smallest", ends.least, ends.most.value),
      ...cutOff("largest", ends.most, ends.least.value),
    ],
  };

  function heavyTails(): string[] {
    const excess = (rows * fourths) / squares ** 2 - 3;
    if (!(excess > DECIDING * rows && excess > BEYOND_CHANCE * Math.sqrt(24 / rows))) return [];
    const share = Math.round((100 * largest.reduce((a, b) => a + b, 0)) / squares);
    return [
      `A few rows decide: the ${largest.length} of ${rows} that lie farthest from the model make up ${share}% of the squared residuals, so that probabilities and intervals rest on them. ` +
        "Look at these rows; leave mistakes out, or take the logarithm of a target that is skewed.",
    ];
  }

  function cutOff(which: string, { value, count }: End, other: number): string[] {
    const others = seen.filter((y) => y !== value);
    const distinct = new Set(others).size;
    if (!(count > AT_END * rows && value !== other && distinct > (1 - ALIKE) * others.length)) return [];
    const share = Math.round((100 * count) / rows);
    return [
      `In ${share}% of the rows the target has its ${which} value, as if it were cut off there: effects are pulled towards zero. ` +
        `Ask which rows lie beyond it (${option("family", "binomial")} on a target of two values), and fit those by themselves.`,
    ];
  }
}

/** Falling, no more than FEW. */
function keepLargest(largest: number[], squares: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    if (largest.length === FEW && !(squares[i] > largest[FEW - 1])) continue;
    largest.push(squares[i]);
    largest.sort((a, b) => b - a);
    largest.length = Math.min(FEW, largest.length);
  }
}

interface End {
  readonly value: number;
  readonly count: number;
  add(y: Float64Array, count: number): void;
}

/** The value at one end of those seen, and how often it was. */
function atEnd(sign: 1 | -1): End {
  const end = {
    value: Number.NaN,
    count: 0,
    add(y: Float64Array, count: number) {
      for (let i = 0; i < count; i++) {
        if (y[i] === end.value) end.count += 1;
        else if (!(sign * y[i] < sign * end.value)) {
          end.value = y[i];
          end.count = 1;
        }
      }
    },
  };
  return end;
}

/** Two digits. */
const figure = (value: number): number => Number(value < 10 ? value.toFixed(1) : value.toPrecision(2));
