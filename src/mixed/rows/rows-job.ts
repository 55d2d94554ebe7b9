/** A chain over rows as a job. */

import { familyNamed } from "../../families/register.js";
import { Rng, type RngState } from "../../math/rng.js";
import type { Job } from "../../workers/job.js";
import { gaussianRows, gaussianSums } from "./gaussian-rows.js";
import { glmRows } from "./glm-rows.js";
import type { RowsProblem, RowsState } from "./problem.js";

export interface RowsTask {
  readonly problem: RowsProblem;
  readonly start: RowsState;
  readonly rng: RngState;
  /** Whether the chain begins here. */
  readonly isNew: boolean;
  readonly iterations: number;
  readonly burnIn: number;
}

/** A draw without its effects, of which only sums are kept. */
export type KeptDraw = Pick<RowsState, "beta" | "noise" | "inverses">;

export interface RowsChain {
  readonly kept: readonly KeptDraw[];
  readonly finished: boolean;
  readonly last: RowsState;
  /** Of every term: sums of the effects and of the products of those of a level, over the draws that were kept. */
  readonly sums: readonly Float64Array[];
  readonly squares: readonly Float64Array[];
  /** Some of the draws with their effects, evenly spaced. */
  readonly whole: readonly RowsState[];
}

/** Draws with their effects, of each chain and round: enough that the width of an interval is within 4%. */
const WHOLE = 100;
/** Numbers that they may hold together: fewer draws where there are very many levels. */
const MOST_WHOLE = 5e6;
/**
 * Sweeps after which a chain works out anew what it carries along row by row, and where it can be gone on from: so that
 * a chain that is resumed there does what one does that was never stopped, to the last bit.
 */
const REFRESH = 100;

/** All that a chain needs to go on, and what it has come to. */
interface Saved extends Omit<RowsChain, "finished" | "last"> {
  readonly t: number;
  readonly rng: RngState;
  readonly state: RowsState;
}

export const rowsChainJob: Job<RowsTask, RowsChain, unknown> = {
  name: "mixed-rows-chain",
  start(_place, { problem, start, rng, isNew, iterations, burnIn }, from) {
    const saved = from as Saved | undefined;
    const state = structuredClone(saved?.state ?? start);
    const own = Rng.restore(saved?.rng ?? rng);
    const sweeps = sweepsOf(own, problem, state);
    const { kept, sums, squares, whole } = saved
      ? { ...structuredClone(saved), kept: [...saved.kept], whole: [...saved.whole] }
      : nothingYet(problem, state);
    const every = Math.ceil((iterations - burnIn) / wholeDraws(state));
    let t = saved?.t ?? 0;
    let steps = sweeps(isNew && t === 0);
    // Draws are never changed once they are kept; the rest goes on changing.
    const stand = (): Saved => ({
      ...structuredClone({ t, rng: own.save(), state, sums, squares }),
      kept: kept.slice(),
      whole: whole.slice(),
    });
    let standing = stand();
    return {
      next() {
        if (t === iterations) return false;
        steps.next();
        t++;
        if (t > burnIn) {
          kept.push({
            beta: state.beta.slice(),
            noise: state.noise,
            inverses: state.inverses.map((a) => a.slice()),
          });
          state.effects.forEach((values, term) => {
            addProducts(sums[term], squares[term], values, problem.terms[term].columns.length);
          });
          if ((t - burnIn) % every === 0) whole.push(structuredClone(state));
        }
        if (t % REFRESH === 0) {
          steps = sweeps(false);
          standing = stand();
        }
        return true;
      },
      get done() {
        return t;
      },
      save: () => standing,
      result: () => ({ kept, finished: t === iterations, last: state, sums, squares, whole }),
    };
  },
};

/** Sweeps that begin at the state as it is whenever they are asked for. */
function sweepsOf(rng: Rng, problem: RowsProblem, state: RowsState): (isNew: boolean) => Iterator<RowsState> {
  if (!familyNamed(problem.family).quadratic) return (isNew) => glmRows(rng, problem, state, isNew);
  const sums = gaussianSums(problem);
  return () => gaussianRows(rng, problem, state, sums);
}

function nothingYet(problem: RowsProblem, state: RowsState) {
  return {
    kept: [] as KeptDraw[],
    sums: state.effects.map((values) => new Float64Array(values.length)),
    squares: problem.terms.map(
      ({ columns, levels }) => new Float64Array(levels * columns.length * columns.length),
    ),
    whole: [] as RowsState[],
  };
}

function wholeDraws({ effects }: RowsState): number {
  const size = effects.reduce((sum, values) => sum + values.length, 0);
  return Math.max(2, Math.min(WHOLE, Math.floor(MOST_WHOLE / size)));
}

function addProducts(sums: Float64Array, squares: Float64Array, b: Float64Array, q: number): void {
  for (let at = 0; at < b.length; at += q) {
    for (let j = 0; j < q; j++) {
      sums[at + j] += b[at + j];
      for (let k = 0; k < q; k++) squares[(at + j) * q + k] += b[at + j] * b[at + k];
    }
  }
}
