/** The coefficients of models that were weighed by an expansion: at their own modes where those are known. */

import { steinOfMedian } from "../answer/stein-draws.js";
import { centreOfWeights } from "../posterior/centre.js";
import { components } from "../posterior/laws/mixture.js";
import { type LawPart, modelLaw } from "../posterior/laws/model-law.js";
import { thinnedModels } from "../posterior/model-weights.js";
import { CHAINS } from "../posterior/polish.js";
import type { Described } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import type { ExpandedWeighed } from "./expanded.js";
import type { WeightedCentre } from "./expansion.js";
import type { OwnLaw } from "./laplace.js";

/** Models whose coefficients are worked out, a fair sample of all, and the multiplications that they may take. */
const DESCRIBED = { least: 500, most: 4096 };
const DESCRIBING = 2e8;

export function describeExpanded(problem: Problem, weighed: ExpandedWeighed): Described {
  const { spec } = problem;
  const { candidates, statistics, weights } = weighed;
  const centre = spec.centred ? centreOfWeights(problem, candidates, weighed.centre) : undefined;
  const lawOf = (members: readonly number[], fine: boolean): readonly LawPart[] =>
    ownLaw(problem, weighed, members) ??
    modelLaw(statistics, weights.slab, spec.noiseVariance, members, fine).map((part) => ({
      ...part,
      centre,
    }));
  const likeliest = (members: readonly number[]): LawPart =>
    lawOf(members, false).reduce((a, b) => (b.share > a.share ? b : a));
  const size = weights.size.reduce((sum, probability, k) => sum + probability * k, 0);
  const affordable = Math.max(DESCRIBED.least, Math.floor(DESCRIBING / Math.max(1, size) ** 3));
  const described = {
    ...weights,
    models: thinnedModels(weights.models, Math.min(DESCRIBED.most, affordable)),
  };
  return {
    mixture: components(statistics, spec.noiseVariance, described, ({ models, fine, total }) =>
      models.flatMap(({ members, probability }, m) =>
        lawOf(members, m < fine).map(({ share, posterior, centre }) => ({
          probability: (share * probability) / total,
          posterior,
          centre,
        })),
      ),
    ),
    centre,
    component: (members) => ({ ...likeliest(members), probability: 1 }),
    chains: CHAINS,
    fixedLength: true,
    slabConflict: undefined,
    predictorLaw: () => undefined,
    atMode: weighed.atMode,
    stein: () =>
      steinOfMedian(problem, weighed, (members) => {
        const law = weighed.own.get(members.join());
        return {
          ...likeliest(members),
          centre: spec.centred ? spreadOut(weighed, members, law) : undefined,
        };
      }),
    settings: { posterior: weights.exact ? "enumerated" : "sampled", likelihood: "expanded" },
  };
}

/** The law of a model at its own mode, where that was worked out. */
function ownLaw(
  problem: Problem,
  weighed: ExpandedWeighed,
  members: readonly number[],
): LawPart[] | undefined {
  const law = weighed.own.get(members.join());
  if (!law) return undefined;
  const centre = problem.spec.centred
    ? centreOfWeights(problem, weighed.candidates, spreadOut(weighed, members, law))
    : undefined;
  return [{ share: 1, slab: law.slab, posterior: law.posterior, centre }];
}

/** The centre of a model's own mode over all candidates: what does not belong to the model does not matter. */
function spreadOut(
  { candidates, centre }: ExpandedWeighed,
  members: readonly number[],
  law: OwnLaw | undefined,
): WeightedCentre {
  if (!law) return centre;
  const means = new Float64Array(candidates.length);
  members.forEach((i, a) => {
    means[i] = law.centre.means[a];
  });
  return { ...law.centre, means };
}
