/** What a mixed model returns and `--json` prints, from draws in the units of the data. */

import { verdict } from "../diagnostics/verdict.js";
import { type FamilyName, familyNamed, familyNames } from "../families/register.js";
import { placeOf } from "../math/packed.js";
import { layoutOf, type MixedDesign, type MixedPriors } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import type { Differs } from "./model/differs.js";
import type { MixedOptions, MixedPlan } from "./options.js";
import { type PosteriorSummary, quantity } from "./summary.js";

/** The covariance matrix of random effects, and their standard deviations and correlations. */
export interface GroupCovariance {
  /** What the effects are called. */
  readonly names: readonly string[];
  /** Posterior means of the covariance matrix. */
  readonly mean: readonly (readonly number[])[];
  /** Where the 95% intervals of its elements begin. */
  readonly lower: readonly (readonly number[])[];
  /** Where they end. */
  readonly upper: readonly (readonly number[])[];
  /** Of every effect. */
  readonly sd: readonly ({ readonly name: string } & PosteriorSummary)[];
  /** Of every two effects. */
  readonly correlations: readonly ({ readonly names: readonly [string, string] } & PosteriorSummary)[];
  /** Whether groups differ at all in each of the effects, where the prior has an answer to that. */
  readonly differs?: readonly Differs[];
}

/** The random effects of one grouping. */
export interface MixedTerm extends GroupCovariance {
  /** The column, or columns, of the grouping. */
  readonly group: string;
  /** Levels that it has. */
  readonly groups: number;
}

export interface MixedResult {
  /** Tells it from the result of a fit. */
  readonly model: "mixed";
  /** Rows that were fitted. */
  readonly rows: number;
  /** Groups that they are in. */
  readonly groups: number;
  /** The column that was explained. */
  readonly target: string;
  /** The column that says which group a row belongs to. */
  readonly group: string;
  /** Which of the settings were usual. */
  readonly preset: "auto" | "paper";
  /** All groups in every sweep, or mini-batches of them. */
  readonly method: "esgld" | "gibbs";
  /** Of the random numbers: the same seed gives the same result. */
  readonly seed: number;
  /** Present and true when the run was stopped before its end. */
  readonly partial?: true;
  /** Sentences about what was made of the columns, where there is something to say. */
  readonly notes?: readonly string[];
  /** The effects common to all groups, the intercept first. */
  readonly fixed: readonly ({ readonly name: string } & PosteriorSummary)[];
  /** The covariance matrix of the random effects, and their standard deviations and correlations. */
  readonly random: GroupCovariance;
  /** Every grouping with its random effects, where the model is a formula; `random` has the first. */
  readonly terms?: readonly MixedTerm[];
  /** σ², where the noise has a variance of its own. */
  readonly noiseVariance?: PosteriorSummary;
  /** The kind of target. */
  readonly family: FamilyName;
  /** The formula, where the model is one. */
  readonly formula?: string;
  /** The prior of the standard deviations, in words. */
  readonly prior: string;
  /**
   * log p(y) with the random effects integrated out, at the posterior means of fixed effects and variances: exact where
   * the noise is normal, by Laplace elsewhere. Absent where several groupings have too many levels for it.
   */
  readonly logLikelihood?: number;
  /** Whether the numbers can be trusted, in words: to be read first. */
  readonly verdict: string;
  /** What the verdict rests on. */
  readonly diagnostics: {
    readonly rhat: number | undefined;
    readonly ess: number | undefined;
    readonly halvings: number;
    readonly warnings: readonly string[];
  };
  /** Seconds of wall clock. */
  readonly timing: Record<string, number>;
  /** The settings that were used, chosen or given. */
  readonly settings: MixedPlan & { readonly priors: MixedPriors };
}

export interface Findings {
  readonly data: CrossProducts;
  readonly design: MixedDesign;
  readonly options: MixedOptions;
  readonly plan: MixedPlan;
  /** β, σ² and the triangle of Σ, one array a draw, by chain; and what they are called. */
  readonly draws: readonly (readonly Float64Array[])[];
  readonly names: readonly string[];
  readonly partial: boolean;
  readonly halvings: number;
  /** What the model itself leaves open, in sentences. */
  readonly concerns: readonly string[];
  readonly timing: Readonly<Record<string, number>>;
  readonly prior: string;
  readonly differs: readonly Differs[];
  readonly logLikelihood: number;
  readonly iterations: number;
  readonly burnIn: number;
}

