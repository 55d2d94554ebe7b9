/** A mixed model of rows, from a table and a formula to its answer. */

import { SparrowError } from "../../errors.js";
import { familyNamed } from "../../families/register.js";
import { placeOf } from "../../math/packed.js";
import { Rng } from "../../math/rng.js";
import { mixedOptions } from "../../options/mixed.js";
import { usual } from "../../options/option.js";
import { CHAIN_STREAMS, MIXED_STREAMS } from "../../sampling/streams.js";
import { option } from "../../wording.js";
import { type Crew, callingThread, sharedWith, withPool } from "../../workers/crew.js";
import type { Pool } from "../../workers/pool.js";
import { PAIRS } from "../batches/level-job.js";
import { levelEffects, levelRun, levelStart } from "../batches/level-run.js";
import { MOST_EFFECTS } from "../batches/nodes.js";
import { type MixedFit, nearZeroWords } from "../fit.js";
import type { GroupEffects } from "../group-effects.js";
import type { MixedOptions } from "../options.js";
import { influenceOf, logHalfT, type PriorInfluence } from "../prior-influence.js";
import { inRounds, type Rounds, type RoundsPlan } from "../rounds.js";
import { inverted } from "./covariance.js";
import type { Frame } from "./frame.js";
import { judge } from "./judged.js";
import { logLikelihoodAtMeans } from "./marginal-likelihood.js";
import { formulaPredictor } from "./predictor.js";
import { type Prepared, prepare } from "./prepare.js";
import type { RowsPriors, RowsProblem, RowsState } from "./problem.js";
import { type KeptDraw, type RowsChain, type RowsTask, rowsChainJob } from "./rows-job.js";
import { rowsResult, type Sampler } from "./rows-result.js";
import { startOf } from "./rows-start.js";

/** On the scale of logits and logarithms, where a target has no standard deviation of its own. */
const LINK_SPREAD = 2.5;
/** β of standard columns: N(0, 100²) in standard deviations of the target, N(0, 10²) on the scale of a link. */
const FIXED_PRECISION = 1e-4;
const LINK_PRECISION = 1e-2;
/** Of a sweep, for every row and term: 3 ns of numbers, 0.3 µs of the others. */
const SECONDS_A_ROW = 5e-9;
/** In seconds: from here on a user should hear beforehand how long it takes. */
const LONG = 300;

export async function fitRows(
  frame: Frame,
  options: Partial<MixedOptions> & { readonly formula: string; readonly target: string },
  crew: Crew = callingThread,
): Promise<MixedFit> {
  const judged = judge(frame, options);
  const { family } = judged;
  const spread =
    (options.priorScale ?? usual(mixedOptions.priorScale)) * (family.quadratic ? 1 : LINK_SPREAD);
  const priors: RowsPriors = {
    fixedPrecision: family.quadratic ? FIXED_PRECISION : LINK_PRECISION,
    degrees: 2,
    spread,
  };
  const prepared = prepare(frame, { ...judged, priors });
  const rng = Rng.seeded(options.seed ?? 1);
  const from = performance.now();
  const found = await sampled(frame, prepared, { options, crew, rng });
  const { sums, sampler, remarks, run } = found;
  const length = Math.min(...run.chains.map((chain) => chain.length));
  if (length < 2) throw new SparrowError("Stopped before anything was sampled.", "stopped");
  const draws = run.chains.map((chain) => chain.slice(0, length).map(prepared.read));
  const timing = { sample: (performance.now() - from) / 1000 };
  const { result, names } = rowsResult({
    ...run,
    influences: influencesOf(frame, priors, run.chains.flat()),
    logLikelihood: logLikelihoodAtMeans(prepared, run.chains.flat()),
    frame,
    prepared,
    judged: { ...judged, remarks: [...judged.remarks, ...remarks] },
    options,
    sampler,
    concerns: found.concerns,
    priors,
    draws,
    timing,
  });
  return {
    result,
    names,
    draws,
    effects: () => effectsOf(frame, prepared, sums()),
    predictor: () => formulaPredictor({ frame, prepared, family, options, states: sums().whole }),
  };
}

interface Asked {
  readonly options: Partial<MixedOptions>;
  readonly crew: Crew;
  readonly rng: Rng;
}

interface Found {
  readonly run: Rounds<KeptDraw>;
  readonly sampler: Sampler;
  /** What is known of the effects. */
  readonly sums: () => Sums;
  /** What is to be said of how it was done, and what speaks against it. */
  readonly remarks: readonly string[];
  readonly concerns: readonly string[];
}

