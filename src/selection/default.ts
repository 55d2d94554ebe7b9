/** The default: a search where columns are many, then the exact posterior over the candidates and the certificate. */

import type { FitOptions } from "../options/fit.js";
import { span } from "../profile.js";
import { type Scaling, scaled } from "../store/batch/scaling.js";
import { option } from "../wording.js";
import { answer } from "./answer/answer.js";
import { posteriorDetails } from "./answer/details.js";
import { fittedRows } from "./answer/fitted.js";
import { SELECTED } from "./answer/selected.js";
import { shrinkageRemark } from "./answer/shrinkage.js";
import { drawnInstead } from "./augmented/instead.js";
import { JOIN_AT_ONCE, settle } from "./certify/rounds.js";
import type { Sample } from "./data/read.js";
import { looksBeyond } from "./hidden/look.js";
import { MAX_COLUMNS } from "./missing/problem.js";
import { missingSummary } from "./missing/summary.js";
import type { Outcome } from "./outcome.js";
import { posteriorOf } from "./posterior/choose.js";
import type { Weighed } from "./posterior/posterior.js";
import type { Problem } from "./posterior/problem.js";
import { specification } from "./posterior/specification.js";
import { modelRows } from "./rows/model-rows.js";
import { rowConcerns } from "./rows/row-concerns.js";
import { defaultPlan, roundsPlan } from "./search/plan.js";
import { inclusionBy, medianOf, proposedBy } from "./search/proposed.js";
import type { Searched } from "./search/rounds.js";
import { searchSettings } from "./search/settings.js";
import type { Session } from "./session.js";

/**
 * Below this many products (rows × columns²) every column is a candidate and no search is needed; fewer where a
 * database would have to make them.
 */
const DIRECT_WORK = 1e10;
const ASKED_WORK = 2e9;
const DIRECT_COLUMNS = 300;
/** The same where holes are drawn, with products in every one of a few sweeps: a minute or two on two cores. */
const IMPUTED_WORK = 5e10;

export async function fitDefault(given: Session, direct = isSmall(given)): Promise<Outcome> {
  // A constant column explains nothing, even where it was asked for.
  const session = { ...given, always: given.always.filter((j) => given.screen.sd[j] > 0) };
  const { options, store, holes, timed } = session;
  /** Where the search walks: all rows, or those at hand. */
  const ground = { ...session, ...session.sample };
  const plan = direct ? undefined : defaultPlan(ground, scalingOf(ground, true));
  const searched = plan && (await session.search(plan, options.chains ?? 2, ...searchLimits(ground)));
  const problem = problemOf(session, searched);
  const first = posteriorOf(problem, holes);
  const { beyond } = first;
  const atHand = session.sample && onSample(problem, session.sample);
  // Where the likelihood is expanded every look would take as many questions as a model does.
  const canLook = !atHand || problem.target.family.quadratic;
  const rounds = await settle({
    posterior: first,
    usable: problem.usable,
    first: searched
      ? await first.withCompany(proposedBy(problem, searched.chains, JOIN_AT_ONCE))
      : problem.usable,
    looks: beyond && canLook ? looksBeyond(problem, beyond, atHand) : undefined,
    signal: options.signal,
    timed,
  });
  // Where the rows are at hand and an expansion will not do, models are drawn.
  const drawn =
    holes || session.sample ? undefined : await timed("polish", () => drawnInstead(problem, rounds));
  const { posterior, settled } = drawn ?? { posterior: first, settled: rounds };
  const { weighed } = settled;
  const unfinished = settled.unfinished || searched?.cut === true;
  const described = posterior.describe(weighed);
  const { likeliest, ...details } = posteriorDetails(problem, weighed, described);
  const predictor = likeliest();
  const rows = modelRows(ground.store, predictor, predictor.average[0]);
  const fitted = fittedRows(rows);
  const { settings, ...found } = answer(problem, settled, described, {
    searched: searched && inclusionBy(searched.chains),
    // A gradient at every draw would be a question for every draw.
    stein:
      unfinished || session.sample
        ? undefined
        : await timed("polish", () => span("checking draws", described.stein)),
    outOfTime: unfinished && !session.stoppedByUser(),
    stopped: unfinished && session.stoppedByUser(),
    concerns: [
      ...fitted.concerns,
      ...span("checking rows", () =>
        rowConcerns(rows, {
          selected: selectedNames(session, weighed),
          centred: options.intercept !== "none",
          copies: session.copies,
          holes,
          areAll: !session.sample,
        }),
      ),
      ...(described.concerns ?? []),
    ],
    remarks: shrinkageRemark(described.shrinkage, {
      rows: store.layout.rows,
      holed: store.layout.rows - (holes?.completeRows ?? 0),
    }),
    ground,
    ...(session.sample && { atHand: session.sample.store.layout.rows }),
  });
  const { encoding } = store.record;
  return {
    answer: {
      ...found,
      ...(fitted.scores && { scores: fitted.scores }),
      ...(holes && {
        missing: {
          ...missingSummary(holes, encoding, store.layout.rows, weighed.candidates.length),
          ...(described.hidden && { hidden: described.hidden }),
          ...(described.shrinkage !== undefined && { shrinkage: described.shrinkage }),
        },
      }),
    },
    partial: unfinished && session.stoppedByUser(),
    notes: [
      ...(plan ? [] : idleNotes(options, holes ? ["iterations", "burnIn"] : [])),
      ...(options.imputations !== undefined && !holes
        ? [`No value was drawn into a hole, so ${option("imputations")} changed nothing.`]
        : []),
    ],
    settings: { ...(searched && searchSettings(searched, plan, ground.store.layout)), ...settings },
    details,
    predicted: fitted.rows,
    searched,
  };
}

