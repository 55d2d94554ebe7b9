/** The paper's preset: Algorithm 1 alone, its draws averaged as they are. */

import { verdict } from "../diagnostics/verdict.js";
import { drawCount } from "../draws/sparse-draws.js";
import { SparrowError } from "../errors.js";
import { option } from "../wording.js";
import { fittedRows } from "./answer/fitted.js";
import { drawsPredictor, predictorHead } from "./answer/predictor-of.js";
import { steinOfChains } from "./answer/stein-draws.js";
import { treatmentConcerns, treatmentRemarks } from "./answer/treated.js";
import { deviances } from "./data/screen-store.js";
import type { Outcome } from "./outcome.js";
import { modelRows } from "./rows/model-rows.js";
import { rowConcerns } from "./rows/row-concerns.js";
import { chainDraws } from "./search/chain-draws.js";
import { searchDiagnostics } from "./search/diagnostics.js";
import { paperPlan } from "./search/plan.js";
import type { Searched } from "./search/rounds.js";
import { planSettings } from "./search/settings.js";
import { summarizeSearch } from "./search/summary.js";
import type { SearchPlan } from "./search/types.js";
import type { Session } from "./session.js";

export async function fitPaper(session: Session): Promise<Outcome> {
  const { options, store, pool, target, timed, stoppedByUser } = session;
  const { encoding, treated } = store.record;
  const { family } = target;
  const plan = await planOf(session);
  const wanted = options.chains ?? 1;
  const oneRound = { length: plan.iterations, untilAgreement: false };
  const searched = await session.search(plan, wanted, oneRound, session.budget.signal);
  const check = { store, pool, run: session.progress("check") };
  check.run.onProgress?.(0);
  refuseNothing(session, searched);
  const { chains, cut } = searched;
  const names = [...store.names, "(Intercept)"];
  const known = searchDiagnostics(chains, names.length);
  const summary = summarizeSearch(chains, names, known.inclusionError);
  const stein = cut ? undefined : await timed("search", () => steinOfChains(check, chains, plan));
  const leastKnown = summary.variables.reduce((a, b) => (b.pipError > a.pipError ? b : a));
  const head = predictorHead(encoding, target, undefined);
  const predictor = drawsPredictor(head, names, chains);
  const rows = modelRows(store, predictor, predictor.median);
  const fitted = fittedRows(rows);
  const judgement = verdict({
    chains: wanted,
    ...(known.rhat !== undefined && { rhat: known.rhat, rhatOf: "the model size" }),
    ...(known.ess !== undefined && { ess: known.ess, essOf: "the model size" }),
    pipError: leastKnown.pipError,
    pipErrorOf: leastKnown.name,
    ...(stein && { stein }),
    outOfTime: cut && !stoppedByUser(),
    stopped: cut && stoppedByUser(),
    iterations: plan.iterations,
    concerns: [
      ...fitted.concerns,
      ...rowConcerns(rows, {
        selected: new Set(summary.variables.filter(({ selected }) => selected).map(({ name: of }) => of)),
        centred: options.intercept !== "none",
        copies: session.copies,
        holes: undefined,
        areAll: true,
      }),
      ...treatmentConcerns(session, treated, summary.variables, options),
    ],
    remarks: treatmentRemarks(treated),
  });
  const noise = family.noise && plan.noise.known ? plan.noise.variance : undefined;
  return {
    answer: {
      ...summary,
      ...(fitted.scores && { scores: fitted.scores }),
      verdict: judgement.summary,
      diagnostics: {
        ...(Number.isFinite(known.rhat) && { rhat: known.rhat! }),
        ...(known.ess !== undefined && { ess: known.ess }),
        ...(stein && { stein }),
        warnings: judgement.warnings,
      },
    },
    partial: cut && stoppedByUser(),
    notes: [],
    settings: planSettings(plan, wanted, store.layout),
    details: {
      draws: () => chainDraws(chains, store.names, noise),
      predictor: () => predictor,
    },
    predicted: fitted.rows,
    searched: { chains, plan },
  };
}

async function planOf(session: Session): Promise<SearchPlan> {
  const { store, pool, screen, target, timed } = session;
  const byDeviance = target.family.paper.weights === "deviance";
  return paperPlan(
    session,
    byDeviance ? await timed("screen", () => deviances(store, pool, screen, target)) : undefined,
  );
}

/** Draws that count are what an answer is made of. */
function refuseNothing({ options, stoppedByUser }: Session, { chains, cut, plan }: Searched): void {
  // Models are counted at every step, draws are kept now and then: without one there are no effects.
  if (chains.some(({ draws }) => drawCount(draws) > 0)) return;
  if (stoppedByUser()) options.signal?.throwIfAborted();
  if (!cut) {
    throw new SparrowError(
      `Every draw after the burn-in lies in the exploration of a cycle and counts nothing; make the cycles of ${option("stepSize")} shorter.`,
      "option",
    );
  }
  throw new SparrowError(
    `${option("seconds", options.seconds)} ended before the ${plan.burnIn} iterations of burn-in; give more time, or lower ${option("burnIn")}.`,
  );
}
