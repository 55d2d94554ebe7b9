/** A stretch of a chain of sweeps over the rows of the store, as a job. */

import type { FamilyName } from "../../families/register.js";
import { familyNamed } from "../../families/register.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import { view } from "../../store/batch/arena.js";
import { firstRow, rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { Job, Work } from "../../workers/job.js";
import type { WeightedCentre } from "../expansion/expansion.js";
import type { ModelPosterior } from "../posterior/evidence.js";
import type { ModelSpace } from "../posterior/model-weights.js";
import type { Slab } from "../posterior/slab.js";
import { type Ground, type Standing, sweep } from "./sweep.js";
import type { DenseRows } from "./weighted-rows.js";

/** Plain data: it crosses threads. */
export interface StretchInput {
  readonly family: FamilyName;
  /** Columns of the store, and by what they and the target are brought to the model's scale. */
  readonly columns: readonly number[];
  readonly slope: Float64Array;
  readonly offset: Float64Array;
  readonly slab: Slab;
  readonly space: ModelSpace;
  readonly hasIntercept: boolean;
  readonly seed: number;
  /** Number of the chain and of the stretch within it: together they pick the random numbers. */
  readonly chain: number;
  readonly round: number;
  readonly sweeps: number;
  /** Sweeps before the first that counts. */
  readonly burnIn: number;
  /** Where the stretch before has ended; the first one begins with a model. */
  readonly from: ChainEnd;
  /** Laws of coefficients that are kept: those of equally distant sweeps. */
  readonly laws: number;
}

export interface ChainEnd {
  readonly members: readonly number[];
  readonly eta?: Float64Array;
}

export interface StretchOutput {
  readonly chain: number;
  readonly end: ChainEnd;
  /** Of every sweep: inclusion probabilities given its weights. */
  readonly inclusion: readonly Float64Array[];
  /** Likewise: how many members models had on average. */
  readonly memberCounts: readonly number[];
  /** Sums over the sweeps. */
  readonly sizes: Float64Array;
  readonly scale: Float64Array;
  readonly models: readonly (readonly number[])[];
  readonly laws: readonly DrawnLaw[];
}

/** The law of a model's coefficients given the weights of a sweep. */
export interface DrawnLaw {
  readonly posterior: ModelPosterior;
  readonly centre: WeightedCentre;
  /** How many sweeps it stands for. */
  readonly sweeps: number;
}

export function stretch(store: Store, input: StretchInput): Work<StretchOutput> {
  const ground = groundOf(store, input);
  const { sweeps, burnIn, from } = input;
  const rng = Rng.seeded(input.seed).split(RUN_STREAMS.augmented).split(input.chain).split(input.round);
  const standing: Standing = {
    members: from.members,
    eta: from.eta?.slice() ?? new Float64Array(store.layout.rows),
    gram: new Float64Array(input.columns.length ** 2),
  };
  const inclusion: Float64Array[] = [];
  const memberCounts: number[] = [];
  const models: (readonly number[])[] = [];
  const laws: DrawnLaw[] = [];
  const sizes = new Float64Array(input.space.logModel.length + input.space.always.length);
  const scale = new Float64Array(input.slab.scales.length);
  const apart = Math.ceil(sweeps / input.laws);
  let t = -burnIn;
  return {
    next() {
      if (t >= sweeps) return false;
      const swept = sweep(rng, ground, standing);
      if (t >= 0) {
        inclusion.push(swept.inclusion);
        memberCounts.push(swept.sizes.reduce((sum, share, k) => sum + share * k, 0));
        swept.sizes.forEach((share, k) => {
          sizes[k] += share;
        });
        swept.scale.forEach((share, s) => {
          scale[s] += share;
        });
        models.push(swept.members);
        if (t % apart === 0) laws.push({ posterior: swept.posterior, centre: swept.centre, sweeps: apart });
      }
      t += 1;
      return t < sweeps;
    },
    get done() {
      return t + burnIn;
    },
    result: () => ({
      chain: input.chain,
      end: { members: standing.members, eta: standing.eta },
      inclusion,
      memberCounts,
      sizes,
      scale,
      models,
      laws,
    }),
  };
}

function groundOf(store: Store, { family, columns, slope, offset, slab, space, hasIntercept }: StretchInput) {
  const { layout, kernels } = store;
  const { augmentation, response } = familyNamed(family);
  if (!augmentation) throw new Error(`${family} has no weights that make it Gaussian`);
  const width = columns.length;
  const values = new Float64Array(layout.rows * width);
  const [targets, scores] = [new Float64Array(layout.rows), new Float64Array(layout.rows)];
  for (let b = 0; b < layout.blocks; b++) {
    const [first, length] = [firstRow(layout, b), rowsIn(layout, b)];
    const run = (column: number) => view(kernels.memory, { pointer: store.run(b, column), length });
    columns.forEach((column, c) => {
      run(column).forEach((value, i) => {
        values[(first + i) * width + c] = slope[c] * value + offset[c];
      });
    });
    run(layout.columns).forEach((value, i) => {
      targets[first + i] = slope[width] * value + offset[width];
      scores[first + i] = augmentation.score(targets[first + i], 0, 0);
    });
  }
  const data: DenseRows = { rows: layout.rows, columns: width, values };
  const { weight } = augmentation;
  const { logDensity } = response(1);
  return { data, targets, scores, logDensity, weight, slab, space, hasIntercept } satisfies Ground;
}

export const stretchJob: Job<StretchInput, StretchOutput> = {
  name: "augmented-stretch",
  start: ({ store }, input) => stretch(store, input),
};
