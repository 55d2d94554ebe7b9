/**
 * Modes of several models at a time. Each is looked for by one thread from end to end, which goes on to the sums of third
 * powers that the integral there asks for first (straight.ts): with one model after the other, and a message for every
 * stretch of every pass, threads wait for each other for as long as they work where rows are few.
 */

import type { FamilyName } from "../../families/register.js";
import type { Scaling } from "../../store/batch/scaling.js";
import { pass } from "../../workers/job.js";
import { cubesOfBlocks } from "./changes.js";
import { addExpansions, type Expansion, expansionOfBlocks, type GlmPoint } from "./expansion.js";
import { axesOf, tooLargeForDraws } from "./integral.js";
import { type ModeQuestion, type ModeSearch, type ModeSettings, modeQuestion, modeWalk } from "./mode.js";
import { inDoubt } from "./straight.js";

export interface ModeInput {
  readonly family: FamilyName;
  readonly scaling: Scaling;
  readonly question: ModeQuestion;
}

export interface ModeFound {
  readonly search: ModeSearch;
  /** Sums of third powers along the axes in doubt; absent where nobody has taken them. */
  readonly cubes?: Float64Array | undefined;
}

export const modeJob = pass<ModeInput, ModeFound>("mode", (store, arena, { question, ...input }) => {
  const walk = modeWalk(question);
  const all = { ...input, firstBlock: 0, lastBlock: store.layout.blocks };
  let next = walk.next();
  while (!next.done) {
    const point = next.value;
    const sums = arena.returning(() => expansionOfBlocks(store, arena, { ...all, point }));
    next = walk.next(addExpansions(point, [sums]));
  }
  const search = next.value;
  const moves = search.found ? movesInDoubt(question, search.mode) : undefined;
  if (!search.found || !moves) return { search };
  return { search, cubes: cubesOfBlocks(store, arena, { ...all, point: search.mode.point, moves }) };
});

function movesInDoubt(question: ModeQuestion, mode: Expansion): Float64Array | undefined {
  if (tooLargeForDraws(question.rows, mode)) return undefined;
  const axes = axesOf(question, mode, 1 / question.slabVariance);
  const moves = axes && inDoubt(axes).moves;
  return moves?.length ? moves : undefined;
}

/** The digits that integrals need, each with a slab of its own. */
export function modesOf(
  settings: ModeSettings,
  models: readonly { readonly start: GlmPoint; readonly slabVariance: number }[],
): Promise<ModeFound[]> {
  const { pool, family, scaling, run } = settings;
  const inputs = models.map(({ start, slabVariance }): ModeInput => {
    return { family, scaling, question: modeQuestion({ ...settings, slabVariance }, start, "integral") };
  });
  return pool.run(modeJob, inputs, run && { onProgress: run.onProgress });
}
