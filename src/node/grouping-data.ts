/** Clusters and hidden states of whatever can be read. Sentences name options by their marks. */

import { type ClusterTableRun, clusterTable, type TableRunning } from "../clustering/tables/cluster-table.js";
import { type StateTableRun, stateTable } from "../clustering/tables/state-table.js";
import type { ClustersAsked, StatesAsked } from "../options/clustering.js";
import type { Data } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import type { Spelling } from "../wording.js";
import type { Journal } from "../workers/journal.js";
import { openingOf, withTable } from "./open.js";
import { crewKeeping } from "./threads.js";

export function clusterData(
  data: Data,
  options: ClustersAsked & TableRunning,
  spelling: Spelling,
  /** Where results are kept, of a run that can be resumed. */
  journal?: Journal,
): Promise<ClusterTableRun> {
  return withTable(data, settingsOf(options), (table) =>
    clusterTable(table, options, crewKeeping(journal), spelling),
  );
}

export function stateData(
  data: Data,
  options: StatesAsked & TableRunning,
  spelling: Spelling,
  journal?: Journal,
): Promise<StateTableRun> {
  const { sequence } = options;
  const settings = { ...settingsOf(options), ...(sequence !== undefined && { keys: [sequence] }) };
  return withTable(data, settings, (table) => stateTable(table, options, crewKeeping(journal), spelling));
}

function settingsOf(options: (ClustersAsked | StatesAsked) & TableRunning) {
  return { ...readingOf(options), ...openingOf(options) };
}
