/**
 * The default pipeline for Gaussian data, from the screen on:
 *
 *     search ─▶ candidates ─▶ polish ⇄ certify ─▶ summary
 *
 * Few enough columns are all candidates; otherwise Algorithm 1 proposes them. Whatever the certificate finds outside
 * joins, until nothing does.
 */

import { Rng } from "../math/rng.js";
import {
  betaBinomialPrior,
  inclusionPrior,
  type ModelPrior,
  sizePrior,
  uniformPrior,
} from "../models/model-priors.js";
import { defaultInclusion } from "../models/priors.js";
import type { Scaling } from "../store/scaling.js";
import type { Store } from "../store/store.js";
import type { RunOptions, Team } from "../team/team.js";
import type { Certified, CertifyJob, Judges } from "./certify.js";
import { Evidence, type Slab, type SufficientStatistics } from "./evidence.js";
import { addGrams, gramJobs } from "./gram.js";
import { components, summarizeCoefficients, summarizeNoise } from "./mixture.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";
import type { FitOptions } from "./options.js";
import { polish } from "./polish.js";
import type { Certificate, CoefficientSummary, ModelSizeSummary, VariableSummary } from "./result.js";
import type { Screen } from "./screen.js";
import type { ChainOutput } from "./search.js";
import { SELECTED } from "./search-summary.js";
import { standardStatistics } from "./standard-statistics.js";

/** A variable outside the candidates joins them when it belongs with more than this probability. */
const JOIN = 0.002;
/** At most so many join at a time, and so many candidates there may be. */
const JOIN_AT_ONCE = 40;
const MAX_CANDIDATES = 300;
const MAX_ROUNDS = 12;
/** Models that judge the outsiders: those that carry this share of the posterior, but not too many. */
const JUDGED = 0.95;
const MAX_JUDGES = 8;

