/** The files of a run of clusters or hidden states: those of any run, and where every row belongs. */

import type { ClusterTableRun } from "../clustering/tables/cluster-table.js";
import type { StateTableRun } from "../clustering/tables/state-table.js";
import type { FileContent } from "../files/whole.js";
import { groupingHtml } from "../report/page/clusters.js";
import { runRecord } from "../report/run-record.js";
import { csvLines } from "../report/text/csv.js";
import { pretty, writeDraws } from "./run-files.js";

export function groupingFiles(
  run: ClusterTableRun | StateTableRun,
  options: object,
): Record<string, FileContent> {
  const { timing, ...result } = run.result;
  const { draws } = run;
  const record = runRecord(options, { ...run, draws: "chains" });
  return {
    "summary.json": pretty(result),
    "run.json": pretty(record),
    "draws.parquet": (path) => writeDraws(draws, path),
    [`${result.model}.csv`]: rowsCsv(run, result.components),
    "timing.json": pretty(timing),
    "report.html": groupingHtml({ result, record, draws }),
  };
}

function rowsCsv(run: ClusterTableRun | StateTableRun, count: number): string {
  const { label, probabilities } = run.assigned();
  const rows = label.length;
  const noun = run.result.model === "clusters" ? "cluster" : "state";
  const columns = Object.fromEntries(
    Array.from({ length: count }, (_, k) => [
      `p${k + 1}`,
      Float64Array.from({ length: rows }, (_, i) => Number(probabilities[i * count + k].toPrecision(6))),
    ]),
  );
  const all = { row: Uint32Array.from({ length: rows }, (_, i) => i + 1), [noun]: label, ...columns };
  return [...csvLines(all, rows)].join("");
}
