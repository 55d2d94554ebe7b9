/**
 * The look beyond single columns. A column that is useless by itself and beside any model may still belong together
 * with another (suppressors: x₁ − x₂ of two columns that are nearly the same), and many columns may matter a little
 * each. So, once no single column is left outside that belongs:
 *
 *     scores and sketches ─▶ every pair, by sketches ─▶ pairs and triples of promise ─▶ their exact odds
 *                        └─▶ what all columns together explain, against residuals with random signs
 */

import { nameOf } from "../../families/register.js";
import { columnPieces } from "../../workers/pieces.js";
import { judging } from "../certify/certificate.js";
import type { GlmPoint } from "../expansion/expansion.js";
import type { SufficientStatistics } from "../posterior/evidence.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { weighGroups } from "./group-odds.js";
import { promisingGroups, type Sketched } from "./groups.js";
import { overallCheck } from "./overall.js";
import { NEIGHBOURS, neighbourLists, type PairScan, type PairScanInput, pairScanJob } from "./pair-scan.js";
import { FLIPS, type ResidualScores, type ResidualScoresInput, residualScoresJob } from "./residual-scores.js";

/** What a posterior has to offer to those who look beyond single columns. */
export interface Beyond<W extends Weighed> {
  /** Where the model on these columns has its mode (or mean). */
  point(weighed: W, columns: readonly number[]): Promise<GlmPoint>;
  /** Sums of products of any columns, weighted as the posterior weighs them. */
  sums(weighed: W, columns: readonly number[]): Promise<SufficientStatistics>;
}

