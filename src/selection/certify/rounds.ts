/**
 * The rounds of candidates and certificate:
 *
 *     candidates ─▶ weigh ⇄ judge ⇄ look beyond
 *
 * Whatever the certificate finds outside joins the candidates, until nothing does: first single columns; then, when
 * none is left, groups of columns that belong together only. What models may hold of the rest goes into their weights in
 * the next round. What weighs and judges is a posterior of some kind; nothing here knows which.
 */

import type { Hidden, Left, Looks, WeighedGroup } from "../hidden/look.js";
import type { Posterior, Weighed } from "../posterior/posterior.js";
import { amongScales, logPriorAt, memberGain, normalized, type Slab } from "../posterior/slab.js";
import { above, belonging, JOIN } from "./belonging.js";
import type { Outside } from "./certificate.js";

/** At most so many join at first, later as many as there are. */
export const JOIN_AT_ONCE = 40;
/** After so many rounds, whoever comes near joins as well: those who come and go with the chance of short chains. */
const PATIENCE = 4;
const NEAR = 0.25 * JOIN;
/** After so many, nobody joins any more. */
const MAX_ROUNDS = 16;
/** The posterior has been to a group whose members have this share of its probability. */
const UNSEEN = 0.25;
/** What is known of the rest is taken into account where probabilities may be off by more than this. */
const FELT = 0.001;
/** Where columns are many more than rows: looks for models elsewhere, the chains of each, and columns that take part. */
const OTHER_STARTS = 2;
const MOST_STARTS = 7;
const WIDE = 600;
/** Columns that mean nothing seem to explain as much together once in so many sets of data. */
export const ALARM = 0.002;

export interface Rounds<W extends Weighed> {
  readonly posterior: Posterior<W>;
  /** Columns that can be candidates at all. */
  readonly usable: readonly number[];
  /** Where to start, in rising order. */
  readonly first: readonly number[];
  /** The look beyond single columns; absent where the posterior cannot be looked beyond. */
  readonly looks?: Looks<W> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timed: <T>(stage: "certify" | "polish", work: () => Promise<T>) => Promise<T>;
}

export interface Settled<W extends Weighed> {
  readonly weighed: W;
  /** What the last pass said of the others; undefined where there are none, or none was asked after the last joined. */
  readonly judged: Outside | undefined;
  /** What the last look beyond single columns found; undefined where there was none after the last joined. */
  readonly beyond: LookedBeyond | undefined;
  /** Whether every usable column is a candidate or was judged not to belong, alone or in a group. */
  readonly complete: boolean;
  /** Whether someone stopped it before its end. */
  readonly unfinished: boolean;
}

/** The groups that were weighed, and what is left for all columns together. */
export interface LookedBeyond extends Pick<Hidden, "groups" | "paired"> {
  readonly left: Left;
  /** Groups for which there was no room among the candidates. */
  readonly missed: readonly WeighedGroup[];
}

export async function settle<W extends Weighed>(rounds: Rounds<W>): Promise<Settled<W>> {
  const { posterior, usable, first, signal, timed, looks } = rounds;
  let candidates = first;
  let weighed: W | undefined;
  let starts: readonly (readonly number[])[] = [];
  /** The slab with what is known of the rest. */
  let known: Slab | undefined;
  const tried = new Set<string>();
  let widened = false;
  let otherStarts = OTHER_STARTS;
  for (let round = 0; ; round++) {
    const stopped = signal?.aborted === true;
    // Those that start with all columns have nobody to judge.
    const whole = candidates.length === usable.length;
    const last = round === MAX_ROUNDS;
    const slab = whole ? undefined : known;
    const before = weighed;
    const thorough = (whole || last) && !stopped;
    const now = await timed("polish", () => posterior.weigh(candidates, { thorough, before, starts, slab }));
    const unfinished = stopped || now.weights.unfinished === true;
    // What was said of the others was said before the last candidates joined.
    if (stopped || (whole && unfinished)) {
      return { weighed: now, judged: undefined, beyond: undefined, complete: whole, unfinished };
    }
    weighed = now;
    const judged = whole ? undefined : await timed("certify", () => posterior.judge(now));
    const room = last ? 0 : posterior.mostCandidates - candidates.length;
    const alone = judged ? newcomers(judged, candidates.length, room, round >= PATIENCE ? NEAR : JOIN) : [];
    if (alone.length > 0) {
      known = judged?.slab;
      const company = await posterior.withCompany(alone);
      candidates = union(candidates, company);
      continue;
    }
    if (judged && !last && changes(now, judged) > FELT) {
      known = judged.slab;
      continue;
    }
    // Whoever joins from here on was counted among the rest.
    known = undefined;
    const looking = signal?.aborted ? undefined : looks;
    const hidden = looking && (await timed("certify", () => looking.beside(now, judged)));
    // A group that has had its chance is as probable as the sampler says.
    const missed =
      hidden?.groups.filter((group) => !tried.has(group.columns.join()) && isMissed(group, now)) ?? [];
    const together = last ? [] : joiningGroups(missed, candidates, room);
    if (together.length > 0) {
      starts = startsWith(now, missed);
      for (const { columns } of together) tried.add(columns.join());
      candidates = union(candidates, await posterior.withCompany(together.flatMap(({ columns }) => columns)));
      continue;
    }
    if (looking && otherStarts > 0 && !whole && !last) {
      otherStarts -= 1;
      const other = await elsewhere(rounds, looking, now);
      if (other) {
        starts = other.starts;
        candidates = union(candidates, other.columns);
        continue;
      }
      otherStarts = 0;
    }
    const left = hidden && (await timed("certify", hidden.overall));
    if (left && left.pValue < ALARM && !widened && !whole && !last) {
      // Something is left that shows neither alone nor in groups: the columns nearest to it take part.
      widened = true;
      candidates = union(candidates, left.strongest.slice(0, room));
      continue;
    }
    const settled = thorough
      ? now
      : await timed("polish", () =>
          posterior.weigh(candidates, { thorough: true, before: now, starts, slab }),
        );
    const complete = (!judged || belonging(judged).length === 0) && missed.length === 0;
    const beyond = hidden && left && { ...hidden, left, missed };
    return {
      weighed: settled,
      judged,
      beyond,
      complete,
      // A check that was left out is as good as not done.
      unfinished: settled.weights.unfinished === true || looking !== looks,
    };
  }
}

