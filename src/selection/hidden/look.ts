/**
 * The look beyond single columns. A column that is useless by itself and beside any model may still belong together
 * with another (suppressors: x₁ − x₂ of two columns that are nearly the same), and many columns may matter a little
 * each. So, once no single column is left outside that belongs:
 *
 *     scores and sketches ─▶ every pair, by sketches ─▶ pairs and triples of promise ─▶ their exact odds
 *                        └─▶ what all columns together explain, against residuals with random signs
 *
 * and what every member may stand for, which may be many columns (parts.ts).
 */

import { studentTQuantile } from "../../math/distributions.js";
import { sharedWith } from "../../workers/crew.js";
import { judging, type Outside } from "../certify/certificate.js";
import type { GlmPoint } from "../expansion/expansion.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import type { WeightedModel } from "../posterior/model-weights.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { weighGroups } from "./group-odds.js";
import { neighbourhoods, promisingGroups } from "./groups.js";
import { overallSums } from "./overall.js";
import { NEIGHBOURS, neighbourLists, type PairScan, type PairScanInput, pairScanJob } from "./pair-scan.js";
import { partsOf } from "./parts.js";
import { type Remembered, recall, remember } from "./remembered.js";
import { residualScoresJob } from "./residual-scores.js";
import { scoresPass } from "./scores-pass.js";
import { flipsOf, gathered, type Seen } from "./seen.js";

/** What a posterior has to offer to those who look beyond single columns. */
export interface Beyond<W extends Weighed> {
  /** Where the model on these columns has its mode (or mean). */
  point(weighed: W, columns: readonly number[]): Promise<GlmPoint>;
  /**
   * Sums of products of any columns, weighted as the posterior weighs them: at least of those that are in one of the
   * sets of places in `columns`.
   */
  sums(
    weighed: W,
    columns: readonly number[],
    sets: readonly (readonly number[])[],
  ): Promise<SufficientStatistics>;
  /** Correlations of the columns of the store with a candidate, up to a factor; 0 where nothing is known. */
  likeness(weighed: W, candidate: number): Float64Array;
}

export interface Hidden {
  /** Groups that were weighed exactly, the most probable first. */
  readonly groups: readonly WeighedGroup[];
  /** Columns of which every pair was looked at; the others explain least by themselves. */
  readonly paired: number;
  /** All columns, those that explain most by themselves first. */
  readonly byScore: readonly number[];
  /** What all columns explain together: another pass. */
  overall(): Promise<Left>;
}

/** What is left for all columns together to explain. */
export interface Left {
  /** How often columns that mean nothing would seem to explain as much. */
  readonly pValue: number;
  /** Rough share of what the model leaves unexplained. */
  readonly share: number;
  /** Columns that seem to explain most, by themselves or after their neighbours. */
  readonly strongest: readonly number[];
}

export interface WeighedGroup {
  /** Columns of the store, in rising order. */
  readonly columns: readonly number[];
  readonly probability: number;
  /** log odds beside the most probable model. */
  readonly logOdds: number;
}

/** What the model explains already: variables that belong with more than this probability, and not too many. */
const EXPLAINED = 0.05;
const MOST_EXPLAINED = 40;
/** Products from which on pairs are compared once; later looks compare the strongest columns with all others. */
const SCAN_ONCE = 5e8;
const STRONG_COLUMNS = 512;
/** Sketches of unrelated columns are this close once in about 7,000 times. */
const NEAR_DEVIATIONS = 3.8;
const BY_CHANCE = 1 / 7000;
/** Columns are neighbours from here on at the latest, unless rows are so few that chance goes beyond. */
const ALWAYS_NEAR = 0.9;
/** Pairs are worth a closer look although their odds seem to be this small, in logs: sketches err. */
const BENEFIT_OF_DOUBT = 5;
/** The p-value below which flips are asked for so many times more. */
const DOUBT = 0.1;
const MORE_FLIPS = 4;
/** Of the strongest columns that are named. */
const STRONGEST = 100;

export interface Looks<W extends Weighed> {
  /** Beside the model that there is. */
  beside(weighed: W, judged: Outside | undefined): Promise<Hidden>;
  /** As if there were none: where other models could start; absent where rows are not few and columns many. */
  fromNothing?(weighed: W): Promise<Hidden>;
}

/**
 * Looks that remember which columns are neighbours: that hardly depends on the model. Where rows can only be asked about,
 * `atHand` is the same problem on those that can be read: they say which groups are of promise, and all rows what these
 * are worth.
 */
