/** What a stretch of a chain is counted by: the models of its steps, by the weights of the schedule, and its draws. */

import { SparseDrawSink } from "../../draws/sparse-draws.js";
import { weightAt } from "../../sampling/schedule.js";
import type { Schedule } from "../../types.js";
import type { RecordStanding } from "./standing.js";
import type { ChainOutput, SearchPlan } from "./types.js";

/** Largest number of draws a chain keeps; beyond it thinning doubles. */
const MAX_DRAWS = 4000;

/** The members of a model are the first `size`. */
interface Held {
  readonly members: Uint32Array;
  readonly size: number;
}

/** Iterations are counted from the start of the stretch, `before` which there may have been others. */
export function chainRecord(
  { weights, burnIn: whole, thin }: SearchPlan,
  schedule: Schedule,
  before: number,
  from?: RecordStanding,
) {
  const inclusion = from?.inclusion ?? new Float64Array(weights.length);
  const sink = new SparseDrawSink(MAX_DRAWS);
  if (from) sink.restore(from.draws);
  const sizes: number[] = [...(from?.sizes ?? [])];
  const burnIn = whole - before;
  let models = from?.models ?? 0;
  return {
    save: (): RecordStanding => ({ models, inclusion, sizes, draws: sink.save() }),
    /** A model of the iteration after t. */
    visit(t: number, { members, size }: Held): void {
      if (t < burnIn) return;
      const weight = weightAt(schedule, before + t + 1);
      models += weight;
      for (let i = 0; i < size; i++) inclusion[members[i]] += weight;
    },
    /** The state after iteration t. */
    keep(t: number, { members, size }: Held, theta: Float64Array): void {
      if (t % thin !== 0) return;
      sizes.push(size);
      const weight = weightAt(schedule, before + t);
      if (t > burnIn && weight > 0) sink.add(before + t, members, size, theta, weight);
    },
    counted: (): Pick<ChainOutput, "models" | "inclusion" | "draws" | "sizes"> => ({
      models,
      inclusion,
      draws: sink.finish(),
      sizes: Float64Array.from(sizes),
    }),
  };
}