export function mixedResult(findings: Findings): MixedResult {
  const { data, design, options, plan, draws, partial, timing } = findings;
  const p = design.fixed.length;
  const quantities = Array.from(draws[0][0], (_, j) => quantityOf(draws, (draw) => draw[j]));
  return {
    model: "mixed",
    rows: data.rows.reduce((sum, n) => sum + n, 0),
    groups: data.rows.length,
    target: options.target ?? data.target,
    group: options.group ?? "",
    family: plainFamily,
    preset: options.preset ?? "auto",
    method: plan.method,
    seed: options.seed ?? 1,
    ...(partial && { partial }),
    fixed: design.fixed.map((column, j) => ({ name: data.columns[column], ...quantities[j] })),
    random: {
      ...randomEffects(
        design.random.map((column) => data.columns[column]),
        draws,
        quantities,
        p + 1,
      ),
      ...(findings.differs.length > 0 && { differs: findings.differs }),
    },
    noiseVariance: quantities[p],
    prior: findings.prior,
    logLikelihood: findings.logLikelihood,
    ...judged(findings, quantities),
    timing,
    settings: {
      ...plan,
      iterations: findings.iterations,
      burnIn: findings.burnIn,
      priors: layoutOf(design).priors,
    },
  };
}

/** The family whose sums of products say all. */
const plainFamily = familyNames.find((name) => familyNamed(name).quadratic) as FamilyName;

export const quantityOf = (
  draws: readonly (readonly Float64Array[])[],
  f: (draw: Float64Array) => number,
): PosteriorSummary => quantity(draws.map((chain) => Float64Array.from(chain, f)));

/** The triangle of Σ starts at `from` in a draw. */
export function randomEffects(
  names: readonly string[],
  draws: readonly (readonly Float64Array[])[],
  quantities: readonly PosteriorSummary[],
  from: number,
): GroupCovariance {
  const at = (j: number, k: number): number => from + placeOf(j, k);
  const matrix = (field: "mean" | "lower" | "upper"): number[][] =>
    names.map((_, j) => names.map((__, k) => quantities[at(j, k)][field]));
  const of = (f: (draw: Float64Array) => number): PosteriorSummary => quantityOf(draws, f);
  return {
    names,
    mean: matrix("mean"),
    lower: matrix("lower"),
    upper: matrix("upper"),
    sd: names.map((name, j) => ({ name, ...of((draw) => Math.sqrt(draw[at(j, j)])) })),
    correlations: names.flatMap((one, j) =>
      names.slice(0, j).map((other, k) => ({
        names: [other, one] as [string, string],
        ...of((draw) => draw[at(j, k)] / Math.sqrt(draw[at(j, j)] * draw[at(k, k)])),
      })),
    ),
  };
}

/** By the thresholds, and in the words, of every other run. */
export function judged(
  { draws, names, halvings, concerns }: Pick<Findings, "draws" | "names" | "halvings" | "concerns">,
  quantities: readonly PosteriorSummary[],
): Pick<MixedResult, "verdict" | "diagnostics"> {
  const chains = draws.length;
  const rhats = quantities.map(({ rhat }) => rhat ?? 1);
  const sizes = quantities.map(({ ess }) => ess ?? Number.POSITIVE_INFINITY);
  const [worst, fewest] = [Math.max(...rhats), Math.min(...sizes)];
  const known = Number.isFinite(fewest);
  const measured = chains > 1 && known;
  const { summary, warnings } = verdict({
    chains,
    ...(measured && { rhat: worst, rhatOf: names[rhats.indexOf(worst)] }),
    ...(known && { ess: fewest, essOf: names[sizes.indexOf(fewest)] }),
    halvings,
    concerns,
  });
  return {
    verdict: summary,
    diagnostics: {
      rhat: measured ? worst : undefined,
      ess: known ? fewest : undefined,
      halvings,
      warnings,
    },
  };
}