export interface Hidden {
  /** Groups that were weighed exactly, the most probable first. */
  readonly groups: readonly WeighedGroup[];
  /** Columns of which every pair was looked at; the others explain least by themselves. */
  readonly paired: number;
  readonly overall: { readonly pValue: number; readonly share: number };
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
/** Products that flips may take: beyond, they see the first blocks alone, whose rows are as good as any. */
const FLIP_WORK = 1.5e9;
const LEAST_ROWS = 1000;
/** The longest sketch, and the most products that comparing all of them may take. */
const SKETCH = { longest: 128, shortest: 64 };
const SCAN_WORK = 1.6e10;
/** Sketches of unrelated columns are this close once in about 7,000 times. */
const NEAR_DEVIATIONS = 3.8;
/** Pairs are worth a closer look although their odds seem to be this small, in logs: sketches err. */
const BENEFIT_OF_DOUBT = 5;
/** Of the strongest columns that are named. */
const STRONGEST = 100;

export async function lookBeyond<W extends Weighed>(
  problem: Problem,
  beyond: Beyond<W>,
  weighed: W,
): Promise<Hidden> {
  const { store, pool, spec } = problem;
  const base = explaining(problem, weighed);
  const point = await beyond.point(weighed, base);
  const inputs = scoreInputs(problem, point);
  const parts = await pool.run(residualScoresJob, inputs, problem.run("certify"));
  const { sketched, columns, flipped } = gathered(problem, parts, inputs[0].sketch);
  const size = base.length - problem.always.length;
  const leastOf = { pair: interesting(problem, size, 2), triple: interesting(problem, size, 3) };
  const scan = await scanned(problem, sketched, leastOf.pair);
  const rows = Math.round((store.layout.rows * inputs[0].blocks) / store.layout.blocks);
  const { own, ...overall } = overallCheck(sketched, scan.neighbours, flipped, rows);
  const groups = promisingGroups(sketched, scan, leastOf).map(({ members }) =>
    members.map((i) => columns[i]).sort((a, b) => a - b),
  );
  const strength = (i: number): number => Math.max(own[i], sketched.strength[i] ** 2);
  return {
    groups: spec.maxSize > 1 ? await exactly(problem, beyond, weighed, groups) : [],
    paired: columns.length,
    overall,
    strongest: Array.from(columns.keys())
      .sort((a, b) => strength(b) - strength(a))
      .slice(0, STRONGEST)
      .map((i) => columns[i]),
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

function scoreInputs(problem: Problem, point: GlmPoint): ResidualScoresInput[] {
  const { store, scaling, screen, spec, target, seed } = problem;
  const { rows, columns, blocks } = store.layout;
  const wanted = new Uint8Array(columns);
  for (const j of problem.usable) wanted[j] = 1;
  for (const j of point.columns) wanted[j] = 0;
  const most = Math.max(LEAST_ROWS, FLIP_WORK / (columns * FLIPS));
  const flippedBlocks = Math.max(1, Math.min(blocks, Math.floor((most * blocks) / rows)));
  const flippedRows = Math.floor((flippedBlocks * rows) / blocks);
  const affordable = SCAN_WORK / (0.5 * columns ** 2);
  const sketch = Math.min(
    flippedRows,
    Math.max(SKETCH.shortest, Math.min(SKETCH.longest, 32 * Math.floor(affordable / 32))),
  );
  return columnPieces(columns).map(({ first, last }) => ({
    family: nameOf(target.family),
    scaling,
    point,
    hasIntercept: spec.centred,
    seed,
    first,
    last,
    wanted: wanted.slice(first, last),
    means: screen.mean.slice(first, last),
    blocks: flippedBlocks,
    sketch,
  }));
}

/** All columns of which the model leaves something, by falling score and turned so that scores are positive. */
function gathered(problem: Problem, parts: readonly ResidualScores[], length: number) {
  const { family } = problem.target;
  const noise = Math.sqrt(family.quadratic ? (problem.spec.noiseVariance ?? parts[0].dispersion) : 1);
  const width = FLIPS + 1;
  const all = parts.flatMap((part, p) =>
    Array.from(part.score, (score, i) => ({ p, i, j: part.first + i, score: score / noise })),
  );
  const most = Math.floor(Math.sqrt((2 * SCAN_WORK) / length));
  const kept = all
    .filter(({ score }) => score !== 0)
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score) || a.j - b.j)
    .slice(0, most);
  const sketches = new Float32Array(kept.length * length);
  const flipped = new Float32Array(kept.length * width);
  kept.forEach(({ p, i, score }, at) => {
    const sign = score < 0 ? -1 : 1;
    const { sketch, flipped: own } = parts[p];
    for (let x = 0; x < length; x++) sketches[at * length + x] = sign * sketch[i * length + x];
    for (let k = 0; k < width; k++) flipped[at * width + k] = sign * own[i * width + k];
  });
  const strength = Float64Array.from(kept, ({ score }) => Math.abs(score));
  const sketched: Sketched = { sketches, length, count: kept.length, strength };
  return { sketched, columns: kept.map(({ j }) => j), flipped };
}

/** The χ² from which on so many columns together may outweigh what the prior has against them. */
function interesting({ spec }: Problem, size: number, joining: number): number {
  const { prior, maxSize } = spec;
  if (size + joining > maxSize) return Number.POSITIVE_INFINITY;
  const against = prior.logModel(size) - prior.logModel(size + joining);
  return Math.max(2 * joining, 2 * (against - BENEFIT_OF_DOUBT));
}

async function scanned(problem: Problem, sketched: Sketched, least: number): Promise<PairScan> {
  const { count, length, sketches, strength } = sketched;
  const near = Math.min(0.9, NEAR_DEVIATIONS / Math.sqrt(length));
  // The first columns have the most others after them: pieces of about the same work, even starts for pairs of rows.
  const pieces = Math.min(4, Math.ceil(count / 2));
  const edge = (i: number): number =>
    i === pieces ? count : 2 * Math.floor((count * (1 - Math.sqrt(1 - i / pieces))) / 2);
  const inputs = Array.from({ length: pieces }, (_, i): PairScanInput => {
    return { sketches, count, length, strength, least, near, first: edge(i), last: edge(i + 1) };
  });
  const parts = await problem.pool.run(pairScanJob, inputs, problem.run("certify"));
  const { neighbours, closeness, put } = neighbourLists(count);
  // Every pair was seen by one part only, which has put it on both lists.
  for (const part of parts) {
    for (let j = 0; j < count; j++) {
      for (let at = j * NEIGHBOURS; at < (j + 1) * NEIGHBOURS && part.neighbours[at] >= 0; at++) {
        put(j, part.neighbours[at], part.closeness[at]);
      }
    }
  }
  return {
    pairs: Int32Array.from(parts.flatMap((part) => [...part.pairs])),
    worth: Float64Array.from(parts.flatMap((part) => [...part.worth])),
    neighbours,
    closeness,
  };
}

async function exactly<W extends Weighed>(
  { spec, always }: Problem,
  beyond: Beyond<W>,
  weighed: W,
  groups: readonly (readonly number[])[],
): Promise<WeighedGroup[]> {
  if (groups.length === 0) return [];
  const { candidates, weights } = weighed;
  const { models } = judging(weights.models);
  const total = models.reduce((sum, { probability }) => sum + probability, 0);
  const judges = models.map(({ members, probability }) => ({
    members: members.map((i) => candidates[i]),
    probability: probability / total,
  }));
  const columns = [...new Set([...judges.flatMap(({ members }) => members), ...groups.flat()])].sort(
    (a, b) => a - b,
  );
  const at = new Map(columns.map((j, i) => [j, i]));
  const places = (members: readonly number[]): number[] => members.map((j) => at.get(j)!);
  const verdicts = weighGroups({
    statistics: await beyond.sums(weighed, columns),
    spec,
    judges: judges.map(({ members, probability }) => ({ members: places(members), probability })),
    forced: always.length,
    groups: groups.map(places),
  });
  return groups
    .map((group, g) => ({ columns: group, ...verdicts[g] }))
    .sort((a, b) => b.probability - a.probability);
}
