import { SparrowError } from "../errors.js";
import { type TableRow, table1Row } from "../experiments/table1.js";
import type { Command } from "./command.js";

export const reproduceCommand: Command = {
  name: "reproduce",
  summary: "Repeat an experiment of Song et al. (2020) and print the paper's figures beside ours.",
  positionals: ["TABLE"],
  options: {
    datasets: { kind: "integer", value: "k", help: "simulated data sets (10, as in the paper)" },
    methods: { kind: "list", value: "NAME,...", help: "rows of the table: esgld" },
    moves: { kind: "list", value: "k,...", help: "moves per model, a row of the table for each (1,5)" },
    rows: { kind: "integer", value: "N", help: "rows of each data set (50000, as in the paper)" },
    columns: { kind: "integer", value: "p", help: "predictors (2000, as in the paper)" },
    json: { kind: "flag", help: "print one JSON object instead of the table" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow reproduce table1 --methods esgld --datasets 10",
    "sparrow reproduce table1 --moves 1 --json",
  ],
  async run(args, effects) {
    const experiment = args.positionals[0];
    if (experiment !== "table1")
      throw new SparrowError(`sparrow reproduce knows table1, not "${experiment}".`, "usage");
    for (const method of args.list("methods") ?? []) {
      if (method !== "esgld") throw new SparrowError(`--methods knows esgld, not "${method}".`, "usage");
    }
    const datasets = args.count("datasets") ?? 10;
    const rows: TableRow[] = [];
    for (const moves of (args.list("moves") ?? ["1", "5"]).map(Number)) {
      rows.push(
        await table1Row({
          datasets,
          rows: args.count("rows") ?? 50_000,
          columns: args.count("columns") ?? 2000,
          options: { preset: "paper", moves, signal: effects.signal },
          onDataSet: (done) => {
            if (!args.flag("quiet")) effects.err(`moves ${moves}: data set ${done} of ${datasets} done\n`);
          },
        }),
      );
    }
    const report = { experiment, datasets, rows };
    effects.out(args.flag("json") ? `${JSON.stringify(report, null, 2)}\n` : tableText(rows, datasets));
  },
};

const COLUMNS = ["fsr", "nsr", "mse1", "mse0", "cpuSeconds"] as const;
const HEADS = ["", "FSR", "NSR", "MSE1", "MSE0", "CPU seconds"];

function tableText(rows: readonly TableRow[], datasets: number): string {
  const cell = (value: number): string =>
    value === 0 ? "0" : value < 1e-2 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
  const body = rows.flatMap((row) => [
    [
      `${row.method}, ${row.preset} settings${row.moves === undefined ? "" : `, ${row.moves} moves per model`}`,
      ...COLUMNS.map(
        (name) => `${cell(row[name].mean)} (${row[name].se === undefined ? "–" : cell(row[name].se)})`,
      ),
    ],
    ["  the paper", ...COLUMNS.map((name) => cell(row.paper[name]))],
  ]);
  const lines = [HEADS, ...body];
  const widths = HEADS.map((_, c) => Math.max(...lines.map((line) => line[c].length)));
  const text = lines.map((line) =>
    line
      .map((value, c) => value.padEnd(widths[c]))
      .join("  ")
      .trimEnd(),
  );
  return `${text.join("\n")}\n\nMeans over ${datasets} data sets (standard errors in brackets). CPU is that of screen and search.\n`;
}
