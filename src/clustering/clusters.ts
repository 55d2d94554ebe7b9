/**
 * Model-based clustering of the rows of a matrix: a Gaussian mixture sampled by mini-batches, in the units of the data.
 * Inside, the columns are standardised and the rows shuffled once. The steps are those of Fisher scoring, because the
 * curvatures of means, factors and weights differ by orders of magnitude; from 20,000 rows on, anchored at a mode.
 */

import { withNoise } from "../gradients/differences.js";
import { sgfsFull } from "../integrators/sgfs-full.js";
import { labels } from "../latent/labels.js";
import { type LogDensity, mode } from "../math/mode.js";
import { Rng } from "../math/rng.js";
import { gaussian } from "../models/emissions.js";
import { mixture } from "../models/mixture.js";
import { rowBlocks, shuffled } from "../sampling/row-blocks.js";
import { rowSample } from "../sampling/row-sample.js";
import { type Draw, sample } from "../sampling/sample.js";
import { type StepSizes, scheduleOf } from "../sampling/schedule.js";
import { CLUSTER_STREAMS } from "../sampling/streams.js";
import type { Rows } from "../types.js";
import { type Anchor, anchoredChain, anchorOf, ENOUGH, longSteps, MUCH } from "./anchored-chain.js";
import type { Judgement } from "./judgement.js";
import { densityOf, marginalMixture } from "./marginal.js";
import { memberships, predictiveScore } from "./memberships.js";
import { exchangeableClusters } from "./relabel.js";
import { type Estimate, estimate, mapped } from "./sampled.js";
import { gentleSteps, settled } from "./settled.js";
import { rescaled, standardised } from "./standardised.js";
import { startingTheta } from "./start.js";
import { type GaussianBlock, gaussianBlock } from "./summary.js";

export interface ClusterSettings {
  readonly columns: number;
  readonly components: number;
  readonly covariance?: "diagonal" | "full";
  readonly seed?: number;
  /** Each from a start of its own; 2 unless told, so that they can be compared. */
  readonly chains?: number;
  /** Rows of a mini-batch: a quarter of few, 1000, and 2000 from 20,000 rows on unless told. */
  readonly batch?: number;
  /** Of each chain; as many as it takes, 3000 to 24,000, unless told. */
  readonly iterations?: number;
  /** Iterations that do not count; a third unless told. */
  readonly burnIn?: number;
  /** Latent draws in one gradient; from 20,000 rows on the labels are summed out. */
  readonly draws?: number;
  /** Relative to the information: see sgfsFull. Draws count by the rule of the schedule. */
  readonly stepSize?: StepSizes;
  /** The share of rows kept apart to score the fit. */
  readonly heldOut?: number;
  readonly signal?: AbortSignal;
}

export interface Cluster extends GaussianBlock {
  readonly weight: Estimate;
}

export interface Clusters extends Judgement {
  /** Heaviest first. */
  readonly clusters: readonly Cluster[];
  /** Mean log predictive density of a held-out row and its standard error, when rows were held out. */
  readonly score?: { readonly mean: number; readonly error: number };
  /** P(row i is in cluster k | data) for rows in the units of the data, row after row. */
  membership(values: Rows["values"]): Float64Array;
}

/**
 * Of a chain without an anchor. A quarter of the rows up to 4000 rows, a hundredth beyond 100,000. The error of the gradient sets the pace: the chain
 * forgets in about weight/2 steps, so the weight (rows over batch) may not be large against the iterations.
 */
function defaultBatch(rows: number): number {
  return Math.max(Math.min(1000, Math.ceil(rows / 4)), Math.ceil(rows / 100));
}

/** k-means leaves some chains in a mode that merges clusters: each takes the best of several modes of a few rows. */
const FEW = 2000;
const TRIES = 5;
/** Newton steps to each. */
const CLIMB = 15;

