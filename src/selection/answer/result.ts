import type { FamilyName, Scores } from "../../families/register.js";
import type { PosteriorSettings } from "../posterior/posterior.js";
import type { SpecificationSettings } from "../posterior/specification.js";
import type { SearchSettings } from "../search/settings.js";
import type { Timing } from "../session.js";

/** What `fit` returns and `--json` prints. Fields of stages that did not run are absent. */
export interface FitResult {
  readonly family: FamilyName;
  readonly rows: number;
  readonly columns: number;
  readonly target: string;
  readonly preset: "auto" | "paper";
  readonly seed: number;
  /** What was done to the data before the fit, in sentences. */
  readonly notes?: readonly string[];
  /** Present and true when the run was stopped before its end. */
  readonly partial?: true;
  /** Every variable, largest inclusion probability first. */
  readonly variables: readonly VariableSummary[];
  /** The intercept, when it is in every model. */
  readonly intercept?: CoefficientSummary;
  readonly modelSize: ModelSizeSummary;
  readonly models?: readonly { readonly variables: readonly string[]; readonly probability: number }[];
  /** Groups of correlated substitutes, one of which is in with probability 0.95 or more. */
  readonly credibleSets?: readonly { readonly variables: readonly string[]; readonly probability: number }[];
  /** Probability that both variables are in, for pairs of the most probable ones. */
  readonly pairs?: readonly { readonly variables: readonly [string, string]; readonly probability: number }[];
  /** The largest selection whose expected share of false members stays within the rate. */
  readonly falseDiscovery?: {
    readonly rate: number;
    readonly expected: number;
    readonly variables: readonly string[];
  };
  /** Missing predictors, where they were drawn along with the model. */
  readonly missing?: MissingSummary;
  /** Scores of predictions for the rows that were held out. */
  readonly holdout?: { readonly rows: number; readonly average: Scores; readonly median: Scores };
  readonly noiseVariance?: { readonly mean: number; readonly lower: number; readonly upper: number };
  readonly certificate?: Certificate;
  /** Whether the numbers can be trusted, in words. */
  readonly verdict?: string;
  readonly diagnostics: {
    readonly rhat?: number;
    readonly ess?: number;
    /** The variable on which search and polish differ most, and what each says of it; absent without a search. */
    readonly searchAgreement?: { readonly name: string; readonly search: number; readonly polish: number };
    /** Absent where there is no coefficient to look at, or gradients over all rows would take too long. */
    readonly stein?: SteinSummary;
    readonly warnings: readonly string[];
  };
  /** Seconds of wall clock. */
  readonly timing: Timing;
  /** The settings that were used, chosen or given. */
  readonly settings: FitSettings;
}

/** How the search went, what was assumed, and how models were weighed; what did not come up is absent. */
export type FitSettings = Partial<SearchSettings> &
  Partial<Omit<SpecificationSettings, keyof SearchSettings>> &
  Partial<Omit<PosteriorSettings, keyof SearchSettings>> & { readonly holdout?: number };

/** Kernel Stein discrepancy between draws of coefficients and their posterior given the model. */
export interface SteinSummary {
  readonly discrepancy: number;
  /** What as many independent draws from the posterior itself would have. */
  readonly expected: number;
  readonly draws: number;
  readonly coefficients: number;
}

export interface MissingSummary {
  /** Missing entries, and their share of all. */
  readonly entries: number;
  readonly share: number;
  /** Columns of the data with holes, the emptiest first. */
  readonly columns: readonly { readonly name: string; readonly missing: number }[];
  readonly completeRows: number;
  /** Whether the complete rows alone are enough for a fit. */
  readonly enoughRows: boolean;
  /** The law of the predictors that the entries were drawn from, and how many variables it is of. */
  readonly model: string;
  readonly lawOf: number;
  /** What leaving incomplete rows out gives; absent where that leaves too few, or no time. */
  readonly dropping?: {
    readonly rows: number;
    /** Variables that are selected one way or the other. */
    readonly variables: readonly Pick<
      VariableSummary,
      "name" | "pip" | "mean" | "lower" | "upper" | "selected"
    >[];
  };
}

export interface ModelSizeSummary {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
  /** Probability of each size from 0 up, before and after the data. */
  readonly prior?: readonly number[];
  readonly posterior?: readonly number[];
}

export interface Certificate {
  /** Whether every variable outside the candidates was judged and none belongs with more than the threshold. */
  readonly complete: boolean;
  readonly candidates: number;
  readonly threshold: number;
  readonly largestOutside?: { readonly name: string; readonly pip: number };
  /** Expected number of variables in the model among those outside the candidates. */
  readonly massOutside: number;
  /** How far that may be off because the models that judged them differ. */
  readonly massOutsideError?: number;
}

export interface CoefficientSummary {
  readonly mean: number;
  readonly sd: number;
  readonly lower: number;
  readonly upper: number;
}

export interface VariableSummary extends CoefficientSummary {
  readonly name: string;
  readonly pip: number;
  /** Monte Carlo standard error of the inclusion probability; 0 where it is exact. */
  readonly pipError: number;
  readonly meanIfIncluded: number;
  /** Probability, given inclusion, that the effect has the sign of its mean. */
  readonly signProbability: number;
  readonly selected: boolean;
}
