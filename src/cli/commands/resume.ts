import { existsSync, lstatSync } from "node:fs";
import { SparrowError } from "../../errors.js";
import type { OptionTable } from "../../options/option.js";
import { Arguments, type Command } from "../command.js";
import { isPartial } from "../run-folder.js";
import { readAsked, unfinishedFolder } from "../unfinished.js";
import { spareMemory } from "../world/sparing.js";

/** `commands` are those that can be resumed. */
export function resumeCommand(commands: readonly Command[]): Command {
  return {
    name: "resume",
    summary: "Go on with a run that was stopped, killed or found the disk full.",
    details:
      "RUN is what was given as --out. Runs of fit, mixed, compare, clusters, states and reproduce that take longer than ten seconds keep what they have come to in RUN.unfinished, at most every ten seconds; so does import while it writes a large store, and reads the data again. What is resumed ends with the same bytes as a run that was never stopped.",
    positionals: ["RUN"],
    options: {},
    examples: ["sparrow resume run1"],
    async run(args, effects) {
      const [run] = args.positionals;
      const asked = readAsked(run);
      if (asked === undefined) {
        effects.err(`${run} is finished: there is nothing to resume\n`);
        return;
      }
      const { command: name, positionals, options } = asked;
      const out = String(options.out);
      // It was killed when all was written, and before it had tidied up.
      if (existsSync(out) && !(lstatSync(out).isDirectory() && isPartial(out))) {
        effects.err(
          `${run} is there already: there is nothing to resume, and ${unfinishedFolder(run)} may be removed\n`,
        );
        return;
      }
      const command = commands.find((each) => each.name === name);
      if (!command) throw new SparrowError(`There is no command "${name}" to resume.`, "format");
      const table: OptionTable = command.options;
      spareMemory(options, effects);
      await command.run(new Arguments(positionals, options, table), effects, true);
    },
  };
}
