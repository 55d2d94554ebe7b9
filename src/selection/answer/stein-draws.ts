/** Draws of coefficients, on the model's scale, whose distance from the posterior is to be measured. */

import { drawCount } from "../../draws/sparse-draws.js";
import { nameOf } from "../../families/register.js";
import { Rng } from "../../math/rng.js";
import { RUN_STREAMS } from "../../sampling/streams.js";
import type { WeightedCentre } from "../expansion/expansion.js";
import type { ModelPosterior } from "../posterior/evidence.js";
import type { Weighed } from "../posterior/posterior.js";
import type { Problem } from "../posterior/problem.js";
import type { FixedSlab } from "../posterior/slab.js";
import { type ChainOutput, priorOf, type SearchPlan } from "../search/types.js";
import { independentDraws } from "./independent-draws.js";
import type { SteinSummary } from "./result.js";
import { SELECTED } from "./selected.js";
import {
  affordableDraws,
  STEIN_DRAWS,
  type SteinDraw,
  type SteinProblem,
  steinCheck,
} from "./stein-check.js";

/** Coefficients that are looked at: the most probable ones. */
const MOST = 10;

/** The law of a model's coefficients on the model's scale, with that of the intercept if its centre is given. */
export interface ModelLaw {
  readonly slab: FixedSlab;
  readonly posterior: ModelPosterior;
  readonly centre: WeightedCentre | undefined;
}

/** Of the median model of the default mode, drawn as for the run folder. */
export async function steinOfMedian(
  problem: Problem,
  { candidates, statistics, weights }: Weighed,
  lawOf: (members: readonly number[]) => ModelLaw,
): Promise<SteinSummary | undefined> {
  const { store, pool, scaling, target, seed, spec } = problem;
  const { columns } = store.layout;
  const median = Array.from(weights.inclusion.keys())
    .filter((i) => weights.inclusion[i] > SELECTED)
    .sort((a, b) => weights.inclusion[b] - weights.inclusion[a]);
  if (median.length === 0) return undefined;
  const { slab, posterior, centre } = lawOf([...median].sort((a, b) => a - b));
  const intercept = centre ? [columns] : [];
  const coordinates = [...median.slice(0, MOST).map((i) => candidates[i]), ...intercept];
  const count = affordableDraws(store.layout, median.length + intercept.length, coordinates.length);
  if (count === 0) return undefined;
  const through = centre && {
    target: centre.intercept,
    weight: 1 / centre.variance,
    means: [...centre.means],
  };
  const drawn = independentDraws(
    Rng.seeded(seed).split(RUN_STREAMS.stein),
    {
      mixture: [{ probability: 1, posterior, centre: through }],
      variable: candidates,
      slope: new Float64Array(candidates.length).fill(1),
      noiseVariance: spec.noiseVariance,
    },
    count,
  );
  const draws = Array.from({ length: count }, (_, d): SteinDraw => {
    const variables = [...drawn.variable.subarray(drawn.start[d], drawn.start[d + 1]), ...intercept];
    const values = [...drawn.value.subarray(drawn.start[d], drawn.start[d + 1])];
    if (intercept.length > 0) values.push(drawn.intercept![d]);
    return { variables, values, dispersion: drawn.noiseVariance![d] };
  });
  const place = new Map(candidates.map((j, i) => [j, i]));
  const { noiseVariance } = spec;
  const priorPrecision: SteinProblem["priorPrecision"] = (a, b, { dispersion }) => {
    if (a === columns || b === columns) return 0;
    if (slab.kind === "zellner") {
      return statistics.gram[place.get(a)! * statistics.size + place.get(b)!] / (slab.scale * dispersion);
    }
    return a === b ? 1 / (slab.scale * (noiseVariance === undefined ? dispersion : 1)) : 0;
  };
  const family = nameOf(target.family);
  const run = problem.run("polish");
  return steinCheck({ store, pool, run, family, scaling, coordinates, priorPrecision }, draws);
}

/** Of search chains: the coefficients that all of the draws hold, each given its own model. */
export async function steinOfChains(
  { store, pool, run }: Pick<SteinProblem, "store" | "pool" | "run">,
  chains: readonly ChainOutput[],
  plan: SearchPlan,
): Promise<SteinSummary | undefined> {
  // The chains do not keep σ² with their draws.
  if (!plan.noise.known) return undefined;
  const all = chains.flatMap(({ draws }) =>
    Array.from({ length: drawCount(draws) }, (_, d): SteinDraw => {
      const [from, to] = [draws.start[d], draws.start[d + 1]];
      const variables = [...draws.variable.subarray(from, to)];
      return { variables, values: [...draws.value.subarray(from, to)], dispersion: plan.noise.variance };
    }),
  );
  const held = new Map<number, number>();
  for (const { variables } of all) for (const j of variables) held.set(j, (held.get(j) ?? 0) + 1);
  const always = [...held].filter(([, times]) => times === all.length).map(([j]) => j);
  const coordinates = always.sort((a, b) => a - b).slice(0, MOST);
  const size = all.reduce((sum, { variables }) => sum + variables.length, 0) / Math.max(1, all.length);
  const count = Math.min(all.length, affordableDraws(store.layout, size, coordinates.length));
  if (count < STEIN_DRAWS.least) return undefined;
  const draws = Array.from({ length: count }, (_, d) => all[Math.floor((d * all.length) / count)]);
  const prior = priorOf(plan);
  const fixed = new Set(plan.always);
  const priorPrecision: SteinProblem["priorPrecision"] = (a, b, { variables }) =>
    a === b && !fixed.has(a) ? 1 / prior.slabVariance(variables.filter((j) => !fixed.has(j)).length) : 0;
  const { family, scaling } = plan;
  return steinCheck({ store, pool, run, family, scaling, coordinates, priorPrecision }, draws);
}
