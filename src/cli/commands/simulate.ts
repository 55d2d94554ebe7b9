import { SparrowError } from "../../errors.js";
import { simulatedTable } from "../../experiments/simulated.js";
import { writeTable } from "../../tables/write.js";
import type { Arguments, Command } from "../command.js";
import { checkNewTable } from "../outputs.js";
import { progressBar } from "../progress.js";
import { writeRatings } from "./simulate-ratings.js";

export const simulateCommand: Command = {
  name: "simulate",
  summary: "Write data simulated as in the paper, to try things on.",
  details:
    "KIND is linear, logistic or poisson: eight effects among predictors with mutual correlation 0.5. Or it is ratings: films and users in the form of MovieLens, for sparrow mixed.",
  positionals: ["KIND"],
  options: {
    rows: { kind: "integer", value: "N", help: "number of rows" },
    columns: { kind: "integer", value: "p", help: "number of predictors" },
    users: { kind: "integer", value: "N", help: "ratings: number of users (71567, as in MovieLens 10M)" },
    seed: { kind: "integer", value: "s", help: "seed of the random numbers" },
    out: { kind: "text", value: "FILE", help: "a .csv or .parquet file to write; for ratings, a folder" },
    quiet: { kind: "flag", help: "no progress" },
  },
  examples: [
    "sparrow simulate linear --rows 50000 --columns 2000 --seed 1 --out linear.parquet",
    "sparrow simulate logistic --rows 1000 --columns 50 --out classes.csv",
    "sparrow simulate ratings --users 7000 --out ratings",
  ],
  async run(args, effects) {
    const kind = args.positionals[0];
    if (kind === "ratings") {
      args.refuse(["rows", "columns"], "ratings");
      return writeRatings(args, effects);
    }
    if (kind !== "linear" && kind !== "logistic" && kind !== "poisson") {
      throw new SparrowError(
        `sparrow simulate knows linear, logistic, poisson and ratings, not "${kind}".`,
        "option",
      );
    }
    args.refuse(["users"], kind);
    const [rows, columns] = [size(args, "rows"), size(args, "columns")];
    const seed = args.seed() ?? 1;
    const out = args.required("out");
    checkNewTable(out);
    const bar = progressBar(effects, args.flag("quiet"));
    await writeTable(simulatedTable({ kind, rows, columns, seed }), out, {
      signal: effects.signal,
      onProgress: (done) => bar.show({ stage: "write", done, total: rows }),
    }).finally(() => bar.done());
    if (!args.flag("quiet")) effects.err(`Written ${rows} rows and ${columns + 1} columns to ${out}\n`);
  },
};

function size(args: Arguments, name: string): number {
  args.required(name);
  return args.count(name)!;
}
