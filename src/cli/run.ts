import { SparrowError } from "../errors.js";
import { type Command, helpText, parseCommand } from "./command.js";
import { compareCommand } from "./commands/compare.js";
import { fitCommand } from "./commands/fit.js";
import { importCommand } from "./commands/import.js";
import { mixedCommand } from "./commands/mixed.js";
import { predictCommand } from "./commands/predict.js";
import { reportCommand } from "./commands/report.js";
import { reproduceCommand } from "./commands/reproduce.js";
import { simulateCommand } from "./commands/simulate.js";
import type { Effects } from "./effects.js";
import { version } from "./version.js";

export const commands: readonly Command[] = [
  fitCommand,
  importCommand,
  predictCommand,
  reportCommand,
  compareCommand,
  mixedCommand,
  simulateCommand,
  reproduceCommand,
];

/** Runs one command line and returns the exit status: 0 done, 1 the data or the run failed, 2 wrong usage. */
export async function runCli(argv: readonly string[], effects: Effects): Promise<number> {
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      effects.out(overview());
      return name === undefined ? 2 : 0;
    }
    if (name === "--version") {
      effects.out(`${version()}\n`);
      return 0;
    }
    const command = commands.find((candidate) => candidate.name === name);
    if (!command) {
      throw new SparrowError(
        `There is no command "${name}"; the commands are ${commands.map((c) => c.name).join(", ")}.`,
        "option",
      );
    }
    if (rest.includes("--help") || rest.includes("-h")) {
      effects.out(helpText(command));
      return 0;
    }
    await command.run(parseCommand(command, rest), effects);
    return 0;
  } catch (error) {
    return report(error, effects);
  }
}

function report(error: unknown, effects: Effects): number {
  if (error instanceof SparrowError) {
    effects.err(`sparrow: ${error.commandLine}\n`);
  } else {
    const message = error instanceof Error ? error.message.split("\n")[0] : String(error);
    effects.err(`sparrow: something unexpected went wrong: ${message} (set DEBUG=1 for the details).\n`);
  }
  if (process.env.DEBUG && error instanceof Error) effects.err(`${error.stack}\n`);
  return error instanceof SparrowError && error.code === "option" ? 2 : 1;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Sparrow: Bayesian variable selection on data too large for ordinary MCMC.",
    "",
    "Usage: sparrow COMMAND [arguments]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "sparrow COMMAND --help shows the options of a command, with examples.",
    "",
  ].join("\n");
}
