import { type MixedRun, mixedTable } from "../mixed/mixed-table.js";
import type { MixedOptions } from "../mixed/options.js";
import { wordsOfMixed } from "../mixed/read/words-of-mixed.js";
import { mixedReading } from "../mixed/rows/rows-table.js";
import { refuseQuestions } from "../options/refuse-questions.js";
import type { Data } from "../tables/open.js";
import type { Journal } from "../workers/journal.js";
import { isAsked, openingOf, withTable } from "./open.js";
import { crewKeeping } from "./threads.js";

export async function mixedData(
  data: Data,
  options: Partial<MixedOptions>,
  /** Where results are kept, of a run that can be resumed. */
  journal?: Journal,
): Promise<MixedRun> {
  if (isAsked(data, options)) {
    const { mixedAskedData } = await import("./asked-data.js");
    return wordsOfMixed(options, () => mixedAskedData(data, options, crewKeeping(journal)));
  }
  refuseQuestions(options);
  const settings = { ...mixedReading(options), ...openingOf(options) };
  return wordsOfMixed(options, () =>
    withTable(data, settings, (table) => mixedTable(table, options, crewKeeping(journal))),
  );
}
