import { clusterOptions } from "../../options/clustering.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import type { Command } from "../command.js";

const table = { ...clusterOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const clustersCommand: Command<typeof table> = {
  name: "clusters",
  summary: "Which rows belong together: a Gaussian mixture, and how many clusters there are.",
  positionals: ["DATA..."],
  options: table,
  here: { out: ": a folder for the run, with draws and the cluster of every row" },
  examples: [
    "sparrow clusters data.csv --components 2",
    "sparrow clusters data.csv --columns x1,x2,y --components 1..3 --covariance tied --out clusters1",
  ],
  async run(args, effects, resumed = false) {
    // Most commands never need it, and all of them would wait for it.
    const { grouping, clusterData } = await import("../grouping.js");
    const { out: _out, json: _json, quiet: _quiet, ...given } = args.options;
    const asked = { command: "clusters", positionals: args.positionals, options: args.options };
    await grouping(effects, asked, resumed, (how, spelling, journal) =>
      clusterData(args.data(), { ...given, ...how }, spelling, journal),
    );
  },
};
