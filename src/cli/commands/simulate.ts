import { SparrowError } from "../../errors.js";
import { SIMULATIONS, type SimulationKind } from "../../experiments/simulated.js";
import { experiments } from "../../options/experiments.js";
import { entries, usual } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import { grouped } from "../../wording.js";
import type { Command } from "../command.js";
import { writingTableTo } from "../outputs.js";
import { progressBar } from "../progress.js";

const table = {
  ...entries(experiments, ["rows", "columns", "users"]),
  ...entries(options, ["memory", "threads", "seed"]),
  ...entries(outputs, ["out", "quiet"]),
};

export const simulateCommand: Command<typeof table> = {
  name: "simulate",
  summary: "Write data simulated as in the paper, to try things on.",
  details:
    "KIND is linear, logistic or poisson: eight effects among predictors with mutual correlation 0.5. Or it is ratings: films and users in the form of MovieLens, for sparrow mixed.",
  positionals: ["KIND"],
  options: table,
  here: {
    users: ", for ratings",
    memory: " (here, for what waits to be written)",
    out: ": a .csv or .parquet file, or a store, which ends in .sparrow; for ratings, a folder",
  },
  unlessTold: { memory: "256MB" },
  examples: [
    "sparrow simulate linear --rows 50000 --columns 2000 --seed 1 --out linear.parquet",
    "sparrow simulate linear --rows 1000000 --columns 500 --out linear.sparrow",
    "sparrow simulate logistic --rows 1000 --columns 50 --out classes.csv",
    "sparrow simulate ratings --users 7000 --out ratings",
  ],
  async run(args, effects) {
    const kind = args.positionals[0];
    if (kind === "ratings") {
      args.refuse(["rows", "columns", "threads", "memory"], "ratings");
      const { writeRatings } = await import("./simulate-ratings.js");
      return writeRatings({ ...args.options, out: args.required("out") }, effects);
    }
    if (!isSimulated(kind)) {
      const known = Object.keys(SIMULATIONS).join(", ");
      throw new SparrowError(`sparrow simulate knows ${known} and ratings, not "${kind}".`, "option");
    }
    args.refuse(["users"], kind);
    const { writeSimulated } = await import("../../experiments/simulate/write-simulated.js");
    const { crew } = await import("../../node/threads.js");
    const [rows, columns] = [args.required("rows"), args.required("columns")];
    const out = args.required("out");
    const { seed = usual(options.seed), quiet = false, threads, memory } = args.options;
    await writingTableTo(
      out,
      async (claimed) => {
        const bar = progressBar(effects, quiet);
        const onProgress = (done: number) => bar.show({ stage: "write", done, total: rows });
        onProgress(0);
        await writeSimulated({ kind, rows, columns, seed }, claimed!, crew, {
          threads,
          memory,
          signal: effects.signal,
          onProgress,
        }).finally(bar.done);
      },
      [".sparrow"],
    );
    if (!quiet) effects.err(`Written ${grouped(rows)} rows and ${grouped(columns + 1)} columns to ${out}\n`);
  },
};

const isSimulated = (kind: string): kind is SimulationKind => Object.hasOwn(SIMULATIONS, kind);