export function clusters(values: Rows["values"], settings: ClusterSettings): Clusters {
  const { columns, components, covariance = "full", seed = 1, chains = 2, heldOut = 0, signal } = settings;
  const { batch, iterations, burnIn, stepSize, draws: m = 4 } = settings;
  const rng = Rng.seeded(seed);
  const units = standardised(values, columns);
  const data = shuffled(rng.split(CLUSTER_STREAMS.shuffle), units.values, columns);
  const rows = data.length / columns;
  const held = Math.floor(heldOut * rows);
  const training = data.subarray(0, (rows - held) * columns);

  const within = components ** (-2 / columns);
  const model = mixture({ components, emission: gaussian({ columns, covariance, within }) });
  const exchangeable = exchangeableClusters(model);
  const whole = rowBlocks(training, columns, rows - held).block(0);

  /** Fisher scoring from k-means, the information learnt on the way. */
  const plain = (own: Rng, theta: Float64Array, upTo: number): Generator<Draw, void, void> =>
    sample(
      {
        model,
        kernel: labels(model),
        batches: rowSample(training, columns, batch ?? defaultBatch(whole.rows)),
        integrator: sgfsFull({ relative: true }),
        stepSize: stepSize === undefined ? gentleSteps : scheduleOf(stepSize),
        iterations: upTo,
        theta,
        rng: own,
        draws: m,
        ...(signal ? { signal } : {}),
      },
      withNoise,
    );

  const marginal = marginalMixture(model);
  const sampleOf = (first: number, count: number): LogDensity & { readonly batch: Rows } => {
    const values = training.subarray(first * columns, (first + count) * columns);
    const batch = { rows: count, columns, weight: whole.rows / count, values };
    return { ...densityOf(marginal, batch), batch };
  };
  /** The best mode of a few rows, other ones for every chain, and from there that of all. */
  function anchorFrom(own: Rng): Anchor | undefined {
    const few = sampleOf(own.below(whole.rows - FEW + 1), FEW);
    let best: { theta: Float64Array; value: number } | undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const theta = mode(few, startingTheta(own, model, few.batch, 1), CLIMB);
      const value = few.value(theta);
      if (!best || value > best.value) best = { theta, value };
    }
    return anchorOf(best!.theta, sampleOf(0, MUCH), densityOf(marginal, whole));
  }

  const { blocks, draws, diagnostics, verdict } = settled({
    ...{
      model: exchangeable,
      chains,
      iterations,
      burnIn,
      rng: rng.split(CLUSTER_STREAMS.chains),
      kind: "cluster",
    },
    chain(own, upTo) {
      const anchor = whole.rows < MUCH ? undefined : anchorFrom(own.split(CLUSTER_STREAMS.start));
      // Also where the data leave clusters open, so that no mode is to speak of.
      if (!anchor)
        return plain(
          own.split(CLUSTER_STREAMS.steps),
          startingTheta(own.split(CLUSTER_STREAMS.start), model, whole),
          upTo,
        );
      return anchoredChain({
        ...{ model: marginal, anchor, iterations: upTo, rng: own.split(CLUSTER_STREAMS.steps), signal },
        batches: rowSample(training, columns, batch ?? ENOUGH),
        stepSize: stepSize === undefined ? longSteps : scheduleOf(stepSize),
      });
    },
    describe(draws): Cluster[] {
      const shares = mapped(draws, exchangeable.shares);
      return Array.from({ length: components }, (_, k) => ({
        weight: estimate(shares, (share) => share[k]),
        ...gaussianBlock(draws, model.block(k), covariance === "full", units),
      }));
    },
  });
  const result = {
    ...{ clusters: blocks, diagnostics, verdict },
    membership(more: Rows["values"]): Float64Array {
      const standard = rescaled(more, units);
      return memberships(model, draws, {
        ...{ rows: standard.length / columns, columns, weight: 1, values: standard },
      });
    },
  };
  if (held === 0) return result;
  const rest = { rows: held, columns, weight: 1, values: data.subarray((rows - held) * columns) };
  const logScale = units.scale.reduce((sum, s) => sum + Math.log(s), 0);
  return { ...result, score: predictiveScore(model, draws, rest, logScale) };
}

/** The same data with each number of components, compared by the log predictive density of the same held-out rows. */
export function compareComponents(
  values: Rows["values"],
  settings: Omit<ClusterSettings, "components"> & { readonly counts: readonly number[] },
): { components: number; score: { mean: number; error: number } }[] {
  const { counts, heldOut = 0.2, ...rest } = settings;
  return counts.map((components) => ({
    components,
    score: clusters(values, { ...rest, heldOut, components }).score!,
  }));
}
