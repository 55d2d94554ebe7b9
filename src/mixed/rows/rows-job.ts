/** A chain over rows as a job. */

import { familyNamed } from "../../families/register.js";
import { Rng, type RngState } from "../../math/rng.js";
import type { Job } from "../../workers/job.js";
import { gaussianRows } from "./gaussian-rows.js";
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

/** Of each chain and round. */
const WHOLE = 13;

export const rowsChainJob: Job<RowsTask, RowsChain, unknown> = {
  name: "mixed-rows-chain",
  start(_place, { problem, start, rng, isNew, iterations, burnIn }) {
    const isPlain = familyNamed(problem.family).quadratic;
    const state = structuredClone(start);
    const own = Rng.restore(rng);
    const steps = isPlain ? gaussianRows(own, problem, state) : glmRows(own, problem, state, isNew);
    const kept: KeptDraw[] = [];
    const sums = state.effects.map((values) => new Float64Array(values.length));
    const squares = problem.terms.map(
      ({ columns, levels }) => new Float64Array(levels * columns.length * columns.length),
    );
    const whole: RowsState[] = [];
    const every = Math.ceil((iterations - burnIn) / WHOLE);
    let t = 0;
    return {
      next() {
        if (t === iterations) return false;
        steps.next();
        if (++t <= burnIn) return true;
        kept.push({
          beta: state.beta.slice(),
          noise: state.noise,
          inverses: state.inverses.map((a) => a.slice()),
        });
        state.effects.forEach((values, term) => {
          addProducts(sums[term], squares[term], values, problem.terms[term].columns.length);
        });
        if ((t - burnIn) % every === 0) whole.push(structuredClone(state));
        return true;
      },
      get done() {
        return t;
      },
      result: () => ({ kept, finished: t === iterations, last: state, sums, squares, whole }),
    };
  },
};

function addProducts(sums: Float64Array, squares: Float64Array, b: Float64Array, q: number): void {
  for (let at = 0; at < b.length; at += q) {
    for (let j = 0; j < q; j++) {
      sums[at + j] += b[at + j];
      for (let k = 0; k < q; k++) squares[(at + j) * q + k] += b[at + j] * b[at + k];
    }
  }
}
