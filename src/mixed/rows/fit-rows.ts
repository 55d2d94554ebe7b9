/** A mixed model of rows, from a table and a formula to its answer. */

import { quantile } from "../../diagnostics/chains.js";
import { Rng } from "../../math/rng.js";
import { type Crew, callingThread } from "../../workers/crew.js";
import type { MixedFit } from "../fit.js";
import type { GroupEffects } from "../group-effects.js";
import { type Differs, differsOf } from "../model/differs.js";
import { lawOf, type MixedOptions, refuseTooFew } from "../options.js";
import { influenceOf, logHalfT, type PriorInfluence } from "../prior-influence.js";
import { misfitSentences } from "./checks/misfit.js";
import type { Looked } from "./checks/spread.js";
import type { Frame } from "./frame.js";
import { spreadsOf } from "./in-or-out.js";
import { judge } from "./judged.js";
import { logLikelihoodAtMeans } from "./marginal-likelihood.js";
import { formulaPredictor } from "./predictor.js";
import { type Prepared, prepare } from "./prepare.js";
import type { RowsPriors, RowsProblem } from "./problem.js";
import type { KeptDraw } from "./rows-job.js";
import { rowsResult } from "./rows-result.js";
import { type Sums, sampled } from "./sampled.js";

/** On the scale of logits and logarithms, where a target has no standard deviation of its own. */
const LINK_SPREAD = 2.5;
/** β of standard columns: N(0, 100²) in standard deviations of the target, N(0, 10²) on the scale of a link. */
const FIXED_PRECISION = 1e-4;
const LINK_PRECISION = 1e-2;
export async function fitRows(
  frame: Frame,
  options: Partial<MixedOptions> & { readonly formula: string; readonly target: string },
  crew: Crew = callingThread,
): Promise<MixedFit> {
  const judged = judge(frame, options);
  const { family } = judged;
  const { law, spread } = lawOf(options);
  const priors: RowsPriors = {
    fixedPrecision: family.quadratic ? FIXED_PRECISION : LINK_PRECISION,
    law: law === "half-t" ? law : "spike-and-slab",
    degrees: 2,
    spread: spread * (family.quadratic ? 1 : LINK_SPREAD),
  };
  const prepared = prepare(frame, { ...judged, priors });
  const rng = Rng.seeded(options.seed ?? 1);
  const from = performance.now();
  const found = await sampled(frame, prepared, { options, crew, rng });
  const { sums, sampler, remarks, run } = found;
  const length = Math.min(...run.chains.map((chain) => chain.length));
  refuseTooFew(length, options, run.partial);
  const draws = run.chains.map((chain) => chain.slice(0, length).map(prepared.read));
  const timing = { sample: (performance.now() - from) / 1000 };
  const { result, names } = rowsResult({
    ...run,
    influences: influencesOf(frame, priors, run.chains.flat()),
    effectInfluences: effectInfluences(frame, priors, run.chains.flat()),
    differs: differsIn(frame, prepared.problem, run.chains.flat()),
    logLikelihood: logLikelihoodAtMeans(prepared, run.chains.flat()),
    frame,
    prepared,
    judged: { ...judged, remarks: [...judged.remarks, ...remarks] },
    options,
    sampler,
    concerns: [
      ...found.concerns,
      ...(sampler.method === "gibbs"
        ? misfitSentences(prepared.problem, sums().whole.at(-1), lookedAt(frame))
        : []),
    ],
    priors,
    draws,
    timing,
  });
  return {
    result,
    names,
    draws,
    effects: () => effectsOf(frame, prepared, sums()),
    predictor: () => formulaPredictor({ frame, prepared, family, options, states: sums().whole }),
  };
}

/** The columns by which noise may differ, each once. */
function lookedAt({ fixed, terms }: Frame): Looked[] {
  const all = [...fixed, ...terms.flatMap(({ variables }) => variables)];
  const byName = new Map(
    all.flatMap(({ name, values }) =>
      values ? [[name, { what: `"${name}"`, values, isColumn: true }] as const] : [],
    ),
  );
  return [...byName.values()];
}

/** What the priors do to the standard deviations, in the coordinates that they are the priors of. */
function influencesOf(
  { terms }: Frame,
  { degrees, spread }: RowsPriors,
  draws: readonly KeptDraw[],
): PriorInfluence[] {
  return terms.flatMap(({ group, levels, variables }, t) => {
    const q = variables.length;
    const all = draws.map(({ inverses }) => spreadsOf(inverses[t], q));
    return variables.map(({ name }, k) => {
      const spreads = all.map(({ [k]: sd }) => ({ value: sd, log: logHalfT(sd, degrees, spread) }));
      return { name, groups: `the ${levels.length} levels of ${group}`, ...influenceOf(spreads) };
    });
  });
}

/** What the prior does to the effects common to all, in standard coordinates. */
function effectInfluences({ fixed }: Frame, { fixedPrecision }: RowsPriors, draws: readonly KeptDraw[]) {
  return fixed.map(({ name }, j) => {
    const values = draws.map(({ beta: { [j]: value } }) => ({
      value,
      log: -0.5 * fixedPrecision * value * value,
    }));
    return { name, ...influenceOf(values) };
  });
}

/** Of every term and effect, whether its levels differ at all. */
function differsIn({ terms }: Frame, problem: RowsProblem, draws: readonly KeptDraw[]): Differs[][] {
  const { law, degrees, spread } = problem.priors;
  if (law === "half-t") return terms.map(() => []);
  const noises = Float64Array.from(draws, ({ noise }) => Math.sqrt(noise));
  const scale = spread / quantile(noises.slice().sort(), 0.5);
  return terms.map(({ variables }, t) => {
    const spreads = draws.map(({ inverses }) => spreadsOf(inverses[t], variables.length));
    return variables.map(({ name }, k) =>
      differsOf(
        name,
        problem.terms[t].resolutions[k],
        spreads.map((all, d) => all[k] / noises[d]),
        { scale, degrees },
      ),
    );
  });
}

/** Posterior means and standard deviations of the effects, in the units of the data, the first grouping by itself. */
function effectsOf(frame: Frame, prepared: Prepared, { draws, first, second }: Sums): GroupEffects {
  const [one, ...others] = frame.terms.map(({ group, levels, variables }, t) => {
    const q = variables.length;
    const mean = first[t].map((sum) => sum / draws);
    const sd = new Float64Array(mean.length);
    const unit = variables.map((_, k) => {
      const out = Float64Array.from(variables, (__, j) => Number(j === k));
      prepared.toData(out, t);
      return out;
    });
    for (let at = 0; at < mean.length; at += q) {
      for (let j = 0; j < q; j++) {
        let variance = 0;
        for (let k = 0; k < q; k++) {
          for (let l = 0; l < q; l++) {
            const covariance = second[t][(at + k) * q + l] / draws - mean[at + k] * mean[at + l];
            variance += unit[k][j] * unit[l][j] * covariance;
          }
        }
        sd[at + j] = Math.sqrt(Math.max(0, variance));
      }
    }
    prepared.toData(mean, t);
    return { group, groups: levels, mean, sd };
  });
  return others.length > 0 ? { ...one, others } : one;
}
