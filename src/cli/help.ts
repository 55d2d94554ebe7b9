/** What `--help` prints. */

import { helpText as optionText, valueText } from "../options/described.js";
import type { Option } from "../options/option.js";
import { outputs } from "../options/outputs.js";
import { wrapped } from "../report/text/lines.js";
import { dashed } from "../wording.js";
import type { Command } from "./command.js";

const WIDTH = 100;
/** Beyond this the words of an option start on a line of their own. */
const MOST_LEFT = 34;

export function helpText(command: Command): string {
  const shown: Readonly<Record<string, Option>> = { ...command.options, help: outputs.help };
  const rows = Object.entries(shown).map(([name, option]) => {
    const value = valueText(option);
    return [`--${dashed(name)}${value && ` ${value}`}`, optionText(option, command.here?.[name])] as const;
  });
  const width = Math.min(MOST_LEFT, Math.max(...rows.map(([left]) => left.length)));
  const indent = " ".repeat(width + 4);
  const lines = rows.map(([left, words]) => {
    const text = wrapped(words, WIDTH - indent.length).join(`\n${indent}`);
    return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
  return [
    command.summary,
    ...(command.details ? ["", ...wrapped(command.details, WIDTH)] : []),
    "",
    `Usage: sparrow ${[command.name, ...command.positionals].join(" ")} [options]`,
    "",
    ...lines,
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Sparrow: Bayesian variable selection on data too large for ordinary MCMC.",
    "",
    "Usage: sparrow COMMAND [arguments]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "sparrow COMMAND --help, or sparrow help COMMAND, shows the options of a command, with examples.",
    "sparrow --version shows the version.",
    "",
  ].join("\n");
}
