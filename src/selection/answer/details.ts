/** What a run folder keeps beyond the summary. Worked out only for those who ask. */

import type { PosteriorDraws } from "../../draws/posterior-draws.js";
import { Rng } from "../../math/rng.js";
import type { Predictor } from "../../prediction/predictor.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import type { ColumnTable } from "../../tables/table.js";
import { type Component, meanNoise } from "../posterior/laws/mixture.js";
import type { Described, Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import { independentDraws } from "./independent-draws.js";
import { keptModels, mixturePredictor, predictorHead } from "./predictor-of.js";
import { SELECTED } from "./selected.js";

export interface RunDetails {
  /** Joint draws of everything that was estimated. */
  draws(): PosteriorDraws;
  /** What predictions of new rows need. */
  predictor(): Predictor;
  /** Copies of the data with other draws in the holes of each, where they were asked for and there are holes. */
  imputations?(): readonly ColumnTable[];
  /** Many more of the most probable models than a summary lists. */
  models?(): ModelList;
}

export interface ModelList {
  /** Whether the probabilities come from visiting every model. */
  readonly exact: boolean;
  /** Names of the variables. */
  readonly names: readonly string[];
  /** `variables` are positions in `names`. */
  readonly models: readonly { readonly variables: readonly number[]; readonly probability: number }[];
}

const DRAW_CHAINS = 4;
const DRAWS_PER_CHAIN = 1000;
/** Models to list: those that carry this share of the posterior, but not too many. */
const LISTED = 0.99;
const MAX_LISTED = 500;

export function posteriorDetails(
  { store, scaling, seed, target, spec }: Problem,
  { candidates, weights }: Weighed,
  { mixture, centre, component, likeliest, predictorLaw, imputations }: Described,
): RunDetails & {
  /** A predictor of the model that carries most of the average alone. */
  likeliest(): Predictor;
} {
  const names = candidates.map((j) => store.names[j]);
  const predictorOf = (kept: readonly Component[]): Predictor => {
    const median = component(candidates.flatMap((_, i) => (weights.inclusion[i] > SELECTED ? [i] : [])));
    const columns = candidates.map((j, i) => {
      const slope = scaling.slope[j];
      return { name: store.names[j], slope, centre: centre ? centre.means[i] / slope : 0 };
    });
    const noise = spec.noiseVariance ?? meanNoise(mixture);
    const head = predictorHead(store.record.encoding, target, noise);
    return mixturePredictor(head, columns, kept, median, {
      at({ posterior: { members, mean: effect }, centre: own = centre }) {
        if (!centre || !own) return 0;
        const moved = (at: number, i: number, a: number) => at + effect[a] * (centre.means[i] - own.means[i]);
        return members.reduce(moved, own.target);
      },
      variance: ({ posterior: { residualSquares, freedom }, centre: own = centre }) =>
        own ? (spec.noiseVariance ?? residualSquares / freedom) / own.weight : 0,
    });
  };
  return {
    /** Unlike the median model, it holds one of several substitutes. */
    likeliest: () =>
      predictorOf([
        likeliest ?? keptModels(mixture).reduce((a, b) => (b.probability > a.probability ? b : a)),
      ]),
    draws() {
      const model = {
        mixture,
        variable: candidates.map((_, i) => i),
        slope: candidates.map((j) => scaling.slope[j]),
        noiseVariance: spec.noiseVariance,
      };
      const rng = Rng.seeded(seed).split(RUN_STREAMS.draws);
      const chains = Array.from({ length: DRAW_CHAINS }, (_, c) => {
        const { noiseVariance, ...chain } = independentDraws(rng.split(c), model, DRAWS_PER_CHAIN);
        // The unit variance of an expanded likelihood is no parameter.
        return target.family.noise && noiseVariance ? { ...chain, noiseVariance } : chain;
      });
      return { kind: "independent", names, chains };
    },
    predictor() {
      const predictor = predictorOf(keptModels(mixture));
      const known = predictorLaw(predictor.variables);
      return known ? { ...predictor, law: known } : predictor;
    },
    ...(imputations && { imputations }),
    models() {
      const models: { variables: readonly number[]; probability: number }[] = [];
      let covered = 0;
      for (const { members, probability } of weights.models) {
        if (covered >= LISTED || models.length === MAX_LISTED) break;
        models.push({ variables: members, probability });
        covered += probability;
      }
      return { exact: weights.exact, names, models };
    },
  };
}
