/** What the commands for clusters and hidden states share: progress, files, the answer, and going on after a stop. */

import type { ClusterTableRun, TableRunning } from "../clustering/tables/cluster-table.js";
import type { StateTableRun } from "../clustering/tables/state-table.js";
import { groupingText } from "../report/text/clusters.js";
import { asFlag, type Spelling, spelt } from "../wording.js";
import type { Journal } from "../workers/journal.js";
import type { Effects } from "./effects.js";
import { groupingFiles } from "./grouping-files.js";
import { savedAndShown, writingTo } from "./outputs.js";
import { progressBar } from "./progress.js";
import { runFolder, saveRun } from "./run-folder.js";
import { type Asked, keepingState } from "./unfinished.js";

export interface GroupingAsked extends Asked {
  readonly options: Asked["options"] & {
    readonly out?: string | undefined;
    readonly json?: boolean | undefined;
    readonly quiet?: boolean | undefined;
  };
}

type Work = (
  how: TableRunning,
  spelling: Spelling,
  journal: Journal | undefined,
) => Promise<ClusterTableRun | StateTableRun>;

export async function grouping(
  effects: Effects,
  asked: GroupingAsked,
  resumed: boolean,
  work: Work,
): Promise<void> {
  const { out, json = false, quiet = false, ...given } = asked.options;
  const { signal } = effects;
  const bar = progressBar(effects, quiet);
  const onMessage = (message: string): void => {
    bar.done();
    if (!quiet) effects.err(`${spelt(message, asFlag)}\n`);
  };
  const { unfinished } = await writingTo(out, runFolder(out, resumed), (claimed) =>
    keepingState(asked, { resumed, signal }, async (journal) => {
      const how = { signal, onProgress: bar.show, onMessage };
      const marked = await work(how, asFlag, journal).finally(bar.done);
      const notes = marked.result.notes?.map((note) => spelt(note, asFlag));
      const run = { ...marked, result: { ...marked.result, ...(notes && { notes }) } } as typeof marked;
      await savedAndShown(
        () => claimed && saveRun(claimed, groupingFiles(run, given)),
        () => effects.out(json ? `${JSON.stringify(run.result, null, 2)}\n` : groupingText(run.result)),
      );
      return { whole: run.result.partial !== true };
    }),
  );
  if (out === undefined || quiet) return;
  effects.err(`Written to ${out}\n`);
  if (unfinished) effects.err(`sparrow resume ${out} goes on where it was stopped\n`);
}

export { clusterData, stateData } from "../node/grouping-data.js";
