/**
 * The main job, from a store to the posterior over models:
 *
 *     read ─▶ screen ─▶ search ─▶ certify ⇄ polish ─▶ answer
 *
 * A session is opened (read, screen), a preset does the rest, and the run is what it came to.
 */

import { nameOf } from "../families/register.js";
import { checkOptions, type FitOptions } from "../options/fit.js";
import { span } from "../profile.js";
import type { Surroundings } from "../store/open/room.js";
import type { OpenedStore } from "./data/read.js";
import { fitDefault } from "./default.js";
import type { Environment } from "./environment.js";
import type { Outcome } from "./outcome.js";
import { fitPaper } from "./paper.js";
import { type Run, searchTrace } from "./run.js";
import { openSession, type Session } from "./session.js";

const PRESETS = { auto: fitDefault, paper: fitPaper };

export async function fitStore(
  open: (surroundings: Surroundings) => Promise<OpenedStore>,
  options: FitOptions,
  environment: Environment,
  /** Whether every column is a candidate; decided from the size of the data unless told. */
  direct?: boolean,
): Promise<Run> {
  checkOptions(options);
  const session = await openSession(open, options, environment);
  try {
    session.pool.journal?.onData(session.store.record.checksum);
    // What a preset does beside its stages is to make an answer of them.
    return await span("answer", async () =>
      runOf(session, await PRESETS[options.preset ?? "auto"](session, direct)),
    );
  } finally {
    await session.close();
  }
}

function runOf({ store, screen, options, target, alike, seed, timing }: Session, outcome: Outcome): Run {
  const { encoding, source, checksum, notes } = store.record;
  const { answer, details, searched } = outcome;
  const { rows, columns } = store.layout;
  const spread = Array.from(screen.sd.subarray(0, columns), (sd) => Number(sd.toPrecision(6)));
  return {
    result: {
      family: nameOf(target.family),
      rows,
      columns,
      target: encoding.target.column,
      preset: options.preset ?? "auto",
      seed,
      notes: [
        ...target.remarks,
        ...notes,
        ...alike.notes,
        ...outcome.notes,
        ...span("copies and dependencies", () => alike.likely(answer.variables)),
      ],
      ...(alike.copies.length > 0 && { copies: alike.copies }),
      ...(outcome.partial && { partial: true }),
      ...answer,
      timing,
      settings: outcome.settings,
    },
    data: { name: source, rows, columns: store.names, sd: spread, checksum },
    predicted: outcome.predicted,
    details: { ...details, predictor: () => ({ ...details.predictor(), encoding }) },
    ...(searched && { search: searchTrace(searched) }),
  };
}
