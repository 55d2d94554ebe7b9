/** The posterior of a family whose likelihood is quadratic: sums of products over all rows are all that it takes. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { slabConflict } from "../answer/slab-conflict.js";
import { steinOfMedian } from "../answer/stein-draws.js";
import { judgeOutsiders, type KnownProducts } from "../certify/certificate.js";
import { type Centre, centreOfRows } from "./centre.js";
import { Evidence, type SufficientStatistics } from "./evidence.js";
import { addGrams, gramJob, gramJobs } from "./gram.js";
import { lawsOf } from "./laws/many-laws.js";
import { components } from "./laws/mixture.js";
import { modelLaw } from "./laws/model-law.js";
import type { ModelSpace } from "./model-weights.js";
import { CHAINS, polish } from "./polish.js";
import type { Described, Posterior, Weighed } from "./posterior.js";
import { modelSpace, type Problem } from "./problem.js";
import { amongScales, slabAt } from "./slab.js";
import { standardStatistics } from "./standard-statistics.js";

/** So many candidates there may be, given the rows. */
export const CANDIDATES = { least: 300, most: 1000 };
/** Products (rows × candidates²) that all candidates together may take. */
const CANDIDATE_WORK = 5e10;

export function exactPosterior(problem: Problem): Posterior {
  const { pool, spec, options, seed } = problem;
  const { noiseVariance } = spec;
  const products: KnownProducts = new Map();
  return {
    mostCandidates: affordableCandidates(problem),
    withCompany: async (columns) => columns,
    async weigh(candidates, { thorough, before, starts, slab = spec.slab }) {
      // Nobody has joined: there is nothing new to sum.
      const known = before?.candidates.length === candidates.length ? before : undefined;
      const statistics = known?.statistics ?? (await gramOf(problem, candidates));
      const space = modelSpace(problem, candidates);
      refuseDependent(problem, candidates, statistics, space);
      const { signal } = options;
      const begin = placesOf(starts, candidates);
      const models = {
        statistics,
        noiseVariance,
        space,
        seed,
        signal,
        scouted: known !== undefined,
        slab: known ? amongScales(slab, known.weights.slab) : slab,
        ...(begin && { starts: begin }),
      };
      const weights = await polish(pool, models, thorough);
      return { candidates, statistics, space, weights };
    },
    judge: (weighed) =>
      judgeOutsiders(problem, weighed, (i) => sumOf(problem, weighed.candidates[i]), products),
    beyond: {
      async point(weighed, columns) {
        const members = columns.map((j) => weighed.candidates.indexOf(j));
        const [{ posterior }] = modelLaw(weighed.statistics, spec.slab, noiseVariance, members, false);
        return { columns, theta: posterior.mean, intercept: 0 };
      },
      sums: (_, columns, sets) => gramOf(problem, columns, sets),
      likeness: (weighed, candidate) => likeness(problem, weighed, candidate, products.get(candidate)),
    },
    describe: (weighed) => describeExact(problem, weighed),
  };
}

/** Models given as columns of the store, as positions among the candidates. */
export function placesOf(
  models: readonly (readonly number[])[] | undefined,
  candidates: readonly number[],
): number[][] | undefined {
  if (!models || models.length === 0) return undefined;
  const at = new Map(candidates.map((j, i) => [j, i]));
  return models.map((model) => model.flatMap((j) => at.get(j) ?? []));
}

export function affordableCandidates({ store }: Problem): number {
  const affordable = Math.floor(Math.sqrt(CANDIDATE_WORK / store.layout.rows));
  return Math.max(CANDIDATES.least, Math.min(CANDIDATES.most, affordable));
}

/** Of a column as the model sees it: zero where columns are centred. */
export function sumOf({ store, scaling, screen, spec }: Problem, j: number): number {
  return spec.centred ? 0 : store.layout.rows * (scaling.slope[j] * screen.mean[j] + scaling.offset[j]);
}

/**
 * Correlations of all columns with a candidate, up to a factor: of candidates by their own products, of others by those
 * of what the store holds of them, where they are known.
 */
export function likeness(
  { store, screen, scaling }: Problem,
  { candidates, statistics }: Weighed,
  candidate: number,
  outside: ArrayLike<number> | undefined,
): Float64Array {
  const found = new Float64Array(store.layout.columns);
  for (let j = 0; outside && j < found.length; j++) {
    if (screen.sd[j] > 0) found[j] = outside[j] / screen.sd[j];
  }
  const at = candidates.indexOf(candidate);
  candidates.forEach((j, i) => {
    found[j] = statistics.gram[at * statistics.size + i] / (scaling.slope[j] * screen.sd[j]);
  });
  return found;
}

async function gramOf(
  { store, pool, scaling, spec, run }: Problem,
  candidates: readonly number[],
  sets?: readonly (readonly number[])[],
): Promise<SufficientStatistics> {
  const columns = [...candidates, store.layout.columns];
  const withTarget = sets?.map((set) => [...set, candidates.length]);
  const jobs = gramJobs(store.layout, columns, withTarget);
  const sums = addGrams(await pool.run(gramJob, jobs, run("polish")));
  const scale = candidates.map((j) => scaling.slope[j]);
  const centring = spec.centred
    ? ({ centred: true } as const)
    : ({ centred: false, shift: columns.map((j) => store.shift[j]) } as const);
  return standardStatistics(sums, store.layout.rows, scale, centring);
}

/** Zellner's prior needs columns that do not depend on each other. */
function refuseDependent(
  { store, spec }: Problem,
  candidates: readonly number[],
  statistics: SufficientStatistics,
  { always }: ModelSpace,
): void {
  const evidence = new Evidence(statistics, slabAt(spec.slab, 0), spec.noiseVariance);
  for (const i of always) {
    if (!evidence.canAdd(i)) {
      throw new SparrowError(
        `Column "${store.names[candidates[i]]}" is a combination of the other ${option("always")} columns, which ${option("slab", "zellner")} does not allow; leave one of them out.`,
      );
    }
    evidence.add(i);
  }
}

function describeExact(problem: Problem, weighed: Weighed): Described {
  const { spec } = problem;
  const { candidates, statistics, weights } = weighed;
  const centre: Centre | undefined = spec.centred ? centreOfRows(problem, candidates) : undefined;
  const lawOf = (members: readonly number[], fine: boolean) =>
    modelLaw(statistics, weights.slab, spec.noiseVariance, members, fine).map((part) => ({
      ...part,
      centre,
    }));
  return {
    mixture: components(statistics, spec.noiseVariance, weights, (models) =>
      lawsOf({ statistics, slab: weights.slab, noiseVariance: spec.noiseVariance, centre }, models),
    ),
    component: (members) => ({ probability: 1, ...lawOf(members, false)[0] }),
    centre,
    chains: CHAINS,
    fixedLength: true,
    slabConflict: slabConflict(statistics, spec, weights.models[0].members),
    predictorLaw: () => undefined,
    atMode: true,
    // With centred columns the intercept is independent of everything else.
    stein: () =>
      steinOfMedian(problem, weighed, (members) => ({ ...lawOf(members, false)[0], centre: undefined })),
    settings: { posterior: weights.exact ? "enumerated" : "sampled", likelihood: "exact" },
  };
}
