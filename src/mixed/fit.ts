/** From cross-products to the posterior of a mixed model. Runs anywhere; reading files is for others. */

import { quantile } from "../diagnostics/chains.js";
import type { FormulaPredictor } from "../prediction/formula-predictor.js";
import type { MixedPredictor } from "../prediction/mixed-predictor.js";
import { noColumn } from "../tables/named/no-column.js";
import { option } from "../wording.js";
import { type Crew, callingThread } from "../workers/crew.js";
import { check, untoldSentences } from "./check.js";
import { LEAST_NOISE } from "./expanded-gibbs.js";
import { type GroupEffects, groupEffects } from "./group-effects.js";
import { logLikelihood } from "./log-likelihood.js";
import { layoutOf, type MixedDesign, natural } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { decidingSentences } from "./model/deciding-groups.js";
import { differsIn } from "./model/differs.js";
import { resolutionsOf } from "./model/resolutions.js";
import { type SomeRows, spreadOfRows } from "./model/spread-of-rows.js";
import { lawOf, type MixedOptions, planOf, refuseTooFew } from "./options.js";
import { mixedPredictor } from "./predictor-of.js";
import { influenceSentences, priorInfluence } from "./prior-influence.js";
import { priorWords } from "./prior-words.js";
import { type MixedResult, mixedResult } from "./result.js";
import { sample } from "./sample.js";
import { asItIs, standard } from "./standard.js";

export interface MixedFit {
  /** What `--json` prints. */
  readonly result: MixedResult;
  /** What a draw consists of. */
  readonly names: readonly string[];
  /** β, σ² and the triangle of Σ in the data's units, one array a draw, by chain. */
  readonly draws: readonly (readonly Float64Array[])[];
  /** Random effects by group; costs a pass over the groups for each of some draws. */
  effects(): GroupEffects;
  /** What `predict` takes; costs the same. */
  predictor(): MixedPredictor | FormulaPredictor;
}

/** κ of the default prior of β: wide enough that it does not matter, proper enough that nothing drifts. */
const WIDE = 1e4;
const EFFECT_DRAWS = 40;
/** Measured on simulated MovieLens 10M: 2 to 5 times for β, 9 times for σ², and one sd 0.374 where 0.568 is true. */
const WIDENED =
  "Mini-batch noise at the paper's step size makes these intervals too wide, several times over with many groups, and " +
  "so few iterations leave standard deviations near where they began: only the means of fixed effects are sound. " +
  `Leave out ${option("preset", "paper")} for the others.`;

/** Of any sampler. */
export const EXPLAINED =
  "The model explains the target completely: there is no noise by which anything could be uncertain.";

export const nearZeroWords = (name: string): string =>
  `The standard deviation of "${name}" may be zero, which mini-batches cannot show: its lower end and median are not to be trusted. Use ${option("method", "gibbs")}.`;

/** `data.columns[0]` is the intercept; `fixed` and `random` of the options name others. */
export async function fitMixed(
  data: CrossProducts,
  options: MixedOptions,
  crew: Crew = callingThread,
  /** Reads some of the rows behind the cross-products once more, where there are any to be read. */
  someRows?: () => Promise<SomeRows>,
): Promise<MixedFit> {
  const random = placesOf(data, options.random ?? [], "random");
  const asked = planOf(options, data.rows.length, random.length);
  const paper = options.preset === "paper";
  const usual = lawOf(options);
  const { law } = { ...usual, ...options.priors };
  const plain: MixedDesign = {
    columns: data.columns,
    fixed: placesOf(data, options.fixed ?? [], "fixed"),
    random,
  };
  const concerns = check(data, plain);
  if (paper && asked.method === "esgld" && asked.batch < data.rows.length) concerns.push(WIDENED);
  const scaled = paper ? asItIs(data) : standard(data, plain);
  concerns.push(
    ...untoldSentences(paper ? standard(data, plain).data : scaled.data, random, options.group ?? "group"),
  );
  const resolutions = law === "spike-and-slab" ? resolutionsOf(scaled.data, random) : [];
  const priors = { ...(!paper && { fixedVariance: WIDE }), ...usual, resolutions, ...options.priors };
  const design: MixedDesign = { ...plain, priors };
  const layout = layoutOf(design);
  const read = (theta: Float64Array) => scaled.toData(natural(layout, theta));
  const run = await sample({ data: scaled.data, design, plan: asked, options, crew, read });
  const { plan } = run;
  if (run.nearZero !== undefined) concerns.push(nearZeroWords(run.nearZero));
  const length = Math.min(...run.chains.map((chain) => chain.length));
  refuseTooFew(length, options, run.partial);
  const even = run.chains.map((chain) => chain.slice(0, length));
  const draws = even.map((chain) => chain.map(read));
  const least = 2 * LEAST_NOISE * scaled.scale[data.columns.length] ** 2;
  if (
    law !== "inverse-wishart" &&
    draws.some((chain) => chain.some((draw) => draw[design.fixed.length] < least))
  ) {
    concerns.push(EXPLAINED);
  }
  if (!paper) {
    const [last, natural] = [even[0][length - 1], draws[0][length - 1]];
    const deciding = decidingSentences(scaled.data, design, last);
    concerns.push(...deciding);
    // What a few groups do is told of them.
    if (someRows && deciding.length === 0)
      concerns.push(...spreadOfRows(scaled, data.columns, design, last, natural, await someRows()));
  }
  concerns.push(...influenceSentences(priorInfluence(design, even.flat(), data.rows.length), law));
  const names = naturalNames(data, design);
  return {
    result: mixedResult({
      ...run,
      data,
      design,
      options,
      plan,
      draws,
      names,
      concerns,
      prior: priorWords(
        scaled,
        design,
        medianOf(draws.flat().map((draw) => Math.sqrt(draw[design.fixed.length]))),
      ),
      differs: differsIn(design, even.flat()),
      logLikelihood: logLikelihood(scaled, design, even.flat()),
    }),
    names,
    draws,
    effects: () => groupEffects(scaled, design, someOf(run.chains)),
    predictor: () =>
      mixedPredictor({
        scaled,
        design,
        group: options.group ?? "",
        draws: even.flat(),
        some: someOf(run.chains),
      }),
  };
}

function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** Given θ the effects of groups are in closed form, so that a few draws of θ suffice. */
function someOf(chains: readonly (readonly Float64Array[])[]): Float64Array[] {
  const all = chains.flat();
  const every = Math.max(1, Math.floor(all.length / EFFECT_DRAWS));
  return all.filter((_, t) => t % every === 0);
}

function placesOf(data: CrossProducts, names: readonly string[], which: "fixed" | "random"): number[] {
  const places = names.map((name) => {
    const at = data.columns.indexOf(name);
    if (at < 0) throw noColumn("The table", name, data.columns.slice(1), option(which));
    return at;
  });
  return [...new Set([0, ...places])];
}

function naturalNames(data: CrossProducts, { fixed, random }: MixedDesign): string[] {
  const names = [...fixed.map((j) => data.columns[j]), "noise variance"];
  for (let j = 0; j < random.length; j++) {
    for (let k = 0; k <= j; k++) {
      const [one, other] = [data.columns[random[j]], data.columns[random[k]]];
      names.push(j === k ? `var(${one})` : `cov(${other}, ${one})`);
    }
  }
  return names;
}
