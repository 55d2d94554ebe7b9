/**
 * The rounds of candidates and certificate:
 *
 *     candidates ─▶ weigh ⇄ judge
 *
 * Whatever the certificate finds outside joins the candidates, until nothing does. What weighs and judges is a
 * posterior of some kind; nothing here knows which.
 */

import type { Posterior, Weighed } from "../posterior/posterior.js";
import type { Outside } from "./certificate.js";

/** A variable outside the candidates joins them when it belongs with more than this probability. */
export const JOIN = 0.002;
/**
 * Those below it may stand in for members together, however little each does: what all of them take from the candidates
 * must not exceed this, or more join.
 */
export const THIN = 0.01;
/** At most so many join at first, later as many as there are. */
export const JOIN_AT_ONCE = 40;
const MAX_ROUNDS = 12;

export interface Rounds<W extends Weighed> {
  readonly posterior: Posterior<W>;
  /** Columns that can be candidates at all. */
  readonly usable: readonly number[];
  /** Where to start, in rising order. */
  readonly first: readonly number[];
  readonly signal: AbortSignal | undefined;
  readonly timed: <T>(stage: "certify" | "polish", work: () => Promise<T>) => Promise<T>;
}

export interface Settled<W extends Weighed> {
  readonly weighed: W;
  /** What the last pass said of the others; undefined where there are none, or none was asked after the last joined. */
  readonly judged: Outside | undefined;
  /** Whether every usable column is a candidate or was judged not to belong. */
  readonly complete: boolean;
  /** Whether someone stopped it before its end. */
  readonly unfinished: boolean;
}

export async function settle<W extends Weighed>(rounds: Rounds<W>): Promise<Settled<W>> {
  const { posterior, usable, first, signal, timed } = rounds;
  // Those that start with all columns have nobody to judge.
  const whole = first.length === usable.length;
  let candidates = first;
  let weighed: W | undefined;
  for (let round = 0; ; round++) {
    const stopped = signal?.aborted === true;
    const last = whole || round === MAX_ROUNDS || stopped;
    const before = weighed;
    const now = await timed("polish", () => posterior.weigh(candidates, last && !stopped, before));
    const unfinished = stopped || now.weights.unfinished === true;
    // What was said of the others was said before the last candidates joined.
    if (last) return { weighed: now, judged: undefined, complete: whole, unfinished };
    weighed = now;
    const judged = await timed("certify", () => posterior.judge(now));
    const joining = newcomers(judged, candidates.length, posterior.mostCandidates);
    if (joining.length === 0) {
      const settled = await timed("polish", () => posterior.weigh(candidates, true, now));
      const complete = belonging(judged).length === 0;
      return { weighed: settled, judged, complete, unfinished: settled.weights.unfinished === true };
    }
    const company = await posterior.withCompany(joining);
    candidates = [...new Set([...candidates, ...company])].sort((a, b) => a - b);
  }
}

/** The outsiders that belong most, as many as there is room for. */
function newcomers(judged: Outside, candidates: number, most: number): number[] {
  const room = Math.min(Math.max(JOIN_AT_ONCE, candidates), most - candidates);
  const { pip } = judged;
  return belonging(judged)
    .sort((a, b) => pip[b] - pip[a])
    .slice(0, Math.max(0, room));
}

/** Outsiders that cannot be left where they are: by themselves, or because too many like them stand in for members. */
export function belonging({ pip, exchange }: Pick<Outside, "pip" | "exchange">): number[] {
  const clear = Array.from(pip.keys()).filter((j) => pip[j] > JOIN);
  let thin = exchange.reduce((sum, value, j) => sum + (pip[j] > JOIN ? 0 : value), 0);
  if (thin <= THIN) return clear;
  const others = Array.from(exchange.keys())
    .filter((j) => pip[j] <= JOIN)
    .sort((a, b) => exchange[b] - exchange[a]);
  for (const j of others) {
    if (thin <= THIN) break;
    clear.push(j);
    thin -= exchange[j];
  }
  return clear;
}
