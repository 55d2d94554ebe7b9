import type { Average } from "../../diagnostics/selection-error.js";
import { SparrowError } from "../../errors.js";
import { epsilonLikeTable } from "../../experiments/epsilon-like.js";
import { peerRows, STUDY_PEERS } from "../../experiments/peer-study.js";
import type { SimulationKind } from "../../experiments/simulated.js";
import { studyRow, type TableRow } from "../../experiments/simulation-study.js";
import { SETTINGS_S2, type TableS2Row, tableS2Row } from "../../experiments/table-s2.js";
import { S2_PEERS, tableS2PeerRows } from "../../experiments/table-s2-peers.js";
import { open } from "../../node.js";
import { aligned } from "../../report/text/lines.js";
import { count } from "../../report/text/numbers.js";
import { densified } from "../../tables/densified.js";
import type { ColumnTable } from "../../tables/table.js";
import type { Arguments, Command } from "../command.js";
import type { Effects } from "../effects.js";
import { figureOptions, isFigure, reproduceFigure } from "./reproduce-figure.js";

export const reproduceCommand: Command = {
  name: "reproduce",
  summary: "Repeat an experiment of Song et al. (2020) and print the paper's figures beside ours.",
  details:
    "EXPERIMENT is table1 (linear), table-s1 (logistic), poisson, table-s2 (the epsilon data), figure-s1 or figure-s2 (MovieLens).",
  positionals: ["EXPERIMENT"],
  options: {
    datasets: { kind: "integer", value: "k", help: "simulated data sets (10, as in the paper)" },
    methods: {
      kind: "list",
      value: "NAME,...",
      help: "rows of the table: esgld (all); rjmh, sam, blasso (table1); lasso, mcp, scad (table-s2)",
    },
    moves: {
      kind: "list",
      value: "k,...",
      help: "moves per model of the paper's settings, a row of the table for each (1,5; table-s1: 1,10)",
    },
    presets: { kind: "list", value: "NAME,...", help: "rows of the table: paper, auto (both)" },
    train: { kind: "text", value: "FILE", help: "table-s2: the training part of epsilon" },
    test: { kind: "text", value: "FILE", help: "table-s2: the test part of epsilon" },
    rows: { kind: "integer", value: "N", help: "rows of each data set (50000, as in the paper)" },
    columns: { kind: "integer", value: "p", help: "predictors (2000, as in the paper)" },
    ...figureOptions,
    json: { kind: "flag", help: "print one JSON object instead of the table" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow reproduce table1 --methods esgld,rjmh,sam,blasso",
    "sparrow reproduce table1 --moves 1 --json",
    "sparrow reproduce table-s1 --presets auto",
    "sparrow reproduce table-s2 --train epsilon_normalized.bz2 --test epsilon_normalized.t.bz2",
    "sparrow reproduce figure-s1 --users 7000 --out figure-s1",
  ],
  async run(args, effects) {
    const experiment = args.positionals[0];
    if (isFigure(experiment)) {
      args.refuse([...TABLE_OPTIONS, ...S2_OPTIONS], experiment);
      return reproduceFigure(experiment, args, effects);
    }
    args.refuse(Object.keys(figureOptions), experiment);
    if (experiment === "table-s2") return tableS2(args, effects);
    args.refuse(S2_OPTIONS, experiment);
    const study = STUDIES[experiment];
    if (!study) {
      const known = [...Object.keys(STUDIES), "table-s2", "figure-s1", "figure-s2"].join(", ");
      throw new SparrowError(`sparrow reproduce knows ${known}, not "${experiment}".`, "option");
    }
    const known: readonly string[] = ["esgld", ...(study.kind === "linear" ? STUDY_PEERS : [])];
    const methods = args.list("methods") ?? known;
    for (const method of methods) {
      if (known.includes(method)) continue;
      throw new SparrowError(
        `--methods of ${experiment} knows ${known.join(", ")}, not "${method}".`,
        "option",
      );
    }
    const presets = methods.includes("esgld") ? (args.list("presets") ?? ["paper", "auto"]) : [];
    const datasets = args.count("datasets") ?? 10;
    const size = { rows: args.count("rows") ?? 50_000, columns: args.count("columns") ?? 2000 };
    const rows: TableRow[] = [];
    const row = async (options: StudyOptions, label: string): Promise<void> => {
      const settings = {
        kind: study.kind,
        datasets,
        ...size,
        options: { ...options, signal: effects.signal },
        onDataSet: (done: number) => {
          if (!args.flag("quiet")) effects.err(`${label}: data set ${done} of ${datasets} done\n`);
        },
      };
      rows.push(await studyRow(settings));
    };
    for (const preset of presets) {
      if (preset === "auto") await row({ preset }, "auto");
      else if (preset === "paper") {
        for (const moves of (args.list("moves") ?? study.moves).map(Number)) {
          await row({ preset, moves }, `moves ${moves}`);
        }
      } else throw new SparrowError(`--presets knows paper and auto, not "${preset}".`, "option");
    }
    const peers = STUDY_PEERS.filter((method) => methods.includes(method));
    const peerSettings = {
      methods: peers,
      datasets,
      ...size,
      signal: effects.signal,
      onDataSet: (method: string, done: number) => {
        if (!args.flag("quiet")) effects.err(`${method}: data set ${done} of ${datasets} done\n`);
      },
    };
    rows.push(...(await peerRows(peerSettings)));
    const report = { experiment, datasets, size, rows };
    effects.out(args.flag("json") ? `${JSON.stringify(report, null, 2)}\n` : tableText(rows, datasets, size));
  },
};

/** Options that belong to some experiments alone. */
const TABLE_OPTIONS = ["datasets", "methods", "moves", "presets", "rows", "columns"];
const S2_OPTIONS = ["train", "test"];

/** The simulated studies, and the moves per model of their rows with the paper's settings. */
const STUDIES: Readonly<Record<string, { kind: SimulationKind; moves: readonly string[] }>> = {
  table1: { kind: "linear", moves: ["1", "5"] },
  "table-s1": { kind: "logistic", moves: ["1", "10"] },
  poisson: { kind: "poisson", moves: ["1", "10"] },
};

interface StudyOptions {
  readonly preset: "paper" | "auto";
  readonly moves?: number;
}

/** Rows of the stand-in that takes the place of epsilon: a tenth of the real data. */
const STAND_IN = { train: 40_000, test: 10_000 };

/** The epsilon files are LIBSVM, but every row has every column. */
async function fullTable(path: string): Promise<ColumnTable> {
  const table = await open(path);
  return table.by === "columns" ? table : densified(table);
}

async function tableS2(args: Arguments, effects: Effects): Promise<void> {
  const [train, test] = [args.text("train"), args.text("test")];
  if ((train === undefined) !== (test === undefined)) {
    throw new SparrowError("table-s2 needs both --train and --test, or neither for a stand-in.", "option");
  }
  if (train !== undefined) args.refuse(["rows", "columns"], "files that are there already");
  const runs = args.count("datasets") ?? 10;
  const columns = args.count("columns") ?? 2000;
  const trainRows = args.count("rows") ?? STAND_IN.train;
  const tables =
    train !== undefined && test !== undefined
      ? { train: () => fullTable(train), test: () => fullTable(test) }
      : {
          train: () => epsilonLikeTable({ rows: trainRows, columns, seed: 1, part: "train" }),
          test: () => epsilonLikeTable({ rows: Math.ceil(trainRows / 4), columns, seed: 1, part: "test" }),
        };
  const rows: TableS2Row[] = [];
  const row = async (options: StudyOptions, label: string): Promise<void> => {
    const onRun = (done: number) => {
      if (!args.flag("quiet")) effects.err(`${label}: run ${done} of ${runs} done\n`);
    };
    const { signal } = effects;
    const paper = options.preset === "paper" ? SETTINGS_S2 : {};
    rows.push(await tableS2Row({ ...tables, runs, options: { ...paper, ...options, signal }, onRun }));
  };
  const methods = args.list("methods") ?? ["esgld", ...S2_PEERS];
  for (const method of methods) {
    if (method === "esgld" || S2_PEERS.includes(method)) continue;
    const known = ["esgld", ...S2_PEERS].join(", ");
    throw new SparrowError(`--methods of table-s2 knows ${known}, not "${method}".`, "option");
  }
  for (const preset of methods.includes("esgld") ? (args.list("presets") ?? ["paper", "auto"]) : []) {
    if (preset === "auto") await row({ preset }, "auto");
    else if (preset === "paper") {
      for (const moves of (args.list("moves") ?? ["1", "10"]).map(Number)) {
        await row({ preset, moves }, `moves ${moves}`);
      }
    } else throw new SparrowError(`--presets knows paper and auto, not "${preset}".`, "option");
  }
  rows.push(
    ...(await tableS2PeerRows({
      ...tables,
      methods: S2_PEERS.filter((method) => methods.includes(method)),
      // The size of the last eSGLD row, or the paper's.
      size: Math.max(1, Math.round(rows.at(-1)?.modelSize.mean ?? 63)),
      signal: effects.signal,
      onMethod: (method) => {
        if (!args.flag("quiet")) effects.err(`${method} done\n`);
      },
    })),
  );
  const data = train ?? `a simulated stand-in (${trainRows} rows, ${columns} features), not the real epsilon`;
  const report = { experiment: "table-s2", data, runs, rows };
  effects.out(args.flag("json") ? `${JSON.stringify(report, null, 2)}\n` : tableS2Text(rows, data, runs));
}

function tableS2Text(rows: readonly TableS2Row[], data: string, runs: number): string {
  const columns = ["modelSize", "predictionError", "cpuSeconds"] as const;
  const body = rows.flatMap((row) => [
    [rowLabel(row), ...columns.map((name) => averageCell(row[name]))],
    ...(row.paper ? [["  the paper, on epsilon", ...columns.map((name) => cell(row.paper![name]))]] : []),
  ]);
  const head = ["", "model size", "prediction error", "CPU seconds"];
  return `Data: ${data}\n\n${aligned([head, ...body]).join("\n")}\n\nMeans over ${count(runs, "run")} (standard errors in brackets). The error is that of the median model on the test rows.\n`;
}

const COLUMNS = ["fsr", "nsr", "mse1", "mse0", "cpuSeconds"] as const;
const HEADS = ["", "FSR", "NSR", "MSE1", "MSE0", "CPU seconds"];

function tableText(
  rows: readonly TableRow[],
  datasets: number,
  size: { readonly rows: number; readonly columns: number },
): string {
  const body = rows.flatMap((row) => [
    [rowLabel(row), ...COLUMNS.map((name) => averageCell(row[name]))],
    ...(row.paper ? [["  the paper", ...COLUMNS.map((name) => cell(row.paper![name]))]] : []),
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

function rowLabel(row: { method: string; preset: string; moves?: number }): string {
  const moves = row.moves === undefined ? "" : `, ${count(row.moves, "move")} per model`;
  return `${row.method}, ${row.preset} settings${moves}`;
}

function cell(value: number): string {
  return value === 0 ? "0" : value < 1e-2 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

function averageCell({ mean, se }: Average): string {
  return `${cell(mean)} (${se === undefined ? "–" : cell(se)})`;
}
