import { SparrowError } from "../../../errors.js";
import type { Command } from "../../command.js";
import { type ReproduceArguments, reproduceOptions } from "./options.js";

export const reproduceCommand: Command<typeof reproduceOptions> = {
  name: "reproduce",
  summary: "Repeat an experiment of Song et al. (2020) and print the paper's figures beside ours.",
  details:
    "EXPERIMENT is table1 (linear), table-s1 (logistic), poisson, table-s2 (the epsilon data), figure-s1 or figure-s2 (MovieLens), theorem1 or theorem2 (how far chains are from an exact posterior).",
  positionals: ["EXPERIMENT"],
  options: reproduceOptions,
  here: {
    rows: " of each data set: 50000 unless told, as in the paper (table-s2: 40000 of the stand-in)",
    columns: " of each data set: 2000 unless told, as in the paper",
    users: ", for the figures",
    seed: "; for the figures",
    out: ": a folder for the table (text) or figure (SVG) and its numbers (JSON)",
  },
  examples: [
    "sparrow reproduce table1 --methods esgld,rjmh,sam,blasso",
    "sparrow reproduce table1 --moves 1 --json",
    "sparrow reproduce table-s1 --presets auto",
    "sparrow reproduce table-s2 --train epsilon_normalized.bz2 --test epsilon_normalized.t.bz2",
    "sparrow reproduce figure-s1 --users 7000 --out figure-s1",
    "sparrow reproduce theorem1 --out theorem1",
  ],
  async run(args, effects, resumed = false) {
    const [experiment] = args.positionals;
    const reproduction = { experiment, asked: args.options, effects, resumed };
    if (experiment === "figure-s1" || experiment === "figure-s2") {
      args.refuse([...OF_TABLES, ...OF_EPSILON], experiment);
      const { reproduceFigure } = await import("./figure.js");
      return reproduceFigure(reproduction);
    }
    if (experiment === "theorem1" || experiment === "theorem2") {
      args.refuse([...OF_TABLES, ...OF_EPSILON, ...OF_MOVIELENS], experiment);
      const { reproduceTheorem } = await import("./theorem.js");
      return reproduceTheorem(experiment, reproduction);
    }
    args.refuse(OF_FIGURES, experiment);
    if (experiment === "table-s2") {
      if (args.options.train !== undefined) args.refuse(["rows", "columns"], "files that are there already");
      const { reproduceEpsilon } = await import("./table-s2.js");
      return reproduceEpsilon(reproduction);
    }
    args.refuse(OF_EPSILON, experiment);
    const { reproduceStudy, STUDIES } = await import("./studies.js");
    const study = STUDIES[experiment];
    if (!study) {
      const known = [
        ...Object.keys(STUDIES),
        "table-s2",
        "figure-s1",
        "figure-s2",
        "theorem1",
        "theorem2",
      ].join(", ");
      throw new SparrowError(`sparrow reproduce knows ${known}, not "${experiment}".`, "option");
    }
    return reproduceStudy(study, reproduction);
  },
};

type Names = Parameters<ReproduceArguments["refuse"]>[0];

/** Options that belong to some experiments alone. */
const OF_TABLES: Names = ["datasets", "methods", "moves", "presets", "rows", "columns"];
const OF_EPSILON: Names = ["train", "test"];
const OF_MOVIELENS: Names = ["data", "users", "sweeps"];
const OF_FIGURES: Names = [...OF_MOVIELENS, "iterations", "seed"];
