/** What a mixed model of rows returns, from draws in the units of the data. */

import { quantile } from "../../diagnostics/chains.js";
import { nameOf } from "../../families/register.js";
import { packedSize } from "../../math/packed.js";
import { EXPLAINED } from "../fit.js";
import type { Variable } from "../formula/variables.js";
import { layoutOf } from "../model/chart.js";
import type { Differs } from "../model/differs.js";
import type { MixedOptions, MixedPlan } from "../options.js";
import { effectSentences, influenceSentences, type PriorInfluence } from "../prior-influence.js";
import { inOrOutWords, short } from "../prior-words.js";
import {
  judged as judgedDraws,
  type MixedResult,
  type MixedTerm,
  quantityOf,
  randomEffects,
} from "../result.js";
import type { RoundsPlan } from "../rounds.js";
import { untoldSentences } from "./checks/told-apart.js";
import type { Frame } from "./frame.js";
import { LEAST_NOISE } from "./gaussian-rows.js";
import type { Judged } from "./judged.js";
import type { Prepared } from "./prepare.js";
import type { RowsPriors } from "./problem.js";

/** How the chains were run. */
export interface Sampler
  extends RoundsPlan,
    Pick<MixedPlan, "method" | "batch" | "imputations" | "stepSize"> {
  readonly halvings: number;
}

export interface RowsFindings {
  readonly frame: Frame;
  readonly prepared: Prepared;
  readonly judged: Judged;
  readonly options: Partial<MixedOptions> & { readonly formula: string; readonly target: string };
  readonly sampler: Sampler;
  /** What the sampler leaves open, in sentences. */
  readonly concerns: readonly string[];
  readonly priors: RowsPriors;
  readonly draws: readonly (readonly Float64Array[])[];
  readonly partial: boolean;
  readonly iterations: number;
  readonly burnIn: number;
  readonly timing: Record<string, number>;
  readonly influences: readonly PriorInfluence[];
  /** What the prior does to the effects common to all. */
  readonly effectInfluences: Parameters<typeof effectSentences>[0];
  /** Of every term. */
  readonly differs: readonly (readonly Differs[])[];
  readonly logLikelihood: number | undefined;
}

export function rowsResult(findings: RowsFindings): { result: MixedResult; names: string[] } {
  const { frame, judged, options, draws, partial, iterations, burnIn, timing, priors } = findings;
  const { halvings, ...plan } = findings.sampler;
  const { family } = judged;
  const noise = family.quadratic ? 1 : 0;
  const p = frame.fixed.length;
  const names = namesOf(frame, noise === 1);
  const quantities = names.map((_, j) => quantityOf(draws, (draw) => draw[j]));
  let from = p + noise;
  const terms = frame.terms.map(({ group, levels, variables }, t): MixedTerm => {
    const effects = randomEffects(
      variables.map(({ name }) => name),
      draws,
      quantities,
      from,
    );
    from += packedSize(variables.length);
    const differs = findings.differs[t];
    return { group, groups: levels.length, ...effects, ...(differs.length > 0 && { differs }) };
  });
  const { columns: _, ...layout } = layoutOf({ columns: [], fixed: [], random: [], priors: {} });
  const result: MixedResult = {
    model: "mixed",
    rows: frame.rows,
    groups: terms[0].groups,
    target: options.target,
    group: terms[0].group,
    family: nameOf(family),
    formula: options.formula,
    preset: "auto",
    method: plan.method,
    seed: options.seed ?? 1,
    ...(partial && { partial }),
    notes: [...judged.remarks, ...frame.notes],
    fixed: frame.fixed.map(({ name }, j) => ({ name, ...quantities[j] })),
    random: terms[0],
    terms,
    ...(noise === 1 && { noiseVariance: quantities[p] }),
    prior: priorWords(findings),
    ...(findings.logLikelihood !== undefined && { logLikelihood: findings.logLikelihood }),
    ...judgedDraws(
      {
        draws,
        names,
        halvings,
        concerns: [...findings.concerns, ...concernsOf(findings)],
      },
      quantities,
    ),
    timing,
    settings: {
      ...plan,
      iterations,
      burnIn,
      temperature: 1,
      anchored: plan.method === "esgld",
      priors: {
        ...layout.priors,
        law: priors.law,
        resolutions: findings.prepared.problem.terms.flatMap(({ resolutions }) => resolutions),
        fixedVariance: 1 / priors.fixedPrecision,
        spread: priors.spread,
        spreadDegrees: priors.degrees,
      },
    },
  };
  return { result, names };
}

function namesOf({ fixed, terms }: Frame, withNoise: boolean): string[] {
  const names = [...fixed.map(({ name }) => name), ...(withNoise ? ["noise variance"] : [])];
  for (const { group, variables } of terms) {
    variables.forEach(({ name: one }, j) => {
      for (const { name: other } of variables.slice(0, j)) names.push(`cov(${other}, ${one} | ${group})`);
      names.push(`var(${one} | ${group})`);
    });
  }
  return names;
}

/** The posterior median of the standard deviation of the noise, from its variance at a place in the draws. */
function noiseOf(draws: RowsFindings["draws"], place: number | undefined): number {
  if (place === undefined) return 1;
  const variances = Float64Array.from(draws.flat(), (draw) => draw[place]);
  return Math.sqrt(quantile(variances.sort(), 0.5));
}

function priorWords({ frame, prepared, judged, priors, draws }: RowsFindings): string {
  const { target, of } = prepared.scales;
  const own = (variable: Variable): string => short((priors.spread * target) / of(variable));
  const named = frame.terms.flatMap(({ group, variables }) =>
    variables.map((variable) => `${own(variable)} for ${variable.name} by ${group}`),
  );
  const noise = judged.family.quadratic ? [`${short(priors.spread * target)} for the noise`] : [];
  const times = priors.spread === 1 ? "" : `${short(priors.spread)} times `;
  const scale = judged.family.quadratic
    ? `${times}that of the target over that of the column`
    : `${short(priors.spread)} over that of the column`;
  const several = frame.terms.some(({ variables }) => variables.length > 1);
  const correlations =
    priors.law === "half-t" ? "; correlations are uniform" : "; correlations by Huang and Wand";
  const deviation = noiseOf(draws, judged.family.quadratic ? frame.fixed.length : undefined);
  const least = frame.terms.flatMap(({ group, variables }, t) =>
    variables.map((variable, k): readonly [string, number] => [
      `${variable.name} by ${group}`,
      (prepared.problem.terms[t].resolutions[k].unit * deviation) / of(variable),
    ]),
  );
  return (
    `${priors.law === "half-t" ? "" : inOrOutWords(least)}half-t with ${priors.degrees} degrees of freedom on every standard deviation, its scale ${scale} ` +
    `(${[...noise, ...named].join(", ")})${several ? correlations : ""}.`
  );
}

function concernsOf({
  frame: { terms, fixed },
  influences,
  effectInfluences,
  draws,
  prepared,
  judged,
}: RowsFindings): string[] {
  const least = 2 * LEAST_NOISE * prepared.scales.target ** 2;
  const isExact =
    judged.family.quadratic && draws.some((chain) => chain.some((draw) => draw[fixed.length] < least));
  return [
    ...(isExact ? [EXPLAINED] : []),
    ...untoldSentences(prepared.problem, terms),
    ...effectSentences(effectInfluences),
    ...influenceSentences(influences, prepared.problem.priors.law),
  ];
}
