/** How many queries it takes to ask for something, by its size alone: what `--explain` says, and what a run is held to. */

import type { PlannedQuestions, SentQuestion } from "../../selection/run.js";
import type { Limits } from "../engine.js";
import { rectangleTiles, type Tile, triangleTiles } from "./products.js";

export const PURPOSES = {
  facts: "what each column holds",
  texts: "the levels of a text",
  sample: "a sample of rows",
  screen: "means, scales and correlations with the target",
  gram: "products of the candidates",
  certify: "every column beside the models that judge it",
  extremes: "the ends of columns",
  expansion: "the likelihood at a point, its slope and its curvature",
  changes: "what the likelihood gains by moves",
  bends: "how the likelihood bends",
  certifyExpanded: "every column beside the models that judge it, weighted at the mode",
} as const;

const parts = (whole: number, most: number): number => Math.ceil(whole / Math.max(1, most));

/** Sums of a column that are asked for together: with the target where that is a number. */
export const FACTS = { alone: 5, crossed: 6 };

/** All of a column in one query: it is read once. */
export function factsAtOnce({ aggregates }: Limits, each: number): number {
  return each * Math.max(1, Math.floor(aggregates / each));
}

export function factsQueries(columns: number, isCrossed: boolean, limits: Limits): number {
  const each = isCrossed ? FACTS.crossed : FACTS.alone;
  return parts(each * columns, factsAtOnce(limits, each));
}

export function sampleQueries(columns: number, { columns: width }: Limits): number {
  return parts(columns, width);
}

/** Columns of a question for means, scales and correlations. */
export function screenedAtOnce({ aggregates, columns }: Limits): number {
  return Math.max(1, Math.floor(Math.min(aggregates / 3, columns - 1)));
}

export function screenQueries(columns: number, limits: Limits): number {
  return parts(columns, screenedAtOnce(limits));
}

/**
 * Pairs of columns whose products are not known: those that are new with all and, for a second look at the others, the
 * squares of all; or every pair, where that takes no more queries.
 */
export function gramTiles(fresh: readonly number[], old: readonly number[], limits: Limits): Tile[] {
  if (fresh.length === 0) return [];
  const all = [...fresh, ...old];
  const whole = triangleTiles(all.length, limits);
  const some = old.length === 0 ? whole : rectangleTiles(fresh.length + 1, all.length, limits);
  return some.length < whole.length
    ? some.map(({ pairs }) => ({
        pairs: pairs.map(([a, b]) => [a < fresh.length ? all[a] : all[b], all[b]]),
      }))
    : whole.map(({ pairs }) => ({ pairs: pairs.map(([a, b]) => [all[a], all[b]]) }));
}

/** Sums that no earlier question gave are one more. */
export function gramQueries(fresh: number, old: number, limits: Limits, sums = 0): number {
  const some = (count: number) => Array.from({ length: count }, (_, i) => i);
  return gramTiles(some(fresh), some(old), limits).length + parts(sums, limits.aggregates);
}

export function certifyQueries(judging: number, columns: number, limits: Limits): number {
  return rectangleTiles(judging, columns, limits).length;
}

export function extremesQueries(columns: number, { aggregates }: Limits): number {
  return parts(2 * columns, aggregates);
}

/** Small models are one query: undefined of others. */
export function wholeExpansion(columns: number, limits: Limits): Tile | undefined {
  const tiles = triangleTiles(columns + 1, { ...limits, aggregates: limits.aggregates - columns - 2 });
  return tiles.length === 1 ? tiles[0] : undefined;
}

export function expansionQueries(columns: number, limits: Limits): number {
  if (wholeExpansion(columns, limits)) return 1;
  return parts(columns + 2, limits.aggregates) + triangleTiles(columns + 1, limits).length;
}

/** Moves of η that one query is asked about: each is a number for every row. */
export const MOVES = 100;

export function gainsQueries(moves: number, { aggregates }: Limits): number {
  return parts(moves, Math.min(MOVES, aggregates - 1));
}

export function certifyExpandedQueries(judging: number, outside: number, limits: Limits): number {
  const size = judging + 2;
  return parts(size, limits.aggregates) + rectangleTiles(size + 1, outside, limits).length;
}

/** What was asked for one purpose, beside what was planned before it was asked. */
export interface Accounted {
  readonly purpose: string;
  /** How often: rounds, steps. */
  readonly times: number;
  readonly planned: number;
  readonly sent: number;
}

/** Questions that nobody planned are single queries, one each. */
export function accounted(
  questions: readonly SentQuestion[],
  planned: readonly PlannedQuestions[],
): Accounted[] {
  const purposes = [...new Set([...questions, ...planned].map(({ purpose }) => purpose))];
  return purposes.map((purpose) => {
    const sent = questions.filter((own) => own.purpose === purpose).length;
    const own = planned.filter((each) => each.purpose === purpose);
    return own.length === 0
      ? { purpose, times: sent, planned: sent, sent }
      : { purpose, times: own.length, planned: own.reduce((sum, { queries }) => sum + queries, 0), sent };
  });
}