export function looksBeyond<W extends Weighed>(
  problem: Problem,
  beyond: Beyond<W>,
  atHand?: Problem,
): Looks<W> {
  const memory: Memory = { atHand };
  const { always, usable, store } = problem;
  return {
    beside: (weighed, judged) =>
      look(
        problem,
        beyond,
        { weighed, base: explaining(problem, weighed), judges: judgesOf(weighed), judged },
        memory,
      ),
    ...(!atHand &&
      store.layout.rows <= FEW_ROWS &&
      usable.length > MANY_COLUMNS * store.layout.rows && {
        fromNothing: (weighed) =>
          look(problem, beyond, { weighed, base: always, judges: [{ members: always, probability: 1 }] }, {}),
      }),
  };
}

/** With few rows and so many columns for each, quite different models may fit equally well. */
const FEW_ROWS = 500;
const MANY_COLUMNS = 2;

interface Standpoint<W extends Weighed> {
  readonly weighed: W;
  /** Columns that are taken for explained. */
  readonly base: readonly number[];
  /** Models that groups are weighed beside, as columns of the store. */
  readonly judges: readonly WeightedModel[];
  /** What is known from all rows of the columns outside. */
  readonly judged?: Outside | undefined;
}

/** The models that judge, as columns of the store, with probabilities that add up to one. */
function judgesOf({ candidates, weights }: Weighed): WeightedModel[] {
  const { models } = judging(weights.models);
  const total = models.reduce((sum, { probability }) => sum + probability, 0);
  return models.map(({ members, probability }) => ({
    members: members.map((i) => candidates[i]),
    probability: probability / total,
  }));
}

interface Memory {
  readonly atHand?: Problem | undefined;
  neighbours?: Remembered | undefined;
}

async function look<W extends Weighed>(
  problem: Problem,
  beyond: Beyond<W>,
  standpoint: Standpoint<W>,
  memory: Memory,
): Promise<Hidden> {
  const { pool, spec } = problem;
  const { atHand = problem } = memory;
  const { store } = atHand;
  const { weighed, base } = standpoint;
  const point = await beyond.point(weighed, base);
  const pass = scoresPass(atHand, point);
  const looked = await pool.run(residualScoresJob, pass.sketches(), problem.run("certify"));
  const isSome = atHand !== problem || pass.blocks < store.layout.blocks;
  const seen = gathered(problem, looked, isSome ? standpoint.judged : undefined);
  const { sketched, columns } = seen;
  const size = base.length - problem.always.length;
  const leastOf = { pair: interesting(problem, size, 2), triple: interesting(problem, size, 3) };
  const scan = await scanned(problem, seen, leastOf.pair, memory);
  const aroundOf = neighbourhoods(sketched, scan);
  const promising = promisingGroups(sketched, scan, aroundOf, leastOf).map(({ members }) =>
    members.map((i) => columns[i]).sort((a, b) => a - b),
  );
  const isHeld = new Set(base);
  const parts = base.flatMap((j) =>
    partsOf(beyond.likeness(weighed, j), j, (k) => problem.screen.sd[k] > 0 && !isHeld.has(k)),
  );
  const groups = [...promising, ...parts.filter(({ length }) => size + length <= spec.maxSize)];
  return {
    groups: spec.maxSize > 1 ? await exactly(problem, beyond, standpoint, groups) : [],
    paired: columns.length,
    byScore: columns,
    async overall() {
      const rows = Math.round((store.layout.rows * pass.blocks) / store.layout.blocks);
      const sums = overallSums(
        sketched.count,
        { count: seen.unpaired.length, byScore: seen.isCut },
        aroundOf,
      );
      // Few flips tell most data that mean nothing; where they leave a doubt, more are asked.
      for (let which = 0; which < 1 + MORE_FLIPS; which++) {
        const known = which === 0 && pass.flipsAtOnce;
        const flips = known
          ? looked
          : await pool.run(residualScoresJob, pass.flips(which), problem.run("certify"));
        const { paired, rest } = flipsOf(flips, seen, store.layout.columns);
        sums.add(paired, rest);
        if (which === 0 && sums.verdict(rows).pValue > DOUBT) break;
      }
      const strength = (i: number): number => Math.max(sums.own[i], sketched.strength[i] ** 2);
      const strongest = Array.from(columns.keys()).sort((a, b) => strength(b) - strength(a));
      return { ...sums.verdict(rows), strongest: strongest.slice(0, STRONGEST).map((i) => columns[i]) };
    },
  };
}

