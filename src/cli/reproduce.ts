import { SparrowError } from "../errors.js";
import { peerRows, STUDY_PEERS } from "../experiments/peer-study.js";
import type { SimulationKind } from "../experiments/simulated.js";
import { studyRow, type TableRow } from "../experiments/simulation-study.js";
import type { Command } from "./command.js";

export const reproduceCommand: Command = {
  name: "reproduce",
  summary: "Repeat an experiment of Song et al. (2020) and print the paper's figures beside ours.",
  positionals: ["TABLE"],
  options: {
    datasets: { kind: "integer", value: "k", help: "simulated data sets (10, as in the paper)" },
    methods: {
      kind: "list",
      value: "NAME,...",
      help: "rows of the table: esgld (all); rjmh, sam, blasso (table1)",
    },
    moves: {
      kind: "list",
      value: "k,...",
      help: "moves per model of the paper's settings, a row of the table for each (1,5; table-s1: 1,10)",
    },
    presets: { kind: "list", value: "NAME,...", help: "rows of the table: paper, auto (both)" },
    rows: { kind: "integer", value: "N", help: "rows of each data set (50000, as in the paper)" },
    columns: { kind: "integer", value: "p", help: "predictors (2000, as in the paper)" },
    json: { kind: "flag", help: "print one JSON object instead of the table" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow reproduce table1 --methods esgld,rjmh,sam,blasso",
    "sparrow reproduce table1 --moves 1 --json",
    "sparrow reproduce table-s1 --presets auto",
  ],
  async run(args, effects) {
    const experiment = args.positionals[0];
    const study = STUDIES[experiment];
    if (!study) {
      const known = Object.keys(STUDIES).join(", ");
      throw new SparrowError(`sparrow reproduce knows ${known}, not "${experiment}".`, "usage");
    }
    const known: readonly string[] = ["esgld", ...(study.kind === "linear" ? STUDY_PEERS : [])];
    const methods = args.list("methods") ?? known;
    for (const method of methods) {
      if (known.includes(method)) continue;
      throw new SparrowError(
        `--methods of ${experiment} knows ${known.join(", ")}, not "${method}".`,
        "usage",
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
      } else throw new SparrowError(`--presets knows paper and auto, not "${preset}".`, "usage");
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
    const report = { experiment, datasets, rows };
    effects.out(args.flag("json") ? `${JSON.stringify(report, null, 2)}\n` : tableText(rows, datasets));
  },
};

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
    ...(row.paper ? [["  the paper", ...COLUMNS.map((name) => cell(row.paper![name]))]] : []),
  ]);
  const lines = [HEADS, ...body];
  const widths = HEADS.map((_, c) => Math.max(...lines.map((line) => line[c].length)));
  const text = lines.map((line) =>
    line
      .map((value, c) => value.padEnd(widths[c]))
      .join("  ")
      .trimEnd(),
  );
  return `${text.join("\n")}\n\nMeans over ${datasets} data sets (standard errors in brackets). CPU is that of all stages after reading.\n`;
}
