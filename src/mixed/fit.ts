/** From cross-products to the posterior of a mixed model. Runs anywhere; reading files is for others. */

import { SparrowError } from "../errors.js";
import { placeOf } from "../math/packed.js";
import { Rng } from "../math/rng.js";
import { withSteadyStep } from "../sampling/steady.js";
import { MIXED_STREAMS } from "../sampling/streams.js";
import { option } from "../wording.js";
import { algorithmS1, anchoredLangevin } from "./chains.js";
import { check } from "./check.js";
import { augmentationGibbs } from "./gibbs.js";
import { type GroupEffects, groupEffects } from "./group-effects.js";
import { layoutOf, type MixedDesign, natural } from "./model/chart.js";
import type { CrossProducts } from "./model/crossproducts.js";
import { marginalMixed } from "./model/marginal.js";
import { type MixedOptions, type MixedPlan, planOf } from "./options.js";
import { asItIs, type Standard, standard } from "./standard.js";
import { anchor, leastSquares } from "./start.js";
import { type Estimate, estimate, type Quantity, quantity } from "./summary.js";

export interface MixedResult {
  readonly model: "mixed";
  readonly rows: number;
  readonly groups: number;
  readonly target: string;
  readonly group: string;
  readonly preset: "auto" | "paper";
  readonly method: "esgld" | "gibbs";
  readonly seed: number;
  readonly partial?: true;
  /** Sentences about what was made of the columns, where there is something to say. */
  readonly notes?: readonly string[];
  readonly fixed: readonly ({ readonly name: string } & Estimate)[];
  /** The covariance matrix of the random effects, and their standard deviations and correlations. */
  readonly random: {
    readonly names: readonly string[];
    readonly mean: readonly (readonly number[])[];
    readonly lower: readonly (readonly number[])[];
    readonly upper: readonly (readonly number[])[];
    readonly sd: readonly ({ readonly name: string } & Estimate)[];
    readonly correlations: readonly ({ readonly names: readonly [string, string] } & Estimate)[];
  };
  readonly noiseVariance: Estimate;
  readonly diagnostics: {
    readonly rhat: number | undefined;
    readonly ess: number | undefined;
    readonly halvings: number;
    readonly warnings: readonly string[];
  };
  readonly timing: Record<string, number>;
  readonly settings: MixedPlan & { readonly priors: MixedDesign["priors"] };
}

export interface MixedFit {
  readonly result: MixedResult;
  readonly names: readonly string[];
  /** β, σ² and the triangle of Σ in the data's units, one array a draw, by chain. */
  readonly draws: readonly (readonly Float64Array[])[];
  /** Random effects by group; costs a pass over the groups for each of some draws. */
  effects(): GroupEffects;
}

/** κ of the default prior of β: wide enough that it does not matter, proper enough that nothing drifts. */
const WIDE = 1e4;
const RHAT = 1.01;
const ESS = 100;
const EFFECT_DRAWS = 40;
/** Measured on simulated MovieLens 10M: 2 to 5 times for β, 9 times for σ². */
const WIDENED =
  "Mini-batch noise at the paper's step size makes these intervals too wide, several times over with many groups; " +
  "means are sound. Leave out --preset paper for intervals.";
/** Milliseconds after which others may run: a Ctrl-C, a page that redraws. */
const BREATH = 50;

/** `data.columns[0]` is the intercept; `fixed` and `random` of the options name others. */
export async function fitMixed(
  data: CrossProducts,
  options: MixedOptions,
  clock: () => number = () => performance.now(),
): Promise<MixedFit> {
  const plan = planOf(options, data.rows.length);
  const paper = options.preset === "paper";
  const priors = paper ? options.priors : { fixedVariance: WIDE, ...options.priors };
  const design: MixedDesign = {
    columns: data.columns,
    fixed: placesOf(data, options.fixed ?? [], "fixed"),
    random: placesOf(data, options.random ?? [], "random"),
    ...(priors && { priors }),
  };
  const warnings = check(data, design);
  if (paper && plan.method === "esgld" && plan.batch < data.rows.length) warnings.push(WIDENED);
  const scaled = paper ? asItIs(data) : standard(data, design);
  const fitting: Fitting = { data, scaled, design, plan, options, warnings, timing: {}, clock };
  const run = await sample(fitting);
  const draws = run.chains.map((chain) =>
    chain.map((theta) => scaled.toData(natural(layoutOf(design), theta))),
  );
  const length = Math.min(...draws.map((chain) => chain.length));
  if (length < 2) throw new SparrowError("Stopped before anything was sampled.", "stopped");
  const even = draws.map((chain) => chain.slice(0, length));
  const result = summarize(fitting, even, run.halvings);
  return {
    result: run.partial ? { ...result, partial: true } : result,
    names: naturalNames(data, design),
    draws: even,
    effects() {
      const all = run.chains.flat();
      const every = Math.max(1, Math.floor(all.length / EFFECT_DRAWS));
      return groupEffects(
        scaled,
        design,
        all.filter((_, t) => t % every === 0),
      );
    },
  };
}

/** All that belongs to one fit. Warnings and times are added as it goes on. */
interface Fitting {
  readonly data: CrossProducts;
  /** The data in the coordinates that are sampled. */
  readonly scaled: Standard;
  readonly design: MixedDesign;
  readonly plan: MixedPlan;
  readonly options: MixedOptions;
  readonly warnings: string[];
  readonly timing: Record<string, number>;
  readonly clock: () => number;
}