/**
 * Models that lie elsewhere: chains from quite different starts, over as many columns as can be had. What they hold
 * joins, so that the mass of all modes is weighed on the same candidates; undefined where they hold nothing new.
 */
async function elsewhere<W extends Weighed>(
  { posterior, timed }: Rounds<W>,
  { fromNothing }: Looks<W>,
  now: W,
): Promise<{ starts: number[][]; columns: number[] } | undefined> {
  if (!fromNothing) return undefined;
  const found = await timed("certify", () => fromNothing(now));
  const best = distinct(
    [...found.groups].sort((a, b) => b.logOdds - a.logOdds).map(({ columns }) => columns),
  );
  const room = posterior.mostCandidates - now.candidates.length;
  const wide = union(now.candidates, [...best.flat(), ...found.byScore].slice(0, Math.min(room, WIDE)));
  const weighed = await timed("polish", () => posterior.weigh(wide, { thorough: false, starts: best }));
  const known = new Set(now.candidates);
  const { inclusion } = weighed.weights;
  const columns = wide.filter((j, i) => inclusion[i] > JOIN && !known.has(j));
  if (columns.length === 0) return undefined;
  const models = weighed.weights.models.map(({ members }) => members.map((i) => wide[i]));
  return { starts: distinct(models).slice(0, 3), columns };
}

/** How far a probability could move if models were weighed with what is now known of the rest. */
function changes({ weights, space }: Weighed, { slab }: Outside): number {
  const before = weights.slab;
  const after = amongScales(slab, before);
  const spread = weights.inclusion.reduce((most, p) => Math.max(most, p * (1 - p)), 0);
  const members = weights.size.reduce((sum, share, k) => sum + share * k, space.always.length);
  const logs = before.scales.map((_, s) => {
    return Math.log(weights.scale[s]) + logPriorAt(after, s, members) - logPriorAt(before, s, members);
  });
  const shares = normalized(logs).map(Math.exp);
  const away = before.scales.map((_, s) => Math.abs(shares[s] - weights.scale[s]));
  const more = before.scales.map(
    (_, s) => Math.abs(memberGain(after, s) - memberGain(before, s)) * shares[s],
  );
  return spread * [...away, ...more].reduce((sum, value) => sum + value, 0);
}

/** The first of some sets, and those that share less than half of themselves with any before. */
function distinct(sets: readonly (readonly number[])[]): number[][] {
  const kept: number[][] = [];
  for (const set of sets) {
    const alike = kept.some((other) => 2 * set.filter((j) => other.includes(j)).length >= set.length);
    if (!alike) kept.push([...set]);
    if (kept.length === MOST_STARTS) break;
  }
  return kept;
}

function union(some: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...some, ...others])].sort((a, b) => a - b);
}

/**
 * Whether a group belongs that the posterior knows nothing of: one with a column that is no candidate, or one that the
 * sampler cannot have seen, since it makes a better model than its best, of variables to which it gives little.
 */
function isMissed(
  { columns, probability, logOdds }: WeighedGroup,
  { candidates, weights, misjudged }: Weighed,
): boolean {
  if (probability <= JOIN) return false;
  const places = columns.map((j) => candidates.indexOf(j));
  const odds = places.reduce((sum, i) => sum + (misjudged?.[i] ?? 0), logOdds);
  return places.some((i) => {
    return i < 0 || (!weights.exact && odds > 0 && weights.inclusion[i] < UNSEEN * probability);
  });
}

/** The most probable of them for which there is room. */
function joiningGroups(
  groups: readonly WeighedGroup[],
  candidates: readonly number[],
  room: number,
): WeighedGroup[] {
  const known = new Set(candidates);
  let left = Math.min(JOIN_AT_ONCE, room);
  return groups.filter(({ columns }) => {
    const strangers = columns.filter((j) => !known.has(j));
    if (strangers.length > left) return false;
    left -= strangers.length;
    for (const j of strangers) known.add(j);
    return true;
  });
}

/** The best model with all groups that raise its probability and do not overlap, and with the best group alone. */
function startsWith({ candidates, weights }: Weighed, groups: readonly WeighedGroup[]): number[][] {
  const top = weights.models[0].members.map((i) => candidates[i]);
  const sorted = [...groups].sort((a, b) => b.logOdds - a.logOdds);
  const taken = new Set<number>();
  for (const { columns, logOdds } of sorted) {
    if (logOdds > 0 && !columns.some((j) => taken.has(j))) for (const j of columns) taken.add(j);
  }
  return [union(top, [...taken]), union(top, sorted[0].columns)];
}

/** The outsiders that belong most, as many as there is room for; where there are any, with those that come near. */
function newcomers(judged: Outside, candidates: number, room: number, near: number): number[] {
  const { pip } = judged;
  const belong = belonging(judged);
  if (belong.length === 0) return [];
  const close = above(pip, near);
  return union(belong, close)
    .sort((a, b) => pip[b] - pip[a])
    .slice(0, Math.max(0, Math.min(room, Math.max(JOIN_AT_ONCE, candidates))));
}
