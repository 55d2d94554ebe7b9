import { SparrowError } from "../errors.js";
import { plain } from "../report/text/screen.js";
import { closest } from "../tables/named/closest.js";
import type { Command } from "./command.js";
import { clustersCommand } from "./commands/clusters.js";
import { compareCommand } from "./commands/compare.js";
import { completionCommand } from "./commands/completion.js";
import { describeCommand } from "./commands/describe.js";
import { fitCommand } from "./commands/fit.js";
import { importCommand } from "./commands/import.js";
import { mixedCommand } from "./commands/mixed.js";
import { predictCommand } from "./commands/predict.js";
import { reportCommand } from "./commands/report.js";
import { reproduceCommand } from "./commands/reproduce/reproduce.js";
import { resumeCommand } from "./commands/resume.js";
import { simulateCommand } from "./commands/simulate.js";
import { statesCommand } from "./commands/states.js";
import { studioCommand } from "./commands/studio.js";
import { verifyCommand } from "./commands/verify.js";
import type { Effects } from "./effects.js";
import { failureOf } from "./failure.js";
import { helpText, overview } from "./help.js";
import { parseCommand } from "./parse.js";
import { terminalText } from "./terminal.js";
import { version } from "./version.js";
import { askForPassword } from "./world/password.js";
import { HELP, type ReadyText, VERSION } from "./world/ready-text.js";
import { spareMemory } from "./world/sparing.js";

export const commands: readonly Command[] = [
  fitCommand,
  describeCommand,
  importCommand,
  predictCommand,
  reportCommand,
  verifyCommand,
  compareCommand,
  mixedCommand,
  clustersCommand,
  statesCommand,
  studioCommand,
  simulateCommand,
  reproduceCommand,
  resumeCommand([
    fitCommand,
    importCommand,
    compareCommand,
    mixedCommand,
    clustersCommand,
    statesCommand,
    reproduceCommand,
  ]),
  completionCommand(() => commands),
];

/** What the build writes down, so that it can be told before the program is loaded. */
export function readyTexts(): ReadyText {
  const texts = commands.map((command) => [command.name, helpText(command)] as const);
  return { version: `${version()}\n`, overview: overview(commands), commands: Object.fromEntries(texts) };
}

/**
 * Runs one command line and returns the exit status: 0 done, 1 the data or the run failed, 2 wrong usage; 128 more than
 * the number of a signal that stopped it before there was a result.
 */
export async function runCli(argv: readonly string[], world: Effects): Promise<number> {
  const effects = shownSafely(world);
  try {
    const [name, ...rest] = argv;
    if (name === undefined) {
      effects.out(overview(commands));
      return 2;
    }
    if (name === "help" || HELP.includes(name)) effects.out(helpOn(rest[0]));
    else if (VERSION.includes(name)) effects.out(`${version()}\n`);
    else if (rest.some((word) => HELP.includes(word))) effects.out(helpOn(name));
    else {
      const command = commandNamed(name);
      const parsed = parseCommand(command, rest);
      await askForPassword(rest, effects);
      spareMemory(parsed.options, effects);
      await command.run(parsed, effects);
    }
    return 0;
  } catch (error) {
    return report(error, effects);
  }
}

function helpOn(name: string | undefined): string {
  return name === undefined || HELP.includes(name) ? overview(commands) : helpText(commandNamed(name));
}

function commandNamed(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const names = [...commands.map((each) => each.name), "help"];
  const near = closest(name, [...names, "--help", "--version"]);
  const hint = near === undefined ? `the commands are ${names.join(", ")}.` : `did you mean ${near}?`;
  throw new SparrowError(`There is no command "${name}"; ${hint}`, "option");
}

function report(error: unknown, effects: Effects): number {
  const { message, status } = failureOf(error);
  effects.err(message);
  if (process.env.DEBUG && error instanceof Error) effects.err(`${error.stack}\n`);
  return error instanceof SparrowError && error.code === "stopped"
    ? (effects.stopStatus?.() ?? status)
    : status;
}

/** Nothing that a terminal obeys gets through, whoever says it. */
function shownSafely(effects: Effects): Effects {
  return {
    ...effects,
    get width() {
      return effects.width;
    },
    out: (text) => effects.out(terminalText(text, effects.screen.ink !== plain)),
    err: (text) => effects.err(terminalText(text)),
  };
}