export interface AutoProblem {
  readonly store: Store;
  readonly team: Team;
  readonly screen: Screen;
  readonly scaling: Scaling;
  /** Positions of columns that are in every model. */
  readonly always: readonly number[];
  readonly options: FitOptions;
  readonly seed: number;
  readonly run: (stage: "certify" | "polish") => RunOptions;
  readonly timed: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export interface AutoAnswer {
  readonly variables: VariableSummary[];
  readonly intercept?: CoefficientSummary;
  readonly modelSize: ModelSizeSummary;
  readonly models: { variables: string[]; probability: number }[];
  readonly noiseVariance?: { mean: number; lower: number; upper: number };
  readonly certificate: Certificate;
  readonly diagnostics: { rhat?: number; ess?: number; warnings: string[] };
  readonly settings: Record<string, unknown>;
}

/** Everything but the candidates: what a model is worth. */
interface Specification {
  readonly slab: Slab;
  readonly noiseVariance: number | undefined;
  readonly prior: ModelPrior;
  readonly maxSize: number;
  readonly selectable: number;
  readonly centred: boolean;
}

export async function fitAuto(
  problem: AutoProblem,
  search: readonly ChainOutput[] | undefined,
): Promise<AutoAnswer> {
  const { store, screen, options, seed } = problem;
  const usable = usableColumns(store, screen);
  const spec = specification(problem, usable.length);
  const rng = Rng.seeded(seed).split(POLISH_STREAM);
  const judged = new Map<number, { pip: number; effect: number }>();
  let candidates = search ? proposed(problem, search, usable) : usable;
  let complete = candidates.length === usable.length;
  let fitted: Fitted;
  for (let round = 0; ; round++) {
    const last = complete || round === MAX_ROUNDS || options.signal?.aborted === true;
    fitted = await problem.timed("polish", () =>
      fitCandidates(problem, spec, candidates, rng.split(round), last),
    );
    if (last) break;
    const outside = await problem.timed("certify", () => judgeOutsiders(problem, spec, fitted));
    judged.clear();
    for (const [j, verdict] of outside) judged.set(j, verdict);
    const joining = [...outside]
      .filter(([, { pip }]) => pip > JOIN)
      .sort((a, b) => b[1].pip - a[1].pip)
      .slice(0, Math.min(JOIN_AT_ONCE, MAX_CANDIDATES - candidates.length))
      .map(([j]) => j);
    if (joining.length === 0) {
      complete = ![...outside.values()].some(({ pip }) => pip > JOIN);
      fitted = await problem.timed("polish", () =>
        fitCandidates(problem, spec, candidates, rng.split(round), true),
      );
      break;
    }
    candidates = [...candidates, ...joining].sort((a, b) => a - b);
  }
  for (const j of candidates) judged.delete(j);
  return answer(problem, spec, fitted, judged, complete);
}

/** The streams from 0 up belong to the chains. */
const POLISH_STREAM = 1_000_033;

function usableColumns(store: Store, screen: Screen): number[] {
  return Array.from({ length: store.layout.columns }, (_, j) => j).filter((j) => screen.sd[j] > 0);
}

function specification({ store, options, always }: AutoProblem, usable: number): Specification {
  const rows = store.layout.rows;
  const selectable = usable - always.length;
  const zellner = options.slab === "zellner";
  const slab: Slab = zellner
    ? { kind: "zellner", scale: options.g ?? rows }
    : { kind: "independent", scale: options.slabVariance ?? 1 };
  const noise = options.noiseVariance ?? "unknown";
  return {
    slab,
    noiseVariance: noise === "unknown" ? undefined : noise,
    prior: modelPrior(options, selectable),
    maxSize: Math.max(0, Math.min(options.maxSize ?? 100, selectable, rows - 3 - always.length)),
    selectable,
    centred: options.intercept !== "none",
  };
}

function modelPrior(options: FitOptions, selectable: number): ModelPrior {
  const { modelPrior: kind = "inclusion", expectedSize } = options;
  if (kind === "uniform") return uniformPrior(selectable);
  if (kind === "beta-binomial") {
    return betaBinomialPrior(selectable, 1, expectedSize === undefined ? 1 : selectable / expectedSize - 1);
  }
  const inclusion = expectedSize === undefined ? defaultInclusion(selectable + 1) : expectedSize / selectable;
  return inclusionPrior(selectable, options.priorInclusion ?? inclusion);
}

/** What the search chains held on to, and what must be in. */
function proposed(
  { always }: AutoProblem,
  chains: readonly ChainOutput[],
  usable: readonly number[],
): number[] {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const pip = (j: number): number =>
    chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / Math.max(1, models);
  const chosen = usable
    .filter((j) => pip(j) > 0.1)
    .sort((a, b) => pip(b) - pip(a))
    .slice(0, JOIN_AT_ONCE);
  return [...new Set([...always, ...chosen])].sort((a, b) => a - b);
}

interface Fitted {
  readonly candidates: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly evidence: Evidence;
  readonly space: ModelSpace;
  readonly weights: ModelWeights;
}

async function fitCandidates(
  { store, team, scaling, always, options, run }: AutoProblem,
  spec: Specification,
  candidates: readonly number[],
  rng: Rng,
  thorough: boolean,
): Promise<Fitted> {
  const columns = [...candidates, store.layout.columns];
  const sums = addGrams(await team.run(gramJobs(store.layout, columns), run("polish")));
  const scale = candidates.map((j) => scaling.slope[j]);
  const centring = spec.centred
    ? ({ centred: true } as const)
    : ({ centred: false, shift: columns.map((j) => store.shift[j]) } as const);
  const statistics = standardStatistics(sums, store.layout.rows, scale, centring);
  const evidence = new Evidence(statistics, spec.slab, spec.noiseVariance);
  const space: ModelSpace = {
    logModel: spec.prior.logModel,
    always: always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0),
    maxSize: spec.maxSize,
  };
  return {
    candidates,
    statistics,
    evidence,
    space,
    weights: polish(rng, evidence, space, thorough, options.signal),
  };
}

