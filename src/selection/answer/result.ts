import type { FamilyName, Scores } from "../../families/register.js";
import type { HiddenEntries } from "../missing/hidden-entries.js";
import type { PosteriorSettings } from "../posterior/posterior.js";
import type { SpecificationSettings } from "../posterior/specification.js";
import type { SearchSettings } from "../search/settings.js";
import type { Timing } from "../session.js";

/** What `fit` returns and `--json` prints. Fields of stages that did not run are absent. */
export interface FitResult {
  /** The kind of target, as told or as judged. */
  readonly family: FamilyName;
  /** Rows that were fitted. */
  readonly rows: number;
  /** Variables: columns, and for a text one for each of its values but the most frequent. */
  readonly columns: number;
  /** The column that was explained. */
  readonly target: string;
  /** Which of the settings were usual. */
  readonly preset: "auto" | "paper";
  /** Of the random numbers: the same seed gives the same result. */
  readonly seed: number;
  /** What was done to the data before the fit, in sentences. */
  readonly notes?: readonly string[];
  /** Variables that repeat another one, up to a factor and a constant: the data cannot tell them apart. */
  readonly copies?: readonly { readonly name: string; readonly of: string }[];
  /** Present and true when the run was stopped before its end. */
  readonly partial?: true;
  /** Every variable, largest inclusion probability first. */
  readonly variables: readonly VariableSummary[];
  /** The intercept, when it is in every model. */
  readonly intercept?: CoefficientSummary;
  /** How many variables are in the model. */
  readonly modelSize: ModelSizeSummary;
  /** The ten most probable models. */
  readonly models?: readonly { readonly variables: readonly string[]; readonly probability: number }[];
  /** Groups of correlated substitutes, one of which is in with probability 0.95 or more. */
  readonly credibleSets?: readonly CredibleSet[];
  /** Probability that both variables are in, for pairs of the most probable ones. */
  readonly pairs?: readonly { readonly variables: readonly [string, string]; readonly probability: number }[];
  /** The largest selection whose expected share of false members stays within the rate. */
  readonly falseDiscovery?: {
    readonly rate: number;
    readonly expected: number;
    readonly variables: readonly string[];
  };
  /** What was expected before the data, and how much of the answer that decides. */
  readonly prior?: PriorSummary;
  /** Missing predictors, where they were drawn along with the model. */
  readonly missing?: MissingSummary;
  /** How well the most probable model (the median one with the paper's settings) describes the rows that were fitted. */
  readonly scores?: Scores;
  /** Scores of predictions for the rows that were held out. */
  readonly holdout?: { readonly rows: number; readonly average: Scores; readonly median: Scores };
  /** σ² of a Gaussian target, where it was unknown. */
  readonly noiseVariance?: { readonly mean: number; readonly lower: number; readonly upper: number };
  /** Whether a variable may have been missed. */
  readonly certificate?: Certificate;
  /** Whether the numbers can be trusted, in words. */
  readonly verdict?: string;
  /** What the verdict rests on. */
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
  /** The discrepancy itself; only beside `expected` does it mean something. */
  readonly discrepancy: number;
  /** What as many independent draws from the posterior itself would have. */
  readonly expected: number;
  /** Draws that it was computed from. */
  readonly draws: number;
  /** Coefficients that they are of. */
  readonly coefficients: number;
}

