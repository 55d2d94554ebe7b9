/** What a fit works with once the data are read and screened, whichever preset it follows, and what it comes to. */

import type { Target } from "../families/target.js";
import type { Progress } from "../options/fit.js";
import type { Pool, RunOptions } from "../workers/pool.js";
import type { RunDetails } from "./answer/details.js";
import type { FitResult } from "./answer/result.js";
import type { Screen } from "./data/screen.js";
import type { Holes } from "./missing/holes.js";
import type { SearchPlan } from "./search/chain.js";
import type { PlanInputs } from "./search/plans.js";
import type { RoundsPlan, Searched } from "./search/rounds.js";
import type { TimeBudget } from "./time-budget.js";

/** `options.signal` aborts when the run has to stop, `screen` knows the spread of what was observed. */
export interface Session extends PlanInputs {
  readonly pool: Pool;
  readonly target: Target;
  /** Missing predictors, if there are any, and the screen with means in their place. */
  readonly holes: Holes | undefined;
  readonly filled: Screen;
  readonly budget: TimeBudget;
  /** Whether it was the user who stopped the run, rather than the clock. */
  readonly stoppedByUser: () => boolean;
  readonly timed: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  readonly progress: (stage: Progress["stage"]) => RunOptions;
  readonly search: (
    plan: SearchPlan,
    chains: number,
    rounds: RoundsPlan,
    signal: AbortSignal,
  ) => Promise<Searched>;
}

export interface Outcome {
  readonly answer: Omit<
    FitResult,
    "family" | "rows" | "columns" | "target" | "preset" | "seed" | "notes" | "partial" | "timing" | "settings"
  >;
  readonly partial: boolean;
  readonly notes: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly details: RunDetails;
  readonly searched?: Pick<Searched, "chains" | "plan"> | undefined;
}
