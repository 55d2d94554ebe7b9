/**
 * Is the law of the predictors good enough to fill holes by? Some entries that are known are hidden, a chain of its
 * own fills them like the others ("overimputation", Honaker, King and Blackwell 2011), and what it drew is set beside
 * what they were. Draws whose spread falls short of their errors make effects too small: the target pulls a filled
 * entry towards the truth in proportion to that spread.
 */

import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import { imputationChain } from "./chain.js";
import { fillHoles, type HolePlaces, type Holes, readHoles } from "./holes.js";
import type { HoledProblem } from "./problem.js";

/** What became of the hidden entries. */
export interface HiddenEntries {
  /** How many there were. */
  readonly entries: number;
  /** Their share that lay within the 95% ranges of the draws. */
  readonly within: number;
  /** Squared errors of the draws' means over what the draws lead to expect: one is right, more is too narrow. */
  readonly ratio: number;
  /** Standard error of the ratio. */
  readonly ratioError: number;
}

/** Of the known entries of columns with holes; fewer than the fewest tell nothing. */
const SHARE = 0.05;
const FEWEST = 50;
const MOST = 2000;
/** Sweeps before the draws count, and those that do. */
const BURN_IN = 15;
const DRAWS = 30;
/** Far beyond the numbers of the chains whose draws are reported. */
const CHAIN = 50_000;

export async function hideEntries(
  problem: HoledProblem,
  candidates: readonly number[],
  space: ModelSpace,
): Promise<HiddenEntries | undefined> {
  const { store, holes, seed, options } = problem;
  const hidden = chosenEntries(
    Rng.seeded(seed).split(RUN_STREAMS.hidden),
    store.layout.rows,
    holes,
    candidates,
  );
  if (hidden === undefined) return undefined;
  const { column } = hidden;
  const truth = readHoles(store, hidden);
  const all = together(holes, hidden);
  fillHoles(store, all, (j) => holes.mean[j]);
  const chain = imputationChain({ ...problem, holes: all }, candidates, space, CHAIN);
  const sum = new Float64Array(column.length);
  const squares = new Float64Array(column.length);
  let draws = 0;
  for (let t = 0; t < BURN_IN + DRAWS && options.signal?.aborted !== true; t++) {
    await chain.sweep();
    if (t < BURN_IN) continue;
    draws += 1;
    // Around the truth, where little is lost to rounding.
    readHoles(store, hidden).forEach((value, h) => {
      sum[h] += value - truth[h];
      squares[h] += (value - truth[h]) ** 2;
    });
  }
  fillHoles(store, hidden, (_, h) => truth[h]);
  fillHoles(store, holes, (j) => holes.mean[j]);
  return draws < DRAWS ? undefined : comparison(sum, squares, draws, (h) => holes.sd[column[h]]);
}

/** Entries of columns of numbers with holes, by chance. */
function chosenEntries(
  rng: Rng,
  rows: number,
  { missing, factors, start, column }: Holes,
  candidates: readonly number[],
): HolePlaces | undefined {
  const levels = new Set(factors.flatMap((factor) => factor.columns));
  const columns = candidates.filter((j) => missing[j] > 0 && !levels.has(j));
  const known = columns.reduce((sum, j) => sum + rows - missing[j], 0);
  const wanted = Math.min(MOST, SHARE * known);
  if (wanted < FEWEST) return undefined;
  const starts = new Uint32Array(rows + 1);
  const chosen: number[] = [];
  for (let i = 0; i < rows; i++) {
    const lost = new Set(column.subarray(start[i], start[i + 1]));
    for (const j of columns) if (!lost.has(j) && rng.uniform() * known < wanted) chosen.push(j);
    starts[i + 1] = chosen.length;
  }
  return chosen.length < 2 ? undefined : { start: starts, column: Uint32Array.from(chosen) };
}

/** The holes with the hidden entries among them; means and spreads stay those of all that is known. */
function together(holes: Holes, hidden: HolePlaces): Holes {
  const start = holes.start.map((at, i) => at + hidden.start[i]);
  const column = new Uint32Array(holes.column.length + hidden.column.length);
  const missing = holes.missing.slice();
  for (const j of hidden.column) missing[j] += 1;
  for (let i = 0; i + 1 < start.length; i++) {
    const own = column.subarray(start[i], start[i + 1]);
    own.set(holes.column.subarray(holes.start[i], holes.start[i + 1]));
    own.set(
      hidden.column.subarray(hidden.start[i], hidden.start[i + 1]),
      holes.start[i + 1] - holes.start[i],
    );
    own.sort();
  }
  return { ...holes, start, column, missing };
}

/** 97.5% of a normal law. */
const TAIL = 1.96;

/** Sums of what was drawn, less the truth, to how far off that was and should have been, in units of the columns. */
export function comparison(
  sum: Float64Array,
  squares: Float64Array,
  draws: number,
  unit: (h: number) => number,
): HiddenEntries {
  const entries = sum.length;
  const off = new Float64Array(entries);
  const expected = new Float64Array(entries);
  let [total, due, within] = [0, 0, 0];
  for (let h = 0; h < entries; h++) {
    const away = sum[h] / draws;
    const variance = ((squares[h] - draws * away ** 2) / (draws - 1)) * (1 + 1 / draws);
    if (Math.abs(away) <= TAIL * Math.sqrt(variance)) within += 1;
    off[h] = (away / unit(h)) ** 2;
    expected[h] = variance / unit(h) ** 2;
    total += off[h];
    due += expected[h];
  }
  const ratio = total / due;
  let spread = 0;
  for (let h = 0; h < entries; h++) spread += (off[h] - ratio * expected[h]) ** 2;
  return { entries, within: within / entries, ratio, ratioError: Math.sqrt(spread) / due };
}

/** What effects may lose before it is worth a word. */
const LOSS = 0.03;

/**
 * Where a share m of a column is missing and its draws have 1/ratio of the variance that they should have, an effect
 * loses at most about m·(1 − 1/ratio) of its size. Said where that is certain, by two standard errors, to be more
 * than a few hundredths.
 */
export function lawConcern(hidden: HiddenEntries | undefined, share: number): string[] {
  if (!hidden) return [];
  const { ratio, ratioError, entries, within } = hidden;
  const sure = ratio > 1 ? Math.max(1, ratio - 2 * ratioError) : Math.min(1, ratio + 2 * ratioError);
  if (share * Math.abs(1 - 1 / sure) <= LOSS) return [];
  const percent = (value: number): string => `${Math.round(100 * value)}%`;
  const found = `Of ${entries} known entries that were hidden and filled like holes, ${percent(within)} lay in their 95% ranges`;
  return ratio > 1
    ? [
        `${found}: the law of the predictors is surer than it may be, and effects of columns with holes may be up to ${percent(share * (1 - 1 / ratio))} too small. More rows, or fewer columns, would help.`,
      ]
    : [
        `${found}: the law of the predictors is less sure than it could be, and effects of columns with holes may be off by ${percent(share * (1 / ratio - 1))}. Columns that are skewed or have values far from all others make it so.`,
      ];
}