export interface MissingSummary {
  /** Missing entries, and their share of all. */
  readonly entries: number;
  /** Their share of all entries. */
  readonly share: number;
  /** Columns of the data with holes, the emptiest first. */
  readonly columns: readonly { readonly name: string; readonly missing: number }[];
  /** Rows without a missing entry. */
  readonly completeRows: number;
  /** Whether the complete rows alone are enough for a fit. */
  readonly enoughRows: boolean;
  /** The law of the predictors that the entries were drawn from, and how many variables it is of. */
  readonly model: string;
  /** How many variables that law is of. */
  readonly lawOf: number;
  /** Known entries that were hidden and filled like holes; absent where they are too few or sweeps are dear. */
  readonly hidden?: HiddenEntries;
  /** How much closer to zero than they are the effects of selected variables come out, on average: 0.04 is 4%. */
  readonly shrinkage?: number;
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

/** A prior that is set beside the one that was used. */
export type OtherPrior = "halfOdds" | "twiceOdds" | "halfScale" | "twiceScale";

export interface PriorSummary {
  /** Variables that were expected to be in before the data. */
  readonly expectedSize: number;
  /** Those whose inclusion probability would move by 0.05 or to the other side of one half under another prior. */
  readonly variables: readonly {
    readonly name: string;
    readonly pip: number;
    /** Its probability if the prior odds of every variable were half of what they are. */
    readonly halfOdds?: number;
    /** If they were twice as large. */
    readonly twiceOdds?: number;
    /** If the scale of the slab, the variance of effects, were half of what it is. */
    readonly halfScale?: number;
    /** If it were twice as large. */
    readonly twiceScale?: number;
    /** Whether any of them changes what is selected. */
    readonly flips: boolean;
  }[];
  /** Priors under which too few of the models that were drawn would matter to tell: no variable has a probability there. */
  readonly untold?: readonly OtherPrior[];
}

export interface ModelSizeSummary {
  /** Posterior mean. */
  readonly mean: number;
  /** Where the 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
  /** Probability of each size from 0 up, before and after the data. */
  readonly prior?: readonly number[];
  /** The same after the data. */
  readonly posterior?: readonly number[];
}

export interface Certificate {
  /** Whether every variable outside the candidates was judged and none belongs, alone or in a group that was found. */
  readonly complete: boolean;
  /** Variables that were compared with each other in full. */
  readonly candidates: number;
  /** The probability from which a variable would have joined them. */
  readonly threshold: number;
  /** The variable outside the candidates that most probably belongs. */
  readonly largestOutside?: { readonly name: string; readonly pip: number };
  /** Expected number of variables in the model among those outside the candidates. */
  readonly massOutside: number;
  /** How far that may be off: because the models that judge differ, and add up to something else. */
  readonly massOutsideError?: number;
  /** The look for variables that belong together only; absent where there was none. */
  readonly groups?: CertifiedGroups;
  /** What all variables together explain beyond the model; absent where nobody asked. */
  readonly overall?: CertifiedOverall;
  /** Rows that both looked at, where the others could only be asked about; groups are weighed on all. */
  readonly rowsAtHand?: number;
}

export interface CertifiedGroups {
  /** Variables of which every pair was looked at, by sketches, and every triple of close neighbours. */
  readonly variables: number;
  /** Pairs and triples of promise that were weighed exactly beside the most probable models. */
  readonly weighed: number;
  /** Of those that are not among the candidates, the one that most probably belongs. */
  readonly largestOutside?: { readonly variables: readonly string[]; readonly probability: number };
}

export interface CertifiedOverall {
  /** How often variables that mean nothing would seem to explain as much together. */
  readonly pValue: number;
  /** Rough share of what the model leaves unexplained that all variables together explain. */
  readonly share: number;
  /** Whether that is more than chance allows for: once in 500 sets of data without meaning. */
  readonly somethingLeft: boolean;
}

export interface CredibleSet {
  /** The fewest, those that add most first, that reach 0.95. */
  readonly variables: readonly string[];
  /** Probability that at least one of them is in. */
  readonly probability: number;
  /** All substitutes, those of the set among them, and the probability that at least one is in; absent where they add nothing to the set. */
  readonly group?: { readonly count: number; readonly probability: number };
}

export interface CoefficientSummary {
  /** Posterior mean, in the units of the data. */
  readonly mean: number;
  /** Posterior standard deviation. */
  readonly sd: number;
  /** Where the equal-tailed 95% interval begins. */
  readonly lower: number;
  /** Where it ends. */
  readonly upper: number;
}

export interface VariableSummary extends CoefficientSummary {
  /** The column, or `column=value` for a text. */
  readonly name: string;
  /** Posterior inclusion probability: that the variable is in the model. */
  readonly pip: number;
  /** Standard error of the inclusion probability, from sampling models and integrals; 0 where it is exact. */
  readonly pipError: number;
  /** Mean of its effect given that it is in. */
  readonly meanIfIncluded: number;
  /** Where the equal-tailed 95% interval of its effect begins, given that it is in: without the mass at zero. */
  readonly lowerIfIncluded: number;
  /** Where that interval ends. */
  readonly upperIfIncluded: number;
  /** Probability, given inclusion, that the effect has the sign of its mean. */
  readonly signProbability: number;
  /** Whether it is in with a probability above one half: the median-probability model. */
  readonly selected: boolean;
}
