/** Table S2: the epsilon data, or a stand-in of their shape. */

import { SparrowError } from "../../../errors.js";
import { epsilonLikeTable } from "../../../experiments/epsilon-like.js";
import { SETTINGS_S2, type TableS2Row, tableS2Row } from "../../../experiments/table-s2.js";
import { S2_PEERS, tableS2PeerRows } from "../../../experiments/table-s2-peers.js";
import { open } from "../../../node/open.js";
import { aligned } from "../../../report/text/lines.js";
import { count } from "../../../report/text/numbers.js";
import { densified } from "../../../tables/densified.js";
import type { ColumnTable } from "../../../tables/table.js";
import { option } from "../../../wording.js";
import { averageCell, cell, rowLabel } from "./cells.js";
import type { ReproduceAsked } from "./options.js";
import { type Reproduction, reproduced } from "./reproduced.js";
import { methodsOf, ourRows } from "./rows.js";

/** Of the stand-in: a tenth of the real rows to train on, and a quarter of that to test. */
const ROWS = 40_000;
const COLUMNS = 2000;
const RUNS = 10;
const MOVES = [1, 10];
/** What the paper's model holds. */
const SIZE = 63;

export async function reproduceEpsilon(reproduction: Reproduction): Promise<void> {
  const { asked, effects } = reproduction;
  const { datasets: runs = RUNS, quiet = false } = asked;
  const { name: data, ...tables } = dataOf(asked);
  const methods = methodsOf("table-s2", ["esgld", ...S2_PEERS], asked.methods);
  const { signal } = effects;
  const say = (text: string) => {
    if (!quiet) effects.err(`${text}\n`);
  };
  await reproduced(reproduction, async (keeping) => {
    const rows: TableS2Row[] = [];
    for (const { label, ...settings } of ourRows(methods, asked.presets, asked.moves ?? MOVES)) {
      const options = { ...(settings.preset === "paper" ? SETTINGS_S2 : {}), ...settings, signal };
      const onRun = (done: number) => say(`${label}: run ${done} of ${runs} done`);
      rows.push(await tableS2Row({ ...tables, runs, options, onRun, keeping }));
    }
    const peers = await tableS2PeerRows({
      ...tables,
      methods: S2_PEERS.filter((method) => methods.includes(method)),
      // The size of the last row of ours, or the paper's.
      size: Math.max(1, Math.round(rows.at(-1)?.modelSize.mean ?? SIZE)),
      signal,
      onMethod: (method) => say(`${method} done`),
      keeping,
    });
    rows.push(...peers);
    const text = tableText(rows, data, runs);
    return { numbers: { data, runs, rows }, text, files: { txt: text } };
  });
}

interface Data {
  readonly name: string;
  train(): ColumnTable | Promise<ColumnTable>;
  test(): ColumnTable | Promise<ColumnTable>;
}

function dataOf({ train, test, rows = ROWS, columns = COLUMNS }: ReproduceAsked): Data {
  if (train !== undefined && test !== undefined) {
    return { name: train, train: () => fullTable(train), test: () => fullTable(test) };
  }
  if (train !== undefined || test !== undefined) {
    throw new SparrowError(
      `table-s2 needs both ${option("train")} and ${option("test")}, or neither for a stand-in.`,
      "option",
    );
  }
  return {
    name: `a simulated stand-in (${rows} rows, ${columns} features), not the real epsilon`,
    train: () => epsilonLikeTable({ rows, columns, seed: 1, part: "train" }),
    test: () => epsilonLikeTable({ rows: Math.ceil(rows / 4), columns, seed: 1, part: "test" }),
  };
}

/** The epsilon files are LIBSVM, but every row has every column. */
async function fullTable(path: string): Promise<ColumnTable> {
  const table = await open(path);
  return table.by === "columns" ? table : densified(table);
}

function tableText(rows: readonly TableS2Row[], data: string, runs: number): string {
  const columns = ["modelSize", "predictionError", "cpuSeconds"] as const;
  const body = rows.flatMap((row) => [
    [rowLabel(row), ...columns.map((name) => averageCell(row[name]))],
    ...(row.paper ? [["  the paper, on epsilon", ...columns.map((name) => cell(row.paper![name]))]] : []),
  ]);
  const head = ["", "model size", "prediction error", "CPU seconds"];
  return `Data: ${data}\n\n${aligned([head, ...body]).join("\n")}\n\nMeans over ${count(runs, "run")} (standard errors in brackets). The error is that of the median model on the test rows.\n`;
}
