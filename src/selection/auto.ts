/**
 * The default pipeline, from the screen on:
 *
 *     search ─▶ candidates ─▶ polish ⇄ certify ─▶ summary
 *
 * Few enough columns are all candidates; otherwise Algorithm 1 proposes them. Whatever the certificate finds outside
 * joins, until nothing does.
 */

import type { Store } from "../store/store.js";
import { type AutoAnswer, answer } from "./answer.js";
import { type AutoProblem, type Fitted, fitCandidates } from "./candidates.js";
import { judgeOutsiders, type Verdict } from "./certificate.js";
import { autoDetails, type RunDetails } from "./details.js";
import { fitGlmCandidates, judgeGlmOutsiders } from "./glm-candidates.js";
import { fitImputed } from "./imputation/fit.js";
import type { Screen } from "./screen.js";
import type { ChainOutput } from "./search.js";
import { specification } from "./specification.js";

/** A variable outside the candidates joins them when it belongs with more than this probability. */
const JOIN = 0.002;
/** At most so many join at a time, and so many candidates there may be. */
const JOIN_AT_ONCE = 40;
const MAX_CANDIDATES = 300;
const MAX_ROUNDS = 12;

export async function fitAuto(
  problem: AutoProblem,
  search: readonly ChainOutput[] | undefined,
): Promise<{ readonly answer: AutoAnswer; readonly details: RunDetails }> {
  const { store, screen, options } = problem;
  const usable = usableColumns(store, screen);
  const gaussian = problem.target.family === "gaussian";
  const spec = specification(
    gaussian ? options : { ...options, noiseVariance: 1 },
    store.layout.rows,
    usable.length,
    problem.always.length,
  );
  if (problem.holes) {
    const { holes } = problem;
    const imputed = await problem.timed("polish", () => fitImputed(problem, spec, holes, usable));
    const whole = { complete: true, threshold: JOIN };
    const answered = answer(imputed.problem, spec, imputed.fitted, new Map(), whole);
    return {
      answer: {
        ...answered,
        ...(imputed.partial && { partial: true }),
        settings: { ...answered.settings, ...imputed.settings },
      },
      details: autoDetails(imputed.problem, spec, imputed.fitted),
    };
  }
  const fit = gaussian ? fitCandidates : fitGlmCandidates;
  const judge = gaussian ? judgeOutsiders : judgeGlmOutsiders;
  const judged = new Map<number, Verdict>();
  let candidates = search ? proposed(problem, search, usable) : usable;
  let complete = candidates.length === usable.length;
  let fitted: Fitted | undefined;
  for (let round = 0; ; round++) {
    const last = complete || round === MAX_ROUNDS || options.signal?.aborted === true;
    const before: Fitted | undefined = fitted;
    const now = await problem.timed("polish", () => fit(problem, spec, candidates, last, before));
    fitted = now;
    if (last) break;
    const outside = await problem.timed("certify", () => judge(problem, spec, now));
    judged.clear();
    for (const [j, verdict] of outside) judged.set(j, verdict);
    const joining = [...outside]
      .filter(([, { pip }]) => pip > JOIN)
      .sort((a, b) => b[1].pip - a[1].pip)
      .slice(0, Math.min(JOIN_AT_ONCE, MAX_CANDIDATES - candidates.length))
      .map(([j]) => j);
    if (joining.length === 0) {
      complete = ![...outside.values()].some(({ pip }) => pip > JOIN);
      fitted = await problem.timed("polish", () => fit(problem, spec, candidates, true, now));
      break;
    }
    candidates = [...candidates, ...joining].sort((a, b) => a - b);
  }
  for (const j of candidates) judged.delete(j);
  return {
    answer: answer(problem, spec, fitted, judged, { complete, threshold: JOIN }),
    details: autoDetails(problem, spec, fitted),
  };
}

function usableColumns(store: Store, screen: Screen): number[] {
  return Array.from({ length: store.layout.columns }, (_, j) => j).filter((j) => screen.sd[j] > 0);
}

/** What the search chains held on to, and what must be in. */
function proposed(
  { always }: AutoProblem,
  chains: readonly ChainOutput[],
  usable: readonly number[],
): number[] {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  const pip = (j: number): number =>
    chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / Math.max(1, models);
  const chosen = usable
    .filter((j) => pip(j) > 0.1)
    .sort((a, b) => pip(b) - pip(a))
    .slice(0, JOIN_AT_ONCE);
  return [...new Set([...always, ...chosen])].sort((a, b) => a - b);
}
