/** Comparisons of whatever can be read. Sentences name options by their marks, here and beside. */

import type { CompareOptions } from "../options/compare.js";
import type { ForFiles } from "../options/fit.js";
import { refuseQuestions } from "../options/refuse-questions.js";
import { compareTable } from "../peers/compare.js";
import type { CompareResult } from "../peers/comparison.js";
import { targetName } from "../selection/data/columns.js";
import type { Data } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import type { Journal } from "../workers/journal.js";
import { isAsked, openingOf, withTable } from "./open.js";
import { threadsKeeping } from "./threads.js";

export async function compareData(
  data: Data,
  options: ForFiles<CompareOptions>,
  /** Where results are kept, of a comparison that can be resumed. */
  journal?: Journal,
): Promise<CompareResult> {
  const held = () => process.memoryUsage().rss;
  if (isAsked(data, options)) {
    const { compareAskedData } = await import("./asked-data.js");
    return compareAskedData(data, options, threadsKeeping(journal), held);
  }
  refuseQuestions(options);
  const settings = { ...readingOf(options), ...openingOf(options) };
  return withTable(data, settings, (table) =>
    compareTable(
      table,
      { ...options, target: targetName(table, options.target) },
      threadsKeeping(journal),
      held,
    ),
  );
}