/** The certificate's pass: a verdict on every usable column outside the candidates. */
async function judgeOutsiders(
  problem: AutoProblem,
  spec: Specification,
  fitted: Fitted,
): Promise<Map<number, { pip: number; effect: number }>> {
  const { store, team, screen, scaling } = problem;
  const { columns } = store.layout;
  const rows = store.layout.rows;
  const judges = judgesOf(problem, spec, fitted);
  const pieces = Math.min(columns, 4 * team.size);
  const yMean = spec.centred ? 0 : screen.mean[columns] + store.shift[columns];
  const jobs = Array.from({ length: pieces }, (_, i): CertifyJob => {
    const first = Math.floor((i * columns) / pieces);
    const last = Math.floor(((i + 1) * columns) / pieces);
    const diagonal = new Float64Array(last - first);
    const cross = new Float64Array(last - first);
    for (let j = first; j < last; j++) {
      const mean = spec.centred ? 0 : screen.mean[j] + store.shift[j];
      const slope = scaling.slope[j];
      const product = screen.correlation[j] * screen.sd[j] * screen.sd[columns] * (rows - 1);
      diagonal[j - first] = slope * slope * (screen.sd[j] ** 2 * (rows - 1) + rows * mean * mean);
      cross[j - first] = slope * (product + rows * mean * yMean);
    }
    return { kind: "certify", judges, first, last, diagonal, cross };
  });
  const parts: Certified[] = await team.run(jobs, problem.run("certify"));
  const inside = new Set(fitted.candidates);
  const verdicts = new Map<number, { pip: number; effect: number }>();
  for (const { first, pip, effect } of parts) {
    for (let i = 0; i < pip.length; i++) {
      const j = first + i;
      if (!inside.has(j) && screen.sd[j] > 0) verdicts.set(j, { pip: pip[i], effect: effect[i] });
    }
  }
  return verdicts;
}

/** The most probable models, on the columns that they use between them. */
function judgesOf({ scaling }: AutoProblem, spec: Specification, fitted: Fitted): Judges {
  const { candidates, statistics, space, weights } = fitted;
  const models = [];
  let covered = 0;
  for (const model of weights.models) {
    if (models.length > 0 && (covered >= JUDGED || models.length === MAX_JUDGES)) break;
    models.push(model);
    covered += model.probability;
  }
  const used = [...new Set(models.flatMap(({ members }) => members))].sort((a, b) => a - b);
  const at = new Map(used.map((candidate, i) => [candidate, i]));
  const k = used.length;
  const gram = new Float64Array(k * k);
  used.forEach((a, i) => {
    used.forEach((b, j) => {
      gram[i * k + j] = statistics.gram[a * statistics.size + b];
    });
  });
  const always = space.always.flatMap((i) => at.get(i) ?? []);
  return {
    columns: used.map((i) => candidates[i]),
    statistics: { ...statistics, size: k, gram, cross: Float64Array.from(used, (i) => statistics.cross[i]) },
    slab: spec.slab,
    noiseVariance: spec.noiseVariance,
    scaling,
    models: models.map(({ members, probability }) => {
      const free = members.length - space.always.length;
      const room = free < spec.maxSize;
      return {
        members: members.map((i) => at.get(i)!),
        weight: probability / covered,
        logPriorOfAdding: room
          ? spec.prior.logModel(free + 1) - spec.prior.logModel(free)
          : Number.NEGATIVE_INFINITY,
        exchange: true,
        always,
      };
    }),
  };
}

