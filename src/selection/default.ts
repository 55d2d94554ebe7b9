/** The default: a search where columns are many, then the exact posterior over the candidates and the certificate. */

import { dispersionNotes } from "../families/dispersion.js";
import type { FitOptions } from "../options/fit.js";
import { scaled } from "../store/batch/scaling.js";
import { fitAuto } from "./certify/loop.js";
import { MAX_COLUMNS } from "./missing/imputed.js";
import { missingSummary } from "./missing/summary.js";
import type { ChainOutput } from "./search/chain.js";
import { autoGlmPlan } from "./search/glm-plans.js";
import { autoPlan, roundsPlan } from "./search/plans.js";
import { searchSettings } from "./search/settings.js";
import type { Outcome, Session } from "./session.js";

/** Below this many products (rows × columns²) every column is a candidate and no search is needed. */
const DIRECT_WORK = 2e9;
const DIRECT_COLUMNS = 300;
/** The same where holes are drawn, with products in every one of a few sweeps: a minute or two on two cores. */
const IMPUTED_WORK = 5e10;

/** `direct`: whether every column is a candidate; decided from the size of the data unless told. */
export async function fitDefault(session: Session, direct = isSmall(session)): Promise<Outcome> {
  const { options, store, screen, filled, holes, target, budget, stoppedByUser } = session;
  const { rows, columns } = store.layout;
  const { family } = target;
  // A constant column explains nothing, even where it was asked for.
  const useful = { ...session, always: session.always.filter((j) => screen.sd[j] > 0) };
  const scalingFor = (standardTarget: boolean) => {
    const [centred, standard] = [options.intercept !== "none", options.scale !== "none"];
    const scaling = scaled({ ...screen, shift: store.shift, centred, standard, standardTarget });
    return family === "gaussian" ? scaling : { ...scaling, target: target.scaling };
  };
  const searchPlan = () =>
    family === "gaussian"
      ? autoPlan(useful, scalingFor(true))
      : autoGlmPlan(useful, target, scalingFor(false));
  const plan = direct ? undefined : searchPlan();
  const rounds = roundsPlan(options, store.layout);
  const searched = plan && (await session.search(plan, options.chains ?? 2, rounds, budget.search));
  const fitted = await fitAuto(
    {
      ...useful,
      // Outside the candidates means stand in the holes.
      screen: filled,
      scaling: scalingFor(false),
      start: searched ? medianModel(searched.chains, columns) : useful.always,
      run: session.progress,
    },
    searched,
  );
  const { settings, ...answer } = fitted.answer;
  return {
    answer: {
      ...answer,
      ...(holes && {
        missing: missingSummary(holes, store.record.encoding, rows, answer.certificate!.candidates),
      }),
    },
    partial: fitted.unfinished && stoppedByUser(),
    notes: [
      ...(plan ? [] : idleNotes(options, holes ? ["iterations", "burnIn"] : [])),
      ...(family === "poisson" ? dispersionNotes(store, fitted.details.predictor()) : []),
    ],
    settings: { ...(searched && searchSettings(searched, plan, store.layout)), ...settings },
    details: fitted.details,
    searched,
  };
}

function isSmall({ store, holes }: Session): boolean {
  const { rows, columns } = store.layout;
  const work = rows * columns ** 2;
  return holes
    ? columns <= MAX_COLUMNS && work <= IMPUTED_WORK
    : columns <= DIRECT_COLUMNS && work <= DIRECT_WORK;
}

/** Settings of the search that were given where none was needed, but for those that something else has `used`. */
function idleNotes(options: FitOptions, used: readonly string[]): string[] {
  const settings = ["iterations", "burnIn", "batch", "models", "moves", "stepSize", "integrator"] as const;
  const given = [...settings, "temperature" as const].filter(
    (name) => options[name] !== undefined && !used.includes(name),
  );
  if (given.length === 0) return [];
  const said = given.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return [`Every model could be compared without a search, so ${said.join(", ")} changed nothing.`];
}

/** Columns that most of the models of a search hold; where none was counted, those of its last model. */
function medianModel(outputs: readonly ChainOutput[], columns: number): number[] {
  const models = outputs.reduce((sum, chain) => sum + chain.models, 0);
  if (models === 0) return [...outputs[0].last.members].filter((j) => j < columns).sort((a, b) => a - b);
  return Array.from({ length: columns }, (_, j) => j).filter(
    (j) => outputs.reduce((sum, chain) => sum + chain.inclusion[j], 0) > 0.5 * models,
  );
}