/** The columns of the store that the posterior takes into account, in rising order. */
function explaining({ always, store }: Problem, { candidates, weights }: Weighed): number[] {
  const most = Math.max(always.length, Math.min(MOST_EXPLAINED, Math.floor(store.layout.rows / 4)));
  const fixed = new Set(always);
  return Array.from(candidates.keys())
    .filter((i) => weights.inclusion[i] > EXPLAINED || fixed.has(candidates[i]))
    .sort((a, b) => weights.inclusion[b] - weights.inclusion[a])
    .slice(0, most)
    .map((i) => candidates[i])
    .sort((a, b) => a - b);
}

/** The χ² from which on so many columns together may outweigh what the prior has against them. */
function interesting({ spec }: Problem, size: number, joining: number): number {
  const { prior, maxSize } = spec;
  if (size + joining > maxSize) return Number.POSITIVE_INFINITY;
  const against = prior.logModel(size) - prior.logModel(size + joining);
  return Math.max(2 * joining, 2 * (against - BENEFIT_OF_DOUBT));
}

async function scanned(
  problem: Problem,
  { sketched, columns }: Seen,
  least: number,
  memory: Memory,
): Promise<PairScan> {
  const { count, length, strength } = sketched;
  const sketches = sharedWith(problem.pool, sketched.sketches);
  const near = nearness(length);
  const known = 0.5 * count * count * length > SCAN_ONCE ? memory.neighbours : undefined;
  const inputs = scanPieces(count, known ? Math.min(count, STRONG_COLUMNS) : count).map(
    (piece): PairScanInput => ({ sketches, count, length, strength, least, near, ...piece }),
  );
  const parts = await problem.pool.run(pairScanJob, inputs, problem.run("certify"));
  const lists = neighbourLists(count);
  // A pair was seen by one part only, which has put it on both lists.
  for (const part of parts) {
    for (let j = 0; j < count; j++) {
      for (let at = j * NEIGHBOURS; at < (j + 1) * NEIGHBOURS && part.neighbours[at] >= 0; at++) {
        lists.put(j, part.neighbours[at], part.closeness[at]);
      }
    }
  }
  const again = known ? recall(sketched, columns, known, lists, least) : { pairs: [], worth: [] };
  if (!known) memory.neighbours = remember(lists.neighbours, columns, problem.store.layout.columns);
  return {
    pairs: Int32Array.from([...parts.flatMap((part) => [...part.pairs]), ...again.pairs]),
    worth: Float64Array.from([...parts.flatMap((part) => [...part.worth]), ...again.worth]),
    neighbours: lists.neighbours,
    closeness: lists.closeness,
  };
}

/** The correlation from which on columns are neighbours: beyond it unrelated ones are too few to matter. */
export function nearness(length: number): number {
  const usual = NEAR_DEVIATIONS / Math.sqrt(length);
  if (usual <= ALWAYS_NEAR) return usual;
  // A sketch of so few numbers is the column itself, less its mean.
  const freedom = length - 2;
  if (freedom < 1) return 1;
  const t = studentTQuantile(1 - 0.5 * BY_CHANCE, freedom);
  return Math.max(ALWAYS_NEAR, t / Math.sqrt(t * t + freedom));
}

/** Pieces of about the same work, although the first columns have the most others after them; they start evenly. */
function scanPieces(count: number, last: number): { first: number; last: number }[] {
  const pieces = Math.min(4, Math.ceil(last / 2));
  const edge = (i: number): number =>
    i === pieces ? last : 2 * Math.floor((last * (1 - Math.sqrt(1 - i / pieces))) / 2);
  return Array.from({ length: pieces }, (_, i) => ({ first: edge(i), last: Math.min(count, edge(i + 1)) }));
}

async function exactly<W extends Weighed>(
  { spec, always }: Problem,
  beyond: Beyond<W>,
  { weighed, judges }: Standpoint<W>,
  groups: readonly (readonly number[])[],
): Promise<WeighedGroup[]> {
  if (groups.length === 0) return [];
  const ofJudges = [...new Set(judges.flatMap(({ members }) => members))];
  const columns = [...new Set([...ofJudges, ...groups.flat()])].sort((a, b) => a - b);
  const at = new Map(columns.map((j, i) => [j, i]));
  const places = (members: readonly number[]): number[] => members.map((j) => at.get(j)!);
  const sets = groups.map((group) => places([...new Set([...ofJudges, ...group])]));
  const verdicts = weighGroups({
    statistics: await beyond.sums(weighed, columns, sets),
    spec: { ...spec, slab: weighed.weights.slab },
    judges: judges.map(({ members, probability }) => ({ members: places(members), probability })),
    forced: always.length,
    groups: groups.map(places),
  });
  return groups
    .map((group, g) => ({ columns: group, ...verdicts[g] }))
    .sort((a, b) => b.probability - a.probability);
}