/** All rows in every sweep, or mini-batches of levels where that would take too long. */
async function sampled(frame: Frame, prepared: Prepared, asked: Asked): Promise<Found> {
  const { problem } = prepared;
  const { options, crew, rng } = asked;
  const { quadratic } = familyNamed(problem.family);
  const plan = planOf(options);
  const perRow = SECONDS_A_ROW * (quadratic ? 1 : 60);
  const work = plan.chains * plan.iterations * frame.rows * frame.terms.length * perRow;
  const minutes = `${Math.round(work / 60)} minutes of CPU to begin with`;
  const { method = "auto" } = options;
  const isLong = !quadratic && work > LONG;
  const canBatch = !quadratic && frame.terms.length === 1 && frame.terms[0].variables.length <= MOST_EFFECTS;
  if (method === "esgld" && !canBatch) {
    throw new SparrowError(
      `Mini-batches of this model are for classes and counts in one grouping, with at most ${MOST_EFFECTS} effects; leave out ${option("method")}.`,
      "option",
    );
  }
  const start =
    canBatch && (method === "esgld" || (method === "auto" && isLong))
      ? levelStart(problem, rng.split(MIXED_STREAMS.mode))
      : undefined;
  const zero = start?.nearZero;
  const name = zero === undefined ? undefined : frame.terms[0].variables[zero].name;
  const longPlan = { ...plan, ...batchPlan(options) };
  if (start && (name === undefined || method === "esgld")) {
    const run = await withPool(crew, { chains: plan.chains, threads: options.threads, work: LONG }, (pool) =>
      levelRun(pool, start, { plan: longPlan, options, rng }),
    );
    const { batch, stepSize, halvings } = run;
    const sums = () => levelEffects(start.rows, run.chains.flat(), rng.split(MIXED_STREAMS.mode));
    const remark = `Mini-batches of ${batch} of the ${start.rows.groups} levels, with ${2 * PAIRS} inner draws of their effects: variances are about ${Number((25 * stepSize).toPrecision(2))}% too large. ${option("method", "gibbs")} visits all rows in every sweep, which takes some ${minutes}.`;
    options.onMessage?.(remark);
    const sampler = {
      ...longPlan,
      method: "esgld",
      batch,
      stepSize,
      halvings,
      imputations: 2 * PAIRS,
    } as const;
    return {
      run,
      sampler,
      sums,
      remarks: [remark],
      concerns: name === undefined ? [] : [nearZeroWords(name)],
    };
  }
  if (isLong) {
    const why =
      name === undefined
        ? ""
        : `, as the standard deviation of "${name}" may be zero, which mini-batches cannot show`;
    options.onMessage?.(`Every sweep visits all ${frame.rows} rows${why}: it takes some ${minutes}.`);
  }
  const { run, sums } = await allRows(prepared, plan, work, asked);
  const sampler = {
    ...plan,
    method: "gibbs",
    batch: frame.rows,
    stepSize: 0,
    halvings: 0,
    imputations: 0,
  } as const;
  return { run, sampler, sums: () => sums, remarks: [], concerns: [] };
}

/** Chains that visit all rows in every sweep. */
async function allRows(prepared: Prepared, plan: RoundsPlan, work: number, { options, crew, rng }: Asked) {
  const sums: Sums = {
    draws: 0,
    whole: [],
    first: zeros(prepared.problem, 1),
    second: zeros(prepared.problem, 2),
  };
  const run = await withPool(crew, { chains: plan.chains, threads: options.threads, work }, (pool) => {
    const problem = shared(pool, prepared.problem);
    return inRounds<KeptDraw, RowsChain>(plan, prepared.read, async (round, before) => {
      const tasks = Array.from({ length: plan.chains }, (_, chain): RowsTask => {
        const own = rng.split(MIXED_STREAMS.chains + chain);
        const stream = round.round === 0 ? own : own.split(CHAIN_STREAMS.rounds + round.round);
        const start = before[chain]?.last ?? startOf(own.split(CHAIN_STREAMS.start), prepared.problem);
        const isNew = before[chain] === undefined;
        return { problem, start, isNew, rng: stream.save(), iterations: round.length, burnIn: round.burnIn };
      });
      const total = plan.chains * (round.done + round.length);
      const { signal, onProgress } = options;
      const results = await pool.run(rowsChainJob, tasks, {
        signal,
        onProgress:
          onProgress &&
          ((done) => onProgress({ stage: "sample", done: plan.chains * round.done + done, total })),
      });
      sums.whole = results.flatMap((chain) => chain.whole);
      for (const chain of results) addTo(sums, chain);
      return results;
    });
  });
  return { run, sums };
}

