/** All chains over mini-batches of levels, from the mode on, and the effects of the levels given their draws. */

import { familyNamed } from "../../families/register.js";
import { curvature, dampedFactor, type LogDensity, mode, refined } from "../../math/mode.js";
import type { Rng } from "../../math/rng.js";
import { BlowUp, withSteadyStep } from "../../sampling/steady.js";
import { CHAIN_STREAMS, MIXED_STREAMS } from "../../sampling/streams.js";
import { subset } from "../../sampling/subset.js";
import { sharedWith } from "../../workers/crew.js";
import type { Pool } from "../../workers/pool.js";
import type { MixedChain } from "../chain-job.js";
import { pivots } from "../model/chart.js";
import type { MixedOptions } from "../options.js";
import { inRounds, type Rounds, type RoundsPlan } from "../rounds.js";
import type { RowsProblem, RowsState } from "../rows/problem.js";
import { ONES } from "../rows/problem.js";
import type { KeptDraw } from "../rows/rows-job.js";
import { type Anchor, leastCertain } from "../start.js";
import { type GroupedRows, groupedRows } from "./grouped-rows.js";
import { levelIntegrals } from "./level-integral.js";
import { levelChainJob, PAIRS } from "./level-job.js";
import { type LevelModel, levelModel } from "./marginal.js";
import { drawnNodes, hermiteNodes } from "./nodes.js";

/** Levels of a mini-batch, unless told, and the step in whitened coordinates: variances are a fortieth too large. */
const [BATCH, STEP] = [100, 0.1];
/** Levels on which the mode is sought first. */
const SUBSET = 1000;
/** Draws of θ by which the effects of all levels are drawn: few or many, by the rows that each of them visits. */
const [LEAST_DRAWS, MOST_DRAWS, MOST_VISITS] = [40, 400, 5e7];

export interface LevelStart {
  readonly rows: GroupedRows;
  readonly model: LevelModel;
  readonly anchor: Anchor;
  /** The effect, by its number, whose standard deviation may be zero: then mini-batches are not for it. */
  readonly nearZero: number | undefined;
}

/** The mode by quadrature over the effects: on some levels, then a few full passes. */
export function levelStart(problem: RowsProblem, rng: Rng): LevelStart {
  const rows = groupedRows(problem);
  const nodes = hermiteNodes(rows.q);
  const model = levelModel(rows, nodes.count);
  const densityOf = (levels: Uint32Array): LogDensity => {
    const batch = { levels, weight: rows.groups / levels.length, nodes };
    return {
      value: (theta) => model.logJoint(theta, null, batch),
      gradient(out, theta) {
        out.fill(0);
        model.addGrad(out, 1, theta, null, batch);
      },
    };
  };
  const few = Math.min(rows.groups, SUBSET);
  const some = densityOf(subset(rows.groups, few)(rng).slice());
  const all = densityOf(Uint32Array.from({ length: rows.groups }, (_, i) => i));
  const theta = mode(some, firstGuess(problem, model));
  const factor = dampedFactor(curvature(some, theta), theta.length);
  const anchor = { ...refined(all, theta, factor, 0.1, few < rows.groups ? 20 : 0), factor };
  const places = [...pivots(model.layout)].map((at) => at - 1);
  return { rows, model, anchor, nearZero: leastCertain(anchor, places, model.layout.priors.law) };
}

/** The intercept of the mean alone, and standard deviations of a half. */
function firstGuess({ fixed, family: name, y }: RowsProblem, { layout }: LevelModel): Float64Array {
  const out = new Float64Array(layout.size - 1);
  const intercept = fixed.indexOf(ONES);
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  if (intercept >= 0) out[intercept] = familyNamed(name).link(mean);
  for (const at of pivots(layout)) out[at - 1] = Math.log(0.5);
  return out;
}

export interface LevelRun extends Rounds<KeptDraw> {
  readonly halvings: number;
  readonly batch: number;
  readonly stepSize: number;
}