/** Variables that the data have put into the median model. */
function selectedNames({ store, always }: Session, { candidates, weights }: Weighed): Set<string> {
  const free = candidates.filter((j, i) => weights.inclusion[i] > SELECTED && !always.includes(j));
  return new Set(free.map((j) => store.names[j]));
}

/** The same problem on the rows at hand, whose stored numbers are shifted by their own means. */
function onSample(problem: Problem, { store, screen }: Sample): Problem {
  const { slope, offset, target } = problem.scaling;
  const { columns } = store.layout;
  const by = store.shift.map((shift, j) => shift - problem.store.shift[j]);
  return {
    ...problem,
    store,
    screen,
    scaling: {
      slope,
      offset: offset.map((value, j) => value + slope[j] * by[j]),
      target: { ...target, offset: target.offset + target.slope * by[columns] },
    },
  };
}

function isSmall({ store, holes, target, sample }: Session): boolean {
  const { rows, columns } = store.layout;
  // An expansion multiplies the entries of sparse columns alone.
  const width = target.family.quadratic || holes || columns > DIRECT_COLUMNS ? columns : entriesOfRow(store);
  const work = rows * width ** 2;
  return holes
    ? columns <= MAX_COLUMNS && work <= IMPUTED_WORK
    : columns <= DIRECT_COLUMNS && work <= (sample ? ASKED_WORK : DIRECT_WORK);
}

/** How many numbers of a row are stored, on average. */
function entriesOfRow(store: Session["store"]): number {
  const { rows, columns, blocks } = store.layout;
  let [stored, dense] = [0, 0];
  for (let j = 0; j < columns; j++) {
    if (!store.entries(0, j)) dense += 1;
    else for (let b = 0; b < blocks; b++) stored += store.entries(b, j)!.count;
  }
  return dense + stored / rows;
}

function searchLimits({ options, store, budget }: Session) {
  return [roundsPlan(options, store.layout), budget.search] as const;
}

/** Columns in standard units; the target, too, where a search walks on it. */
function scalingOf({ options, store, screen, target }: Session, forSearch: boolean): Scaling {
  const { family } = target;
  const scaling = scaled({
    ...screen,
    shift: store.shift,
    centred: options.intercept !== "none",
    standard: options.scale !== "none",
    standardTarget: forSearch && family.search.births === "walk",
  });
  return family.quadratic ? scaling : { ...scaling, target: target.scaling };
}

export function problemOf(session: Session, searched: Searched | undefined): Problem {
  const { store, pool, filled, target, always, seed, progress } = session;
  const usable = Array.from({ length: store.layout.columns }, (_, j) => j).filter((j) => filled.sd[j] > 0);
  const options = searched ? withoutLengths(session.options) : session.options;
  const { family } = target;
  const scaling = scalingOf(session, false);
  return {
    store,
    pool,
    // Outside the candidates means stand in the holes.
    screen: filled,
    scaling,
    target,
    spec: specification(family.noise ? options : { ...options, noiseVariance: 1 }, {
      rows: store.layout.rows,
      usable: usable.length,
      forced: always.length,
      variance: typicalVariance(usable.map((j) => (scaling.slope[j] * filled.sd[j]) ** 2)),
      absoluteEffects: !family.noise,
    }),
    usable,
    always,
    start: searched ? medianOf(searched.chains, store.layout.columns) : always,
    options,
    seed,
    run: progress,
  };
}

/** The median, which is 1 in standard units. */
function typicalVariance(variances: readonly number[]): number {
  return Float64Array.from(variances).sort()[variances.length >> 1] ?? 1;
}

/** The lengths that were asked for were those of the search. */
function withoutLengths({ iterations: _, burnIn: __, chains: ___, ...options }: FitOptions): FitOptions {
  return options;
}

/** Settings of the search that were given where none was needed, but for those that something else has `used`. */
function idleNotes(options: FitOptions, used: readonly string[]): string[] {
  const settings = [
    "iterations",
    "burnIn",
    "batch",
    "models",
    "moves",
    "stepSize",
    "integrator",
    "temperature",
  ] as const;
  const given = settings.filter((name) => options[name] !== undefined && !used.includes(name));
  if (given.length === 0) return [];
  const said = given.map((name) => option(name)).join(", ");
  return [`Every model could be compared without a search, so ${said} changed nothing.`];
}