interface Sampled {
  readonly chains: readonly (readonly Float64Array[])[];
  readonly partial: boolean;
  readonly halvings: number;
}

async function sample(fitting: Fitting): Promise<Sampled> {
  const { design, plan, options, warnings, timing, clock } = fitting;
  const { data } = fitting.scaled;
  const rng = Rng.seeded(options.seed ?? 1);
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    const from = clock();
    const out = await work();
    timing[name] = (clock() - from) / 1000;
    return out;
  };
  const start = await timed("start", () => leastSquares(data, design));
  const mode = plan.anchored
    ? await timed("mode", () => anchor(rng.split(MIXED_STREAMS.mode), start, marginalMixed(design), data))
    : undefined;

  const settings = { data, design, ...plan };
  const chainOf = (index: number, factor: number): Iterable<Float64Array> => {
    const own = rng.split(MIXED_STREAMS.chains + index);
    if (plan.method === "gibbs") {
      return augmentationGibbs(own, mode?.theta ?? start, { data, design, collapsed: true });
    }
    const stepSize = plan.stepSize * factor;
    return mode
      ? anchoredLangevin(own, mode, { ...settings, stepSize })
      : algorithmS1(own, start, { ...settings, stepSize });
  };

  let halvings = 0;
  let breath = clock();
  const total = plan.chains * plan.iterations;
  return timed("sample", () =>
    withSteadyStep(
      async (factor) => {
        const chains: Float64Array[][] = [];
        let partial = false;
        for (let index = 0; index < plan.chains; index++) {
          const kept: Float64Array[] = [];
          let t = 0;
          for (const theta of chainOf(index, factor)) {
            if (++t > plan.burnIn && (t - plan.burnIn) % plan.thin === 0) kept.push(theta.slice());
            if (clock() - breath > BREATH) {
              options.onProgress?.({ stage: "sample", done: index * plan.iterations + t, total });
              await new Promise((resolve) => setTimeout(resolve));
              breath = clock();
            }
            partial = options.signal?.aborted ?? false;
            if (partial || t === plan.iterations) break;
          }
          if (kept.length > 1 || !partial) chains.push(kept);
          if (partial) break;
        }
        if (chains.length === 0) throw new SparrowError("Stopped before anything was sampled.", "stopped");
        return { chains, partial, halvings };
      },
      (message) => {
        halvings++;
        warnings.push(message);
        options.onMessage?.(message);
      },
    ),
  );
}

function placesOf(data: CrossProducts, names: readonly string[], role: "fixed" | "random"): number[] {
  const places = names.map((name) => {
    const at = data.columns.indexOf(name);
    if (at < 0) throw new SparrowError(`There is no column "${name}" for ${option(role)}.`, "column");
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

function summarize(
  { data, design, plan, options, warnings, timing }: Fitting,
  draws: readonly (readonly Float64Array[])[],
  halvings: number,
): MixedResult {
  const p = design.fixed.length;
  const of = (f: (draw: Float64Array) => number): Quantity =>
    quantity(draws.map((chain) => Float64Array.from(chain, f)));
  const quantities = Array.from(draws[0][0], (_, j) => of((draw) => draw[j]));
  const fixed = design.fixed.map((column, j) => ({ name: data.columns[column], ...estimate(quantities[j]) }));
  const names = design.random.map((column) => data.columns[column]);
  const at = (j: number, k: number): number => p + 1 + placeOf(j, k);
  const matrix = (field: keyof Estimate): number[][] =>
    names.map((_, j) => names.map((__, k) => quantities[at(j, k)][field]));
  const correlations = names.flatMap((one, j) =>
    names.slice(0, j).map((other, k) => ({
      names: [other, one] as [string, string],
      ...estimate(of((draw) => draw[at(j, k)] / Math.sqrt(draw[at(j, j)] * draw[at(k, k)]))),
    })),
  );
  const worst = Math.max(...quantities.map(({ rhat }) => rhat ?? 1));
  const fewest = Math.min(...quantities.map(({ ess }) => ess ?? Number.POSITIVE_INFINITY));
  const measured = plan.chains > 1 && Number.isFinite(fewest);
  if (measured && worst > RHAT)
    warnings.push(`The chains do not agree yet (R-hat ${worst.toFixed(3)}): raise --iterations.`);
  if (Number.isFinite(fewest) && fewest < ESS * plan.chains) {
    warnings.push(`The slowest quantity has only ${Math.round(fewest)} effective draws: raise --iterations.`);
  }
  return {
    model: "mixed",
    rows: data.rows.reduce((sum, n) => sum + n, 0),
    groups: data.rows.length,
    target: options.target,
    group: options.group,
    preset: options.preset ?? "auto",
    method: plan.method,
    seed: options.seed ?? 1,
    fixed,
    random: {
      names,
      mean: matrix("mean"),
      lower: matrix("lower"),
      upper: matrix("upper"),
      sd: names.map((name, j) => ({ name, ...estimate(of((draw) => Math.sqrt(draw[at(j, j)]))) })),
      correlations,
    },
    noiseVariance: estimate(quantities[p]),
    diagnostics: {
      rhat: measured ? worst : undefined,
      ess: Number.isFinite(fewest) ? fewest : undefined,
      halvings,
      warnings,
    },
    timing,
    settings: { ...plan, priors: layoutOf(design).priors },
  };
}