function answer(
  { store, screen, scaling, always, options }: AutoProblem,
  spec: Specification,
  { candidates, evidence, weights }: Fitted,
  judged: ReadonlyMap<number, { pip: number; effect: number }>,
  complete: boolean,
): AutoAnswer {
  const { columns, rows } = store.layout;
  const mixture = components(evidence, weights);
  const summaries = summarizeCoefficients(mixture, weights.inclusion);
  const variables: VariableSummary[] = candidates.map((j, i) => {
    const { mean, sd, lower, upper, meanIfIncluded, signProbability } = summaries[i];
    const s = scaling.slope[j];
    return {
      name: store.names[j],
      pip: weights.inclusion[i],
      pipError: weights.inclusionError[i],
      ...{
        mean: s * mean,
        sd: s * sd,
        lower: s * lower,
        upper: s * upper,
        meanIfIncluded: s * meanIfIncluded,
      },
      signProbability,
      selected: weights.inclusion[i] > SELECTED,
    };
  });
  const inside = new Set(candidates);
  for (let j = 0; j < columns; j++) {
    if (inside.has(j)) continue;
    const { pip, effect } = judged.get(j) ?? { pip: 0, effect: 0 };
    const meanIfIncluded = effect * scaling.slope[j];
    const mean = pip * meanIfIncluded;
    const sd = Math.abs(meanIfIncluded) * Math.sqrt(pip * (1 - pip));
    const name = store.names[j];
    variables.push({
      ...{ name, pip, pipError: 0, mean, sd, lower: 0, upper: 0, meanIfIncluded },
      signProbability: 0.5,
      selected: false,
    });
  }
  variables.sort((a, b) => b.pip - a.pip || Math.abs(b.mean) - Math.abs(a.mean));

  let largest: { name: string; pip: number } | undefined;
  let massOutside = 0;
  for (const [j, { pip }] of judged) {
    massOutside += pip;
    if (!largest || pip > largest.pip) largest = { name: store.names[j], pip };
  }
  const warnings = [];
  if (!complete) warnings.push(incompleteWarning(candidates.length, largest));
  const constant = store.names.filter((_, j) => screen.sd[j] === 0);
  if (constant.length > 0) {
    warnings.push(`Constant columns explain nothing and were left out: ${constant.slice(0, 5).join(", ")}.`);
  }
  return {
    variables,
    ...(spec.centred && { intercept: interceptOf(mixture, candidates, store, screen, scaling, rows, spec) }),
    modelSize: sizeSummary(weights.size, spec, always.length),
    models: weights.models.slice(0, 10).map(({ members, probability }) => ({
      variables: members.map((i) => store.names[candidates[i]]),
      probability,
    })),
    ...(spec.noiseVariance === undefined && { noiseVariance: summarizeNoise(mixture) }),
    certificate: {
      complete,
      candidates: candidates.length,
      threshold: JOIN,
      ...(largest && { largestOutside: largest }),
      massOutside,
    },
    diagnostics: { ...weights.mixing, warnings },
    settings: {
      modelPrior: spec.prior.kind,
      priorInclusion:
        options.priorInclusion ?? (options.expectedSize ? undefined : defaultInclusion(spec.selectable + 1)),
      slab: spec.slab.kind,
      ...(spec.slab.kind === "zellner" ? { g: spec.slab.scale } : { slabVariance: spec.slab.scale }),
      noiseVariance: spec.noiseVariance ?? "unknown",
      maxSize: spec.maxSize,
      scale: options.scale ?? "standard",
      intercept: spec.centred ? "always" : "none",
      posterior: weights.exact ? "enumerated" : "sampled",
    },
  };
}

function incompleteWarning(count: number, largest: { name: string; pip: number } | undefined): string {
  const left = largest ? `; the largest left out is ${largest.name} with ${largest.pip.toFixed(3)}` : "";
  return `The certificate is not complete: ${count} candidates were not enough${left}. Give a sparser prior.`;
}

/** The size posterior counts selectable variables; the summary counts all. */
function sizeSummary(posterior: Float64Array, spec: Specification, forced: number): ModelSizeSummary {
  let mean = 0;
  let cumulative = 0;
  let lower: number | undefined;
  let upper: number | undefined;
  posterior.forEach((probability, k) => {
    mean += probability * (k + forced);
    cumulative += probability;
    if (lower === undefined && cumulative >= 0.025) lower = k + forced;
    if (upper === undefined && cumulative >= 0.975) upper = k + forced;
  });
  const shown = Math.min(posterior.length, 30);
  return {
    mean,
    lower: lower ?? forced,
    upper: upper ?? posterior.length - 1 + forced,
    prior: [...sizePrior(spec.prior, spec.selectable, spec.maxSize).slice(0, shown)],
    posterior: [...posterior.slice(0, shown)],
  };
}

/** ȳ − Σβ_j x̄_j with a flat prior: given the model, a t distribution as well. */
function interceptOf(
  mixture: ReturnType<typeof components>,
  candidates: readonly number[],
  store: Store,
  screen: Screen,
  scaling: Scaling,
  rows: number,
  spec: Specification,
): CoefficientSummary {
  const { columns } = store.layout;
  const target = screen.mean[columns] + store.shift[columns];
  const parts = mixture.map(({ probability, posterior }) => {
    const k = posterior.members.length;
    const at = posterior.members.map((i) => {
      const j = candidates[i];
      return scaling.slope[j] * (screen.mean[j] + store.shift[j]);
    });
    let mean = target;
    let variance = (spec.noiseVariance ?? posterior.residualSquares / posterior.freedom) / rows;
    for (let a = 0; a < k; a++) {
      mean -= at[a] * posterior.mean[a];
      for (let b = 0; b < k; b++) variance += at[a] * at[b] * posterior.covariance[a * k + b];
    }
    const one = { members: [0], mean: Float64Array.of(mean), covariance: Float64Array.of(variance) };
    return { probability, posterior: { ...posterior, ...one } };
  });
  const { mean, sd, lower, upper } = summarizeCoefficients(parts, Float64Array.of(1))[0];
  return { mean, sd, lower, upper };
}