export async function levelRun(
  pool: Pool<undefined>,
  { rows: own, anchor, model }: LevelStart,
  { plan, options, rng }: { plan: RoundsPlan; options: Partial<MixedOptions>; rng: Rng },
): Promise<LevelRun> {
  const rows = shared(pool, own);
  const batch = Math.min(rows.groups, options.batch ?? BATCH);
  const { chains } = plan;
  let halvings = 0;
  const stepSize = (factor: number) => factor * (options.stepSize ?? STEP);
  const asDraw = (theta: Float64Array): KeptDraw => ({
    beta: theta.slice(0, rows.p),
    noise: 1,
    inverses: [model.inverseAt(theta)],
  });
  const run = await withSteadyStep(
    (factor) =>
      inRounds<Float64Array, MixedChain>(
        plan,
        (theta) => theta,
        async (round, before) => {
          const blown = sharedWith(pool, Int32Array.of(chains));
          const tasks = Array.from({ length: chains }, (_, chain) => {
            const stream = rng.split(MIXED_STREAMS.chains + chain);
            return {
              rows,
              anchor,
              chain,
              rng: (round.round === 0 ? stream : stream.split(CHAIN_STREAMS.rounds + round.round)).save(),
              from: before[chain]?.last,
              iterations: round.length,
              burnIn: round.burnIn,
              thin: plan.thin,
              batch,
              stepSize: stepSize(factor),
              blown,
            };
          });
          const { signal, onProgress } = options;
          const total = chains * (round.done + round.length);
          const results = await pool.run(levelChainJob, tasks, {
            signal,
            onProgress:
              onProgress &&
              ((done) => onProgress({ stage: "sample", done: chains * round.done + done, total })),
          });
          const first = results.find(({ blowUp }) => blowUp !== undefined);
          if (first?.blowUp !== undefined) throw new BlowUp(first.blowUp);
          return results;
        },
      ),
    (message) => {
      halvings++;
      options.onMessage?.(message);
    },
  );
  return {
    ...run,
    chains: run.chains.map((draws) => draws.map(asDraw)),
    halvings,
    batch,
    stepSize: stepSize(2 ** -halvings),
  };
}

function shared(pool: Pool<undefined>, rows: GroupedRows): GroupedRows {
  return {
    ...rows,
    starts: sharedWith(pool, rows.starts),
    x: sharedWith(pool, rows.x),
    z: sharedWith(pool, rows.z),
    y: sharedWith(pool, rows.y),
    weights: rows.weights && sharedWith(pool, rows.weights),
    offset: rows.offset && sharedWith(pool, rows.offset),
  };
}

/** Of some draws: E[b | y, θ] and E[bb′ | y, θ] of all levels added up, and states with effects drawn. */
export function levelEffects(rows: GroupedRows, draws: readonly KeptDraw[], rng: Rng) {
  const { groups, q } = rows;
  const wanted = Math.min(MOST_DRAWS, Math.max(LEAST_DRAWS, Math.floor(MOST_VISITS / rows.y.length)));
  const every = Math.max(1, Math.floor(draws.length / wanted));
  const some = draws.filter((_, t) => t % every === 0);
  const integral = levelIntegrals(rows, 2 * PAIRS);
  const first = new Float64Array(groups * q);
  const second = new Float64Array(groups * q * q);
  const whole = some.map((draw): RowsState => {
    const nodes = drawnNodes(rng, groups, PAIRS, q);
    const effects = new Float64Array(groups * q);
    for (let i = 0; i < groups; i++) {
      const { effects: b, shares } = integral(draw.beta as Float64Array, draw.inverses[0], i, nodes, i);
      let left = rng.uniform();
      let chosen = 0;
      for (let k = 0; k < nodes.count; k++) {
        for (let j = 0; j < q; j++) {
          first[i * q + j] += shares[k] * b[k * q + j];
          for (let l = 0; l < q; l++) {
            second[(i * q + j) * q + l] += shares[k] * b[k * q + j] * b[k * q + l];
          }
        }
        left -= shares[k];
        if (left > 0 && k + 1 < nodes.count) chosen = k + 1;
      }
      effects.set(b.subarray(chosen * q, (chosen + 1) * q), i * q);
    }
    return { ...draw, effects: [effects] };
  });
  return { draws: some.length, whole, first: [first], second: [second] };
}
