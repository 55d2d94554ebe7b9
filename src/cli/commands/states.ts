import { stateOptions } from "../../options/clustering.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import type { Command } from "../command.js";

const table = { ...stateOptions, ...entries(outputs, ["out", "json", "quiet"]) };

export const statesCommand: Command<typeof table> = {
  name: "states",
  summary: "Which hidden states the rows went through in their order: a hidden Markov model.",
  positionals: ["DATA..."],
  options: table,
  here: { out: ": a folder for the run, with draws and the state of every row" },
  examples: [
    "sparrow states data.csv --columns x1,y --states 1..2",
    "sparrow states sleep.csv --sequence subject --columns reaction --states 2 --out states1",
  ],
  async run(args, effects, resumed = false) {
    // Most commands never need it, and all of them would wait for it.
    const { grouping, stateData } = await import("../grouping.js");
    const { out: _out, json: _json, quiet: _quiet, ...given } = args.options;
    const asked = { command: "states", positionals: args.positionals, options: args.options };
    await grouping(effects, asked, resumed, (how, spelling, journal) =>
      stateData(args.data(), { ...given, ...how }, spelling, journal),
    );
  },
};
