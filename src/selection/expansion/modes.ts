/**
 * Modes of several models at a time. Each is looked for by one thread from end to end: with one model after the other, and
 * a message for every stretch of every pass, threads wait for each other for as long as they work where rows are few.
 */

import type { FamilyName } from "../../families/register.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { type Job, pass } from "../../workers/job.js";
import { addExpansions, expansionOfBlocks, type GlmPoint } from "./expansion.js";
import { type ModeQuestion, type ModeSearch, type ModeSettings, modeQuestion, modeWalk } from "./mode.js";

export interface ModeInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly question: ModeQuestion;
}

export const modeJob: Job<ModeInput, ModeSearch> = pass("mode", (store, arena, { question, ...input }) => {
  const walk = modeWalk(question);
  const all = { ...input, firstBlock: 0, lastBlock: store.layout.blocks };
  let next = walk.next();
  while (!next.done) {
    const point = next.value;
    const sums = arena.returning(() => expansionOfBlocks(store, arena, { ...all, point }));
    next = walk.next(addExpansions(point, [sums]));
  }
  return next.value;
});

/** The digits that integrals need, each with a slab of its own. */
export function modesOf(
  { store, pool, family, scaling, run, ...settings }: ModeSettings,
  models: readonly { readonly start: GlmPoint; readonly slabVariance: number }[],
): Promise<ModeSearch[]> {
  const inputs = models.map(({ start, slabVariance }): ModeInput => {
    const at = { ...settings, store, pool, family, scaling, slabVariance };
    return { family, scaling, question: modeQuestion(at, start, "integral") };
  });
  return pool.run(modeJob, inputs, run && { onProgress: run.onProgress });
}
