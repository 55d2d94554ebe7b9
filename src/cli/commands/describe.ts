import { describeOptions } from "../../options/describe.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { spokenDescription } from "../../report/spoken.js";
import { asFlag } from "../../wording.js";
import type { Command } from "../command.js";
import { progressBar } from "../progress.js";

const table = { ...describeOptions, ...entries(outputs, ["json", "quiet"]) };

export const describeCommand: Command<typeof table> = {
  name: "describe",
  summary: "What each column of a table holds and will become, before anything is fitted.",
  positionals: ["DATA..."],
  options: table,
  examples: [
    "sparrow describe examples/crime.csv",
    "sparrow describe claims.csv --target fraud",
    "sparrow describe data.csv --na -999 --json",
  ],
  async run(args, effects) {
    const { describeData } = await import("../../node/describe-data.js");
    const { descriptionText } = await import("../../report/text/description.js");
    const { json = false, quiet = false, ...given } = args.options;
    const bar = progressBar(effects, quiet);
    const asked = { ...given, signal: effects.signal, onProgress: bar.show };
    const found = await describeData(args.data(), asked).finally(bar.done);
    const description = spokenDescription(found, asFlag);
    effects.out(json ? `${JSON.stringify(description, null, 2)}\n` : descriptionText(description));
  },
};
