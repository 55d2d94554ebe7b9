import { threadProgram } from "../../files/program.js";
import { entries } from "../../options/option.js";
import { outputs } from "../../options/outputs.js";
import { options } from "../../options/table.js";
import type { Command } from "../command.js";

const table = { ...entries(outputs, ["port", "noOpen"]), ...entries(options, ["memory", "engine"]) };

export const studioCommand: Command<typeof table> = {
  name: "studio",
  summary: "Open the page: look at data, fit them and read the answer in the browser.",
  details:
    "The page is served on this machine alone, under an address that nobody can guess, until Ctrl-C. Files that are opened in it are read in the browser; DATA, if there are any, by this command and its threads.",
  positionals: ["[DATA...]"],
  options: table,
  examples: ["sparrow studio examples/crime.csv", "sparrow studio", "sparrow studio --no-open"],
  async run(args, effects) {
    const { threads } = await import("../../node/threads.js");
    const { answeringFor } = await import("../studio/machine.js");
    const { filesOf, serveStudio } = await import("../studio/server.js");
    const { noOpen = false, port = 0, ...given } = args.options;
    const data = args.data();
    const named = args.positionals.length > 0;
    const name = args.positionals.map((path) => path.split(/[\\/]/).pop()).join(", ");
    const folder = new URL(".", threadProgram("studio/index.html", import.meta.url));
    const served = await serveStudio({
      file: filesOf(folder, named ? { name, threads: threads.threads } : undefined),
      ...(named && { answering: answeringFor(data, given, effects.signal) }),
      port,
    });
    effects.err(`Sparrow is at ${served.address} (Ctrl-C ends it)\n`);
    if (!noOpen) effects.open(served.address);
    await new Promise<void>((resolve) => {
      if (effects.signal.aborted) resolve();
      effects.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await served.close();
  },
};
