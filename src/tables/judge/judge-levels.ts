/** Texts with more values than can be categories: the frequent ones and "other", or none of them. */

import { grouped } from "../../wording.js";
import type { ColumnHint } from "./hints.js";
import type { Tally } from "./tally.js";

/** More different texts than this are names or sentences, not categories. */
export const MAX_LEVELS = 1000;
/** Of more, so many are kept, if they are this frequent and hold most of the rows. */
const KEPT_LEVELS = 100;
const FREQUENT = 10;
const MOST = 0.5;
/** Below this many different texts it does not matter how few rows each has. */
const FEW_LEVELS = 20;

export interface LevelsJudged {
  readonly levels?: readonly string[];
  readonly other?: string;
  /** Why the column is set aside, in words. */
  readonly aside?: string;
}

export function judgeLevels(
  tally: Tally,
  hint: ColumnHint,
  freeName: (name: string) => string,
): LevelsJudged {
  const { cells, filled, isFull } = tally;
  const many = `${grouped(cells.size)}${isFull ? " or more" : ""} different values in ${grouped(filled)} rows`;
  const isName = cells.size > FEW_LEVELS && cells.size > filled / 2;
  const isWanted = hint.isCategory || hint.isKept;
  if (isName && !isWanted) return { aside: many };
  if (cells.size <= MAX_LEVELS && !isFull) return {};
  const frequent = [...cells]
    .filter(([, { count }]) => count >= FREQUENT || isWanted)
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .slice(0, KEPT_LEVELS);
  const held = frequent.reduce((sum, [, { count }]) => sum + count, 0);
  if (held < MOST * filled && !isWanted) return { aside: many };
  return { levels: frequent.map(([level]) => level), other: freeName("other") };
}
