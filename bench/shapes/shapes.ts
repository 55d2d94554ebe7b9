/** The shapes of data that are measured: how large, of which law, and what is true of them. */

import { TRUE_COLUMNS, trueCoefficients } from "../../src/experiments/simulated.js";

export type ShapeFamily = "gaussian" | "binomial" | "poisson";

/** An intercept and the coefficients that are not zero, by position from 0. */
export interface LinearModel {
  readonly intercept: number;
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

/**
 * - paper: predictors with mutual correlation ½, eight of which matter (src/experiments/simulated.ts)
 * - rare: the same predictors; classes with log-odds `level` + `effect`·(z₁ + … + z₅ − z₆ − z₇ − z₈)
 * - blocks: blocks of columns that are alike, of independent blocks
 * - sparse: entries that are 1, in columns of which a few are frequent and most are rare
 */
export type Law =
  | { readonly kind: "paper"; readonly target: "linear" | "logistic" | "poisson" }
  | { readonly kind: "rare"; readonly level: number; readonly effect: number }
  | { readonly kind: "blocks"; readonly size: number; readonly correlation: number }
  | { readonly kind: "sparse"; readonly entries: number };

export interface Shape {
  readonly name: string;
  /** What is particular about it, in words. */
  readonly words: string;
  readonly family: ShapeFamily;
  readonly rows: number;
  readonly columns: number;
  readonly law: Law;
  /** Fresh rows that predictions are scored on. */
  readonly heldOut: number;
  /** L of susieR: more than there are effects. */
  readonly effects: number;
}

const paper = (target: "linear" | "logistic" | "poisson"): Law => ({ kind: "paper", target });
const HELD_OUT = 10_000;

export const SHAPES: readonly Shape[] = [
  {
    name: "tall",
    words: "Many rows, few columns; the paper's law.",
    family: "gaussian",
    rows: 2_000_000,
    columns: 50,
    law: paper("linear"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "paper",
    words: "The paper's linear example.",
    family: "gaussian",
    rows: 50_000,
    columns: 2_000,
    law: paper("linear"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "square",
    words: "As many columns as rows; the paper's law.",
    family: "gaussian",
    rows: 20_000,
    columns: 20_000,
    law: paper("linear"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "wide",
    words: "Two hundred columns for every row; the paper's law.",
    family: "gaussian",
    rows: 1_000,
    columns: 200_000,
    law: paper("linear"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "sparse",
    words:
      "About 45 entries a row, all of them 1: a few columns are frequent, most have fewer than ten entries.",
    family: "gaussian",
    rows: 200_000,
    columns: 500_000,
    law: { kind: "sparse", entries: 50 },
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "logistic",
    words: "The paper's logistic example: two classes, as many rows of each.",
    family: "binomial",
    rows: 50_000,
    columns: 2_000,
    law: paper("logistic"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "counts",
    words: "Counts with log-mean zβ, effects of 0.3.",
    family: "poisson",
    rows: 50_000,
    columns: 2_000,
    law: paper("poisson"),
    heldOut: HELD_OUT,
    effects: 10,
  },
  {
    name: "rare",
    words: "About one event in a thousand rows; effects of 0.5 on the log-odds.",
    family: "binomial",
    rows: 500_000,
    columns: 100,
    law: { kind: "rare", level: -7.65, effect: 0.5 },
    heldOut: 500_000,
    effects: 10,
  },
  {
    name: "blocks",
    words:
      "Blocks of 20 columns with correlation 0.95 inside. Eight blocks hold one effect of 0.2 each, two hold a pair of effects 0.5 and −0.5, which nearly cancel.",
    family: "gaussian",
    rows: 50_000,
    columns: 2_000,
    law: { kind: "blocks", size: 20, correlation: 0.95 },
    heldOut: HELD_OUT,
    effects: 20,
  },
];

/** A smaller shape of the same law, to try things on. */
export function scaled(shape: Shape, scale: number): Shape {
  if (scale === 1) return shape;
  const { rows, columns, law, heldOut } = shape;
  const least = law.kind === "blocks" ? 10 * law.size : 2 * TRUE_COLUMNS;
  return {
    ...shape,
    rows: Math.max(100, Math.round(rows * scale)),
    columns: Math.max(Math.min(columns, least), Math.round(columns * scale)),
    heldOut: Math.max(1000, Math.round(heldOut * scale)),
  };
}

const SPARSE_EFFECTS = 8;
const SINGLE_BLOCKS = 8;
const PAIR_BLOCKS = 2;

/** The model that made the data. */
export function truth({ law, columns }: Shape): LinearModel {
  switch (law.kind) {
    case "paper":
      return fromDense(0, trueCoefficients(columns, law.target));
    case "rare":
      return fromDense(
        law.level,
        trueCoefficients(columns).map((b) => b * law.effect),
      );
    case "blocks": {
      const singles = Array.from({ length: SINGLE_BLOCKS }, (_, k): [number, number][] => [
        [k * law.size, k % 2 === 0 ? 0.2 : -0.2],
      ]);
      const pairs = Array.from({ length: PAIR_BLOCKS }, (_, k): [number, number][] => {
        const first = (SINGLE_BLOCKS + k) * law.size;
        return [
          [first, 0.5],
          [first + 1, -0.5],
        ];
      });
      const all = [...singles, ...pairs].flat();
      return { intercept: 0, columns: all.map(([j]) => j), values: all.map(([, b]) => b) };
    }
    case "sparse": {
      // From the frequent ones to those that are in one row of a thousand, evenly in the logarithm.
      const [first, last] = [Math.log(20), Math.log(columns / 100)];
      const at = (k: number) => Math.round(Math.exp(first + (k / (SPARSE_EFFECTS - 1)) * (last - first)));
      const places = Array.from({ length: SPARSE_EFFECTS }, (_, k) => at(k));
      return { intercept: 1, columns: places, values: places.map((_, k) => (k % 2 === 0 ? 1 : -1)) };
    }
  }
}

function fromDense(intercept: number, beta: Float64Array): LinearModel {
  const columns = Array.from(beta.keys()).filter((j) => beta[j] !== 0);
  return { intercept, columns, values: columns.map((j) => beta[j]) };
}
