/** What a fit works with once the data are read and screened, whichever preset it follows, and what it comes to. */

import type { RunOptions, Team } from "../team/team.js";
import type { RunDetails } from "./details.js";
import type { Holes } from "./imputation/holes.js";
import type { Progress } from "./options.js";
import type { PlanInputs } from "./plans.js";
import type { FitResult } from "./result.js";
import type { Screen } from "./screen.js";
import type { SearchPlan } from "./search.js";
import type { RoundsPlan, Searched } from "./search-rounds.js";
import type { Target } from "./target.js";
import type { TimeBudget } from "./time-budget.js";

/** `options.signal` aborts when the run has to stop, `screen` knows the spread of what was observed. */
export interface Session extends PlanInputs {
  readonly team: Team;
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
