import { partOf, sharedNumbers } from "../../kernels/shared-numbers.js";
import type { Layout } from "../../store/layout/layout.js";
import { columnPieces } from "../../workers/pieces.js";
import { subsetStatistics } from "../posterior/evidence.js";
import { thinnedModels, type WeightedModel } from "../posterior/model-weights.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { scaleLaw, scalesThatMatter } from "../posterior/scale-law.js";
import { memberGain, type Slab } from "../posterior/slab.js";
import {
  type Certified,
  type CertifyInput,
  certifyJob,
  type Judges,
  noVerdicts,
  type Verdicts,
} from "./certify.js";
import { slabWithOthers } from "./others.js";

/** Models that judge the outsiders: those that carry this share of the posterior, but not too many. */
const JUDGED = 0.95;
const MAX_JUDGES = 8;
/** Where they do not suffice, a fair sample of so many, whose models use at most so many columns. */
const SAMPLED_JUDGES = 24;
const SAMPLED_COLUMNS = 64;

/** A scale of the slab with a smaller share of its model has no say. */
const NEGLIGIBLE = 0.05;

/** What the certificate's pass finds: a verdict on every usable column outside the candidates. */
export interface Outside extends Verdicts {
  /** Σ pip, and how far that may be off because judges differ. */
  readonly mass: number;
  readonly massError: number;
  /** The slab with what models of candidates may hold of these, and what these add at each of its scales. */
  readonly slab: Slab;
  readonly factors: readonly number[];
}

/**
 * Products of all columns with some of them, by those: the same in every round, so they are summed once, as far as there
 * is room for so many numbers.
 */
export type KnownProducts = Map<number, Float64Array>;
const MOST_KNOWN = 4e6;

/**
 * A piece builds all judges for itself, and of classes and counts the weights of all rows, a millisecond or two: it
 * should have so many columns to judge, or so many numbers to read.
 */
const LEAST_COLUMNS = 250;
const LEAST_NUMBERS = 1.25e7;

/** The certificate's pass over the columns themselves; `sumOf` a candidate as the model sees it. */
export async function judgeOutsiders(
  problem: Problem,
  weighed: Weighed,
  sumOf: (candidate: number) => number,
  known: KnownProducts = new Map(),
): Promise<Outside> {
  const { store, pool, screen, scaling, spec } = problem;
  const { columns } = store.layout;
  const rows = store.layout.rows;
  const judges = judgesOf(problem, weighed, sumOf);
  const outside = outsiders(problem, weighed);
  const yMean = spec.centred ? 0 : screen.mean[columns] + store.shift[columns];
  const unknown = judges.columns.filter((j) => !known.has(j));
  const room = Math.max(0, Math.floor(MOST_KNOWN / columns) - known.size);
  const keep = unknown.slice(0, room);
  const [diagonal, cross] = [sharedNumbers(columns), sharedNumbers(columns)];
  for (let j = 0; j < columns; j++) {
    const mean = spec.centred ? 0 : screen.mean[j] + store.shift[j];
    const slope = scaling.slope[j];
    const product = screen.correlation[j] * screen.sd[j] * screen.sd[columns] * (rows - 1);
    diagonal[j] = slope * slope * (screen.sd[j] ** 2 * (rows - 1) + rows * mean * mean);
    cross[j] = slope * (product + rows * mean * yMean);
  }
  const jobs = piecesToJudge(store.layout, unknown.length === 0).map(({ first, last }): CertifyInput => {
    const own = (all: Float64Array): Float64Array => partOf(all, first, last);
    return {
      judges,
      first,
      last,
      outside: outside.slice(first, last),
      kept: keep.length,
      diagonal: own(diagonal),
      cross: own(cross),
      known: judges.columns.map((j) => known.get(j)).map((sums) => sums && own(sums)),
    };
  });
  const parts = await pool.run(certifyJob, jobs, problem.run("certify"));
  keep.forEach((j, c) => {
    const all = sharedNumbers(columns);
    for (const { first, fresh } of parts) all.set(fresh[c], first);
    known.set(j, all);
  });
  return collectVerdicts(problem, judges, parts);
}

/** How the pass over all columns is cut, whose rows may have been read before. */
export function piecesToJudge({ rows, columns }: Pick<Layout, "rows" | "columns">, isRead: boolean) {
  return columnPieces(columns, isRead ? LEAST_COLUMNS : Math.min(LEAST_COLUMNS, LEAST_NUMBERS / rows));
}

/** Marks the columns to be judged: neither candidates nor constant. */
export function outsiders({ screen, store }: Problem, { candidates }: Weighed): Uint8Array {
  const outside = Uint8Array.from({ length: store.layout.columns }, (_, j) => (screen.sd[j] > 0 ? 1 : 0));
  for (const j of candidates) outside[j] = 0;
  return outside;
}

