/** Pages of runs and comparisons. Plots and a document to draw them in take a while to load: nobody else waits for them. */

import { damagedRun } from "../files/manifest.js";
import type { CompareResult } from "../peers/comparison.js";
import type { StoredMixed } from "../report/stored-run.js";
import { type AnyStored, readAnyRun } from "./read-run.js";

/** The page of a run folder. */
export async function runPage(folder: string): Promise<string> {
  const stored = await readAnyRun(folder);
  try {
    return await pageOf(stored);
  } catch (error) {
    // What has the right checksums and shapes and still makes no page was made by somebody else.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw damagedRun(folder, "its files do not fit together");
    }
    throw error;
  }
}

async function pageOf(stored: AnyStored): Promise<string> {
  if (stored.kind === "mixed") return mixedPage(stored.run);
  if (stored.kind !== "fit") {
    const { groupingHtml } = await import("../report/page/clusters.js");
    return groupingHtml(stored.run);
  }
  await plots();
  const { htmlReport } = await import("../report/page/page.js");
  return htmlReport(stored.run, await emptyDocument());
}

export async function mixedPage(run: StoredMixed): Promise<string> {
  await plots();
  const { mixedHtml } = await import("../report/page/mixed.js");
  return mixedHtml(run, await emptyDocument());
}

export async function comparisonPage(comparison: CompareResult): Promise<string> {
  await plots();
  const { comparisonHtml } = await import("../report/page/comparison.js");
  return comparisonHtml(comparison, await emptyDocument());
}

/** A module, which the script of the command cannot require (files/script.ts): it is imported before the pages. */
const plots = (): Promise<unknown> => import("@observablehq/plot");

async function emptyDocument(): Promise<Document> {
  const { parseHTML } = await import("linkedom");
  return parseHTML("<html><body></body></html>").document;
}