/** Iterations of a chain over mini-batches: its draws are less independent than those of sweeps. */
const BATCH_ITERATIONS = 6000;

function batchPlan(options: Partial<MixedOptions>): Pick<RoundsPlan, "iterations" | "burnIn" | "thin"> {
  const iterations = options.iterations ?? BATCH_ITERATIONS;
  const burnIn = options.burnIn ?? Math.floor(iterations / 10);
  return { iterations, burnIn, thin: Math.max(1, Math.floor((iterations - burnIn) / 2000)) };
}

function planOf(options: Partial<MixedOptions>): RoundsPlan {
  const iterations = options.iterations ?? 1000;
  const burnIn = options.burnIn ?? Math.floor(iterations / 5);
  return {
    chains: options.chains ?? 4,
    iterations,
    burnIn,
    thin: 1,
    untilSettled: options.iterations === undefined,
  };
}

function shared(pool: Pool<undefined>, problem: RowsProblem): RowsProblem {
  return {
    ...problem,
    columns: sharedWith(pool, problem.columns),
    y: sharedWith(pool, problem.y),
    weights: problem.weights && sharedWith(pool, problem.weights),
    offset: problem.offset && sharedWith(pool, problem.offset),
    terms: problem.terms.map((term) => ({ ...term, codes: sharedWith(pool, term.codes) })),
  };
}

/** What the priors do to the standard deviations, in the coordinates that they are the priors of. */
function influencesOf(
  { terms }: Frame,
  { degrees, spread }: RowsPriors,
  draws: readonly KeptDraw[],
): PriorInfluence[] {
  return terms.flatMap(({ group, levels, variables }, t) => {
    const q = variables.length;
    const covariances = draws.map(({ inverses }) => inverted(inverses[t], q));
    return variables.map(({ name }, k) => {
      const spreads = covariances.map((covariance) => {
        const sd = Math.sqrt(covariance[placeOf(k, k)]);
        return { sd, log: logHalfT(sd, degrees, spread) };
      });
      return { name, groups: `the ${levels.length} levels of ${group}`, ...influenceOf(spreads) };
    });
  });
}

interface Sums {
  draws: number;
  whole: readonly RowsState[];
  readonly first: readonly Float64Array[];
  readonly second: readonly Float64Array[];
}

const zeros = ({ terms }: RowsProblem, power: number): Float64Array[] =>
  terms.map(({ levels, columns }) => new Float64Array(levels * columns.length ** power));

function addTo(sums: Sums, { kept, sums: first, squares }: RowsChain): void {
  sums.draws += kept.length;
  const add = (to: readonly Float64Array[], from: readonly Float64Array[]) =>
    to.forEach((values, t) => {
      for (let i = 0; i < values.length; i++) values[i] += from[t][i];
    });
  add(sums.first, first);
  add(sums.second, squares);
}

/** Posterior means and standard deviations of the effects, in the units of the data, the first grouping by itself. */
function effectsOf(frame: Frame, prepared: Prepared, { draws, first, second }: Sums): GroupEffects {
  const [one, ...others] = frame.terms.map(({ group, levels, variables }, t) => {
    const q = variables.length;
    const mean = first[t].map((sum) => sum / draws);
    const sd = new Float64Array(mean.length);
    const unit = variables.map((_, k) => {
      const out = Float64Array.from(variables, (__, j) => Number(j === k));
      prepared.toData(out, t);
      return out;
    });
    for (let at = 0; at < mean.length; at += q) {
      for (let j = 0; j < q; j++) {
        let variance = 0;
        for (let k = 0; k < q; k++) {
          for (let l = 0; l < q; l++) {
            const covariance = second[t][(at + k) * q + l] / draws - mean[at + k] * mean[at + l];
            variance += unit[k][j] * unit[l][j] * covariance;
          }
        }
        sd[at + j] = Math.sqrt(Math.max(0, variance));
      }
    }
    prepared.toData(mean, t);
    return { group, groups: levels, mean, sd };
  });
  return others.length > 0 ? { ...one, others } : one;
}