export function collectVerdicts(
  { store, spec, always }: Problem,
  { models, covered, scales }: Judges,
  parts: readonly Certified[],
): Outside {
  const verdicts = noVerdicts(store.layout.columns);
  const kinds = Object.keys(verdicts) as (keyof Verdicts)[];
  for (const part of parts) for (const kind of kinds) verdicts[kind].set(part[kind], part.first);
  const masses = models.map((_, m) => parts.reduce((sum, part) => sum + part.mass[m], 0));
  const factors = spec.slab.scales.map((scale) => {
    const at = scales.indexOf(scale);
    return at < 0 ? 0 : parts.reduce((sum, part) => sum + part.factors[at], 0);
  });
  const mass = verdicts.pip.reduce((sum, pip) => sum + pip, 0);
  const away = masses.map((value) => value - mass);
  const sampled = Math.sqrt(models.reduce((sum, { weight }, m) => sum + (weight * away[m]) ** 2, 0));
  const unheard = (1 - covered) * Math.max(...away.map(Math.abs));
  return {
    ...verdicts,
    mass,
    massError: covered > 0 ? unheard : sampled,
    factors,
    slab: slabWithOthers(spec.slab, spec, {
      factors,
      size:
        Math.round(models.reduce((sum, { weight, members }) => sum + weight * members.length, 0)) -
        always.length,
      forced: always.length,
    }),
  };
}

/** The most probable models, on the columns that they use between them. */
export function judgesOf(
  { scaling, spec }: Problem,
  { candidates, statistics, space, weights }: Weighed,
  sumOf: (candidate: number) => number,
): Judges {
  const { models, covered } = judging(weights.models);
  const total = models.reduce((sum, { probability }) => sum + probability, 0);
  const used = [...new Set(models.flatMap(({ members }) => members))].sort((a, b) => a - b);
  const at = new Map(used.map((candidate, i) => [candidate, i]));
  const selectable = (i: number): boolean => !space.always.includes(i);
  const heard = new Set(covered > 0 ? models.map(({ members }) => members.join()) : []);
  /** Members without whom the model is none that is heard already; those of a sample all may leave. */
  const leaving = (members: readonly number[]): number[] =>
    members.filter(selectable).filter((i) => {
      const neighbour = members.filter((j) => j !== i).join();
      const known = heard.has(neighbour);
      if (covered > 0) heard.add(neighbour);
      return !known;
    });
  return {
    columns: used.map((i) => candidates[i]),
    statistics: subsetStatistics(statistics, used),
    noiseVariance: spec.noiseVariance,
    slabKind: weights.slab.kind,
    scales: weights.slab.scales,
    covered,
    scaling,
    sums: used.map(sumOf),
    models: models.map(({ members, probability }) => {
      const free = members.length - space.always.length;
      const room = free < spec.maxSize;
      const law = scaleLaw(statistics, weights.slab, spec.noiseVariance, members);
      return {
        members: members.map((i) => at.get(i)!),
        scales: scalesThatMatter(weights.slab, law, NEGLIGIBLE).map((part) => {
          return { ...part, memberGain: memberGain(weights.slab, part.place) };
        }),
        weight: probability / total,
        withNeighbours: covered > 0,
        logPriorOfAdding: room
          ? spec.prior.logModel(free + 1) - spec.prior.logModel(free)
          : Number.NEGATIVE_INFINITY,
        logPriorOfLeaving: free > 0 ? spec.prior.logModel(free - 1) - spec.prior.logModel(free) : 0,
        leaving: leaving(members).map((i) => at.get(i)!),
      };
    }),
  };
}

/** The models that judge, and the share of the posterior that they carry; 0 where they are a sample of it. */
export function judging(all: readonly WeightedModel[]): {
  models: readonly WeightedModel[];
  covered: number;
} {
  const top: WeightedModel[] = [];
  let covered = 0;
  for (const model of all) {
    if (top.length > 0 && (covered >= JUDGED || top.length === MAX_JUDGES)) break;
    top.push(model);
    covered += model.probability;
  }
  if (covered >= JUDGED || all.length <= MAX_JUDGES) return { models: top, covered: Math.min(1, covered) };
  for (let count = SAMPLED_JUDGES; count > MAX_JUDGES; count--) {
    const sample = thinnedModels(all, count);
    const used = new Set(sample.flatMap(({ members }) => members));
    if (used.size <= SAMPLED_COLUMNS) return { models: sample, covered: 0 };
  }
  return { models: thinnedModels(all, MAX_JUDGES), covered: 0 };
}
