import type { RunDetails } from "./answer/details.js";
import type { PredictedRows } from "./answer/fitted.js";
import type { FitResult, FitSettings } from "./answer/result.js";
import type { Searched } from "./search/rounds.js";

/** What a preset comes to. */
export interface Outcome {
  readonly answer: Omit<
    FitResult,
    | "family"
    | "rows"
    | "columns"
    | "target"
    | "preset"
    | "seed"
    | "notes"
    | "copies"
    | "partial"
    | "timing"
    | "settings"
  >;
  readonly partial: boolean;
  readonly notes: readonly string[];
  readonly settings: FitSettings;
  readonly details: RunDetails;
  readonly predicted: PredictedRows;
  readonly searched: Pick<Searched, "chains" | "plan"> | undefined;
}
