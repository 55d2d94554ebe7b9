/**
 * The default pipeline, from the screen on:
 *
 *     search ─▶ candidates ─▶ polish ⇄ certify ─▶ summary
 *
 * Few enough columns are all candidates; otherwise Algorithm 1 proposes them. Whatever the certificate finds outside
 * joins, until nothing does.
 */

import type { Store } from "../../store/store.js";
import { type AutoAnswer, answer } from "../answer/answer.js";
import { autoDetails, type RunDetails } from "../answer/details.js";
import { steinOfMedian } from "../answer/stein-draws.js";
import type { Screen } from "../data/screen.js";
import { fitImputed, judgeImputedGlm, MAX_COLUMNS } from "../missing/imputed.js";
import { withNeighbours } from "../missing/neighbours.js";
import { type AutoProblem, type Fitted, fitCandidates } from "../posterior/exact.js";
import { fitGlmCandidates, judgeGlmOutsiders } from "../posterior/expanded.js";
import { components } from "../posterior/mixture.js";
import { specification } from "../posterior/specification.js";
import type { ChainOutput } from "../search/chain.js";
import type { Searched } from "../search/rounds.js";
import { judgeOutsiders, type Outside } from "./certificate.js";

/** A variable outside the candidates joins them when it belongs with more than this probability. */
const JOIN = 0.002;
/** At most so many join at first, later as many as there are; so many candidates there may be, given the rows. */
const JOIN_AT_ONCE = 40;
const CANDIDATES = { least: 300, most: 1000 };
/** Products (rows × candidates²) that all candidates together may take. */
const CANDIDATE_WORK = 5e10;
const MAX_ROUNDS = 12;

export async function fitAuto(
  given: AutoProblem,
  search: Searched | undefined,
): Promise<{ readonly answer: AutoAnswer; readonly details: RunDetails; readonly unfinished: boolean }> {
  const problem = search ? afterSearch(given) : given;
  const { store, screen, options } = problem;
  const usable = usableColumns(store, screen);
  const gaussian = problem.target.family === "gaussian";
  const spec = specification(
    gaussian ? options : { ...options, noiseVariance: 1 },
    store.layout.rows,
    usable.length,
    problem.always.length,
  );
  const fit = problem.holes ? fitImputed : gaussian ? fitCandidates : fitGlmCandidates;
  const affordable = Math.floor(Math.sqrt(CANDIDATE_WORK / store.layout.rows));
  const most = problem.holes
    ? MAX_COLUMNS
    : Math.max(CANDIDATES.least, Math.min(CANDIDATES.most, affordable));
  const considered = (columns: readonly number[]) =>
    problem.holes ? withNeighbours(problem, columns, usable) : columns;
  const judge = gaussian ? judgeOutsiders : problem.holes ? judgeImputedGlm : judgeGlmOutsiders;
  let judged: Outside | undefined;
  let candidates = search ? await considered(proposed(problem, search.chains, usable)) : usable;
  let complete = candidates.length === usable.length;
  let fitted: Fitted | undefined;
  let unfinished = search?.cut === true;
  for (let round = 0; ; round++) {
    const stopped = options.signal?.aborted === true;
    const last = complete || round === MAX_ROUNDS || stopped;
    const before: Fitted | undefined = fitted;
    const thorough = last && !stopped;
    unfinished ||= stopped;
    const now = await problem.timed("polish", () => fit(problem, spec, candidates, thorough, before));
    fitted = now;
    if (last) {
      // What was said of the others was said before the last candidates joined.
      judged = undefined;
      break;
    }
    judged = await problem.timed("certify", () => judge(problem, spec, now));
    const { pip } = judged;
    const joining = Array.from(pip.keys())
      .filter((j) => pip[j] > JOIN)
      .sort((a, b) => pip[b] - pip[a])
      .slice(0, Math.max(0, Math.min(Math.max(JOIN_AT_ONCE, candidates.length), most - candidates.length)));
    if (joining.length === 0) {
      complete = !pip.some((probability) => probability > JOIN);
      fitted = await problem.timed("polish", () => fit(problem, spec, candidates, true, now));
      break;
    }
    candidates = [...new Set([...candidates, ...(await considered(joining))])].sort((a, b) => a - b);
  }
  unfinished ||= fitted.weights.unfinished === true;
  const outOfTime = unfinished && !problem.stoppedByUser();
  const mixture =
    fitted.mixture ?? components(fitted.statistics, spec.slab, spec.noiseVariance, fitted.weights);
  const found = fitted;
  // With holes the gradient depends on what was drawn into them.
  const stein =
    unfinished || problem.holes
      ? undefined
      : await problem.timed("polish", () => steinOfMedian(problem, spec, found));
  return {
    answer: answer(problem, spec, fitted, mixture, judged, {
      ...{ complete, threshold: JOIN, outOfTime, stein },
      searched: search && inclusionBy(search.chains),
    }),
    details: autoDetails(problem, spec, fitted, mixture),
    unfinished,
  };
}

/** The lengths that were asked for were those of the search. */
function afterSearch(problem: AutoProblem): AutoProblem {
  const { iterations: _, burnIn: __, chains: ___, ...options } = problem.options;
  return { ...problem, options };
}

function usableColumns(store: Store, screen: Screen): number[] {
  return Array.from({ length: store.layout.columns }, (_, j) => j).filter((j) => screen.sd[j] > 0);
}

/** What the search chains held on to, and what must be in. */
function proposed(
  { always, screen }: AutoProblem,
  chains: readonly ChainOutput[],
  usable: readonly number[],
): number[] {
  const pip = inclusionBy(chains);
  const correlation = (j: number): number => Math.abs(screen.correlation[j]);
  const best = (columns: readonly number[], worth: (j: number) => number, most: number): number[] =>
    [...columns].sort((a, b) => worth(b) - worth(a)).slice(0, most);
  const chosen = pip
    ? best(
        usable.filter((j) => pip(j) > 0.1),
        pip,
        JOIN_AT_ONCE,
      )
    : [
        // Stopped in their burn-in, the chains have their last models to offer, which may be good or bad.
        ...best(lastModels(chains, usable), correlation, JOIN_AT_ONCE / 2),
        ...best(usable, correlation, JOIN_AT_ONCE / 2),
      ];
  return [...new Set([...always, ...chosen])].sort((a, b) => a - b);
}

function lastModels(chains: readonly ChainOutput[], usable: readonly number[]): number[] {
  const reached = new Set(chains.flatMap(({ last }) => [...last.members]));
  return usable.filter((j) => reached.has(j));
}

/** How often the models of a search held a column; undefined when none was counted. */
function inclusionBy(chains: readonly ChainOutput[]): ((j: number) => number) | undefined {
  const models = chains.reduce((sum, chain) => sum + chain.models, 0);
  if (models === 0) return undefined;
  return (j) => chains.reduce((sum, chain) => sum + chain.inclusion[j], 0) / models;
}
