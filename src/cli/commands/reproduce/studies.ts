/** Table 1, Table S1 and their like for counts: methods on simulated data sets. */

import { peerRows, STUDY_PEERS } from "../../../experiments/peer-study.js";
import type { SimulationKind } from "../../../experiments/simulated.js";
import { studyRow, type TableRow } from "../../../experiments/simulation-study.js";
import { aligned } from "../../../report/text/lines.js";
import { count } from "../../../report/text/numbers.js";
import { averageCell, cell, rowLabel } from "./cells.js";
import { type Reproduction, reproduced } from "./reproduced.js";
import { methodsOf, ourRows } from "./rows.js";

interface Study {
  readonly kind: SimulationKind;
  /** Moves per model of the rows with the paper's settings. */
  readonly moves: readonly number[];
  readonly peers: typeof STUDY_PEERS;
}

export const STUDIES: Readonly<Record<string, Study>> = {
  table1: { kind: "linear", moves: [1, 5], peers: STUDY_PEERS },
  "table-s1": { kind: "logistic", moves: [1, 10], peers: [] },
  poisson: { kind: "poisson", moves: [1, 10], peers: [] },
};

/** The paper's size, unless told. */
const ROWS = 50_000;
const COLUMNS = 2000;
const DATA_SETS = 10;

export async function reproduceStudy(
  { kind, moves, peers }: Study,
  reproduction: Reproduction,
): Promise<void> {
  const { experiment, asked, effects } = reproduction;
  const { rows = ROWS, columns = COLUMNS, datasets = DATA_SETS, quiet = false } = asked;
  const methods = methodsOf(experiment, ["esgld", ...peers], asked.methods);
  const { signal } = effects;
  const done = (label: string, sets: number) => {
    if (!quiet) effects.err(`${label}: data set ${sets} of ${datasets} done\n`);
  };
  const size = { rows, columns };
  await reproduced(reproduction, async (keeping) => {
    const common = { datasets, ...size, keeping };
    const lines: TableRow[] = [];
    for (const { label, ...settings } of ourRows(methods, asked.presets, asked.moves ?? moves)) {
      const options = { ...settings, signal };
      const onDataSet = (sets: number) => done(label, sets);
      lines.push(await studyRow({ kind, ...common, options, onDataSet }));
    }
    const others = peers.filter((method) => methods.includes(method));
    lines.push(...(await peerRows({ methods: others, ...common, signal, onDataSet: done })));
    const text = tableText(lines, datasets, size);
    return { numbers: { datasets, size, rows: lines }, text, files: { txt: text } };
  });
}

const MEASURES = ["fsr", "nsr", "mse1", "mse0", "cpuSeconds"] as const;
const HEADS = ["", "FSR", "NSR", "MSE1", "MSE0", "CPU seconds"];

function tableText(
  rows: readonly TableRow[],
  datasets: number,
  size: { readonly rows: number; readonly columns: number },
): string {
  const body = rows.flatMap((row) => [
    [rowLabel(row), ...MEASURES.map((name) => averageCell(row[name]))],
    ...(row.paper ? [["  the paper", ...MEASURES.map((name) => cell(row.paper![name]))]] : []),
  ]);
  const shape = `${count(size.rows, "row")} and ${count(size.columns, "column")}`;
  return [
    ...aligned([HEADS, ...body]),
    "",
    `Means over ${count(datasets, "data set")} of ${shape} (standard errors in brackets).`,
    "The paper: 10 data sets of 50,000 rows and 2,000 columns. CPU is that of all stages from the screen on; with the paper settings, of screen and search.",
    "",
  ].join("\n");
}
