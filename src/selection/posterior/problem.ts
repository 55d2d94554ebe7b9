import type { Target } from "../../families/target.js";
import type { FitOptions } from "../../options/fit.js";
import type { Scaling } from "../../store/batch/scaling.js";
import type { Store } from "../../store/store.js";
import type { Pool, RunOptions } from "../../workers/pool.js";
import type { Screen } from "../data/screen.js";
import type { ModelSpace } from "./model-weights.js";
import type { Specification } from "./specification.js";

/** What every posterior over models works with. */
export interface Problem {
  readonly store: Store;
  readonly pool: Pool;
  /** With means in the place of missing values. */
  readonly screen: Screen;
  readonly scaling: Scaling;
  readonly target: Target;
  readonly spec: Specification;
  /** Columns that are not constant, in rising order. */
  readonly usable: readonly number[];
  /** Those of them that are in every model. */
  readonly always: readonly number[];
  /** Columns of the model that a search thinks best: where an expansion starts. */
  readonly start: readonly number[];
  readonly options: FitOptions;
  readonly seed: number;
  readonly run: (stage: "certify" | "polish") => RunOptions;
}

/** The models over some candidates. */
export function modelSpace({ spec, always }: Problem, candidates: readonly number[]): ModelSpace {
  const forced = always.map((j) => candidates.indexOf(j)).filter((i) => i >= 0);
  const largest = Math.min(spec.maxSize, candidates.length - forced.length);
  return {
    logModel: Float64Array.from({ length: largest + 1 }, (_, k) => spec.prior.logModel(k)),
    always: forced,
  };
}
