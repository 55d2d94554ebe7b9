/** What the commands for clusters and hidden states share: progress, files and the answer. */

import type { ClusterTableRun, TableRunning } from "../clustering/tables/cluster-table.js";
import type { StateTableRun } from "../clustering/tables/state-table.js";
import { groupingText } from "../report/text/clusters.js";
import { asFlag, type Spelling, spelt } from "../wording.js";
import type { Effects } from "./effects.js";
import { groupingFiles } from "./grouping-files.js";
import { savedAndShown, writingTo } from "./outputs.js";
import { progressBar } from "./progress.js";
import { RUN_FOLDER, saveRun } from "./run-folder.js";

interface Asked {
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  /** The options of the model. */
  readonly given: object;
}

export async function grouping(
  effects: Effects,
  { out, json = false, quiet = false, given }: Asked,
  work: (how: TableRunning, spelling: Spelling) => Promise<ClusterTableRun | StateTableRun>,
): Promise<void> {
  const bar = progressBar(effects, quiet);
  const onMessage = (message: string): void => {
    bar.done();
    if (!quiet) effects.err(`${spelt(message, asFlag)}\n`);
  };
  await writingTo(out, RUN_FOLDER, async (claimed) => {
    const how = { signal: effects.signal, onProgress: bar.show, onMessage };
    const marked = await work(how, asFlag).finally(bar.done);
    const notes = marked.result.notes?.map((note) => spelt(note, asFlag));
    const run = { ...marked, result: { ...marked.result, ...(notes && { notes }) } } as typeof marked;
    await savedAndShown(
      () => claimed && saveRun(claimed, groupingFiles(run, given)),
      () => effects.out(json ? `${JSON.stringify(run.result, null, 2)}\n` : groupingText(run.result)),
    );
  });
  if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
}

export { clusterData, stateData } from "../node/grouping-data.js";
