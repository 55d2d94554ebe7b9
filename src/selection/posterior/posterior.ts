/**
 * The seam between the rounds of candidates and certificate and whatever weighs models: exact sums of products, an
 * expansion of the likelihood, completed data. The rounds know none of them; one conformance suite runs over all.
 */

import type { PredictorLaw } from "../../prediction/predictor-law.js";
import type { ColumnTable } from "../../tables/table.js";
import type { SteinSummary } from "../answer/result.js";
import type { SlabConflict } from "../answer/slab-conflict.js";
import type { Outside } from "../certify/certificate.js";
import type { Beyond } from "../hidden/look.js";
import type { HiddenEntries } from "../missing/hidden-entries.js";
import type { Centre } from "./centre.js";
import type { SufficientStatistics } from "./evidence.js";
import type { Component } from "./laws/mixture.js";
import type { ModelSpace, ModelWeights } from "./model-weights.js";
import type { Slab } from "./slab.js";

export interface Posterior<W extends Weighed = Weighed> {
  /** The most candidates that can be afforded. */
  readonly mostCandidates: number;
  /** These columns and those that have to be considered along with them, in rising order. */
  withCompany(columns: readonly number[]): Promise<readonly number[]>;
  /** The posterior over the models of some candidates. */
  weigh(candidates: readonly number[], how: Weighing<W>): Promise<W>;
  /** A verdict on every usable column outside the candidates. */
  judge(weighed: W): Promise<Outside>;
  /** What it takes to look beyond single columns; absent where nobody knows how. */
  readonly beyond?: Beyond<W>;
  /** The laws of the coefficients, and how all this was come by. */
  describe(weighed: W): Described;
}

export interface Weighing<W extends Weighed> {
  /** Whether it is the last word. */
  readonly thorough: boolean;
  /** That of fewer candidates, or a hasty one. */
  readonly before?: W | undefined;
  /** Where models are sampled, some of the chains begin at these: models, as columns of the store. */
  readonly starts?: readonly (readonly number[])[];
  /** The slab with what is known of the others; at first nothing is. */
  readonly slab?: Slab | undefined;
}

/** Models and their weights. */
export interface Weighed {
  /** Columns of the store, in rising order. */
  readonly candidates: readonly number[];
  readonly statistics: SufficientStatistics;
  readonly space: ModelSpace;
  readonly weights: ModelWeights;
  /** What the statistics misjudge about the log odds of each candidate by itself, where that is known. */
  readonly misjudged?: Float64Array;
}

export interface Described {
  /** Coefficients of the candidates, model by model; probabilities add up to one. */
  readonly mixture: readonly Component[];
  /** The coefficients of one model, given by positions among the candidates in rising order. */
  component(members: readonly number[]): Component;
  /** The model that carries most of the average, where those of the mixture are draws, each as probable as the next. */
  readonly likeliest?: Component;
  /** Where the regression passes through; undefined without an intercept. */
  readonly centre: Centre | undefined;
  /** Chains that sampled models, and whether their length is fixed rather than a setting. */
  readonly chains: number;
  readonly fixedLength: boolean;
  /** Where the slab expects much smaller effects than there are. */
  readonly slabConflict: SlabConflict | undefined;
  /** How well entries that are known were filled like holes; absent where none were hidden. */
  readonly hidden?: HiddenEntries;
  /** How much closer to zero than they are effects come out, as a share; absent where nobody asks. */
  readonly shrinkage?: number;
  /** What these laws leave open, in sentences. */
  readonly concerns?: readonly string[];
  /** Completed copies of the data, where they were asked for. */
  imputations?(): readonly ColumnTable[];
  /** The joint law of predictors with holes: of these variables, by name. */
  predictorLaw(variables: readonly string[]): PredictorLaw | undefined;
  /** Whether the place could be found at which the likelihood is meant to be expanded. */
  readonly atMode: boolean;
  /** How far draws of the coefficients are from their posterior; undefined where that cannot be measured. */
  stein(): Promise<SteinSummary | undefined>;
  readonly settings: PosteriorSettings;
}

/** How models were weighed: part of the settings of a result. */
export interface PosteriorSettings {
  /** Whether every model was visited. */
  readonly posterior: "enumerated" | "sampled";
  /** Of the sweeps over missing values, where there were any. */
  readonly chains?: number;
  /** Sweeps of each of those chains. */
  readonly sweeps?: number;
  /** How many of them were discarded. */
  readonly sweepsDiscarded?: number;
  /** Whether models were weighed by their likelihood, or by a quadratic expansion of it. */
  readonly likelihood: "exact" | "expanded";
}
