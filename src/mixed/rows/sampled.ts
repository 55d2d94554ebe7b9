/** How a model of rows is sampled: all rows in every sweep, or mini-batches of levels where that would take too long. */

import { SparrowError } from "../../errors.js";
import { familyNamed } from "../../families/register.js";
import type { Rng } from "../../math/rng.js";
import { CHAIN_STREAMS, MIXED_STREAMS } from "../../sampling/streams.js";
import { option } from "../../wording.js";
import { type Crew, sharedWith, withPool } from "../../workers/crew.js";
import type { Pool } from "../../workers/pool.js";
import { PAIRS } from "../batches/level-job.js";
import { type LevelStart, levelEffects, levelRun, levelStart } from "../batches/level-run.js";
import { MOST_EFFECTS } from "../batches/nodes.js";
import { nearZeroWords } from "../fit.js";
import { type MixedOptions, refuseBatches } from "../options.js";
import { inRounds, type Rounds, type RoundsPlan } from "../rounds.js";
import type { Frame } from "./frame.js";
import type { Prepared } from "./prepare.js";
import type { RowsProblem, RowsState } from "./problem.js";
import { type KeptDraw, type RowsChain, type RowsTask, rowsChainJob } from "./rows-job.js";
import type { Sampler } from "./rows-result.js";
import { startOf } from "./rows-start.js";

/** Of a sweep, for every row and term: 3 ns of numbers, 0.3 µs of the others. */
const SECONDS_A_ROW = 5e-9;
/** In seconds: from here on a user should hear beforehand how long it takes. */
const LONG = 300;

export interface Asked {
  readonly options: Partial<MixedOptions>;
  readonly crew: Crew;
  readonly rng: Rng;
}

export interface Found {
  readonly run: Rounds<KeptDraw>;
  readonly sampler: Sampler;
  /** What is known of the effects. */
  readonly sums: () => Sums;
  /** What is to be said of how it was done, and what speaks against it. */
  readonly remarks: readonly string[];
  readonly concerns: readonly string[];
}

export async function sampled(frame: Frame, prepared: Prepared, asked: Asked): Promise<Found> {
  const { problem } = prepared;
  const { options, rng } = asked;
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
  if (start && (name === undefined || method === "esgld")) {
    refuseTemperature(options);
    const otherwise = isLong ? `takes some ${minutes}` : "is exact";
    const found = await byLevels(start, plan, asked, otherwise);
    return { ...found, concerns: name === undefined ? [] : [nearZeroWords(name)] };
  }
  if (isLong) {
    const why =
      name === undefined
        ? ""
        : `, as the standard deviation of "${name}" may be zero, which mini-batches cannot show`;
    options.onMessage?.(`Every sweep visits all ${frame.rows} rows${why}: it takes some ${minutes}.`);
  }
  refuseTemperature(options);
  refuseBatches(options, canBatch);
  const { run, sums } = await allRows(prepared, plan, work, asked);
  const how = { method: "gibbs", batch: frame.rows, stepSize: 0, halvings: 0, imputations: 0 } as const;
  return { run, sampler: { ...plan, ...how }, sums: () => sums, remarks: [], concerns: [] };
}

/** Rows and levels are sampled at temperature 1 alone. */
function refuseTemperature({ temperature = 1 }: Partial<MixedOptions>): void {
  if (temperature === 1) return;
  throw new SparrowError(
    `${option("temperature")} is of mini-batches of one grouping of numbers: leave it out.`,
    "option",
  );
}

/** Chains over mini-batches of levels. */
async function byLevels(
  start: LevelStart,
  ofSweeps: RoundsPlan,
  { options, crew, rng }: Asked,
  otherwise: string,
): Promise<Omit<Found, "concerns">> {
  const plan = { ...ofSweeps, ...batchPlan(options) };
  const run = await withPool(crew, { chains: plan.chains, threads: options.threads, work: LONG }, (pool) =>
    levelRun(pool, start, { plan, options, rng }),
  );
  const { batch, stepSize, halvings } = run;
  const excess = Number((25 * stepSize).toPrecision(2));
  const remark = `Mini-batches of ${batch} of the ${start.rows.groups} levels, with ${2 * PAIRS} inner draws of their effects: variances are about ${excess}% too large. To visit all rows in every sweep (${option("method", "gibbs")}) ${otherwise}.`;
  let effects: Sums | undefined;
  const sums = (): Sums => {
    if (!effects) effects = levelEffects(start.rows, run.chains.flat(), rng.split(MIXED_STREAMS.effects));
    return effects;
  };
  const how = { method: "esgld", batch, stepSize, halvings, imputations: 2 * PAIRS } as const;
  return { run, sampler: { ...plan, ...how }, sums, remarks: [remark] };
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

/** What is kept of the effects: how many draws, some of them whole, and sums over all. */
export interface Sums {
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
