/**
 * A chain over mini-batches of levels, for classes and counts: Algorithm S1 with importance-weighted inner draws of the
 * effects, anchored at the mode and whitened by the curvature there. The draws of a level are the same, in units of its
 * own normal law, at θ and at the anchor, so that their noise vanishes with the distance as that of the batch does.
 */

import { anchored } from "../../gradients/anchored.js";
import { sgld } from "../../integrators/sgld.js";
import { whitened } from "../../integrators/whitened.js";
import { Rng, type RngState } from "../../math/rng.js";
import { CHAIN_STREAMS } from "../../sampling/streams.js";
import type { Job } from "../../workers/job.js";
import { followed, type MixedChain } from "../chain-job.js";
import { dispersed, type LangevinStanding, largestMoves, path } from "../chains.js";
import type { Anchor } from "../start.js";
import type { GroupedRows } from "./grouped-rows.js";
import { levelModel } from "./marginal.js";
import { drawnNodes } from "./nodes.js";

/** Pairs of inner draws of each level. */
export const PAIRS = 5;

export interface LevelTask {
  readonly rows: GroupedRows;
  readonly anchor: Anchor;
  readonly chain: number;
  readonly rng: RngState;
  /** Where the chain was when the round before this one ended. */
  readonly from: Float64Array | undefined;
  readonly iterations: number;
  readonly burnIn: number;
  readonly thin: number;
  readonly batch: number;
  readonly stepSize: number;
  readonly blown: Int32Array;
}

export const levelChainJob: Job<LevelTask, MixedChain, unknown> = {
  name: "mixed-levels-chain",
  start: (_place, task, from) => followed(task, task.thin, from, (standing) => levelPath(task, standing)),
};

function levelPath(task: LevelTask, standing: unknown) {
  const { rows, anchor, from, batch } = task;
  const { p, q, groups: count } = rows;
  const rng = Rng.restore(task.rng);
  const model = levelModel(rows, 2 * PAIRS);
  const start = from ?? dispersed(rng.split(CHAIN_STREAMS.start), anchor);
  const parts = {
    count,
    batchOf: (generator: Rng, levels: Uint32Array) => ({
      levels,
      weight: count / batch,
      nodes: drawnNodes(generator, batch, PAIRS, q),
    }),
    gradient: anchored({ model, anchor: anchor.theta, gradient: anchor.gradient }),
    integrator: whitened({ center: anchor.theta, factor: anchor.factor }, sgld()),
    largestMove: largestMoves(model.layout).filter((_, j) => j !== p),
    latent: rng,
  };
  return path(rng, start, task, parts, standing as LangevinStanding | undefined);
}
