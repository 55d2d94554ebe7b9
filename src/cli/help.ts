/** What `--help` prints. */

import { helpText as optionText, valueText } from "../options/described.js";
import { OPTION_GROUPS } from "../options/groups.js";
import type { Option } from "../options/option.js";
import { outputs } from "../options/outputs.js";
import { wrapped } from "../report/text/lines.js";
import { dashed } from "../wording.js";
import type { Command } from "./command.js";

const WIDTH = 100;
/** Beyond this the words of an option start on a line of their own. */
const MOST_LEFT = 34;

/** What stands for an argument, where that is not plain. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "DATA...":
    "a CSV, TSV, Excel, JSON, Parquet, Arrow or LIBSVM file, also packed (.gz, .zst, …); several of them, a pattern (part-*.csv) or a folder of parts; - for standard input; or a store that sparrow import made; sparrow fit asks a table in ClickHouse, too (clickhouse://user@host:8123/database/table)",
  "[DATA...]":
    "data that this command reads for the page, as sparrow fit does; without, files are opened in the page",
  RUN: "a folder that sparrow fit or sparrow mixed wrote with --out",
};

export function helpText(command: Command): string {
  const shown: Readonly<Record<string, Option>> = { ...command.options, help: outputs.help };
  const told = command.positionals.filter((name) => Object.hasOwn(ARGUMENTS, name));
  const rows = grouped(Object.keys(shown)).map(({ title, names }) => ({
    title,
    rows: names.map((name) => {
      const value = valueText(shown[name]);
      return [
        `--${dashed(name)}${value && ` ${value}`}`,
        optionText(asHere(command, name, shown[name]), command.here?.[name]),
      ] as const;
    }),
  }));
  const lefts = rows.flatMap((group) => group.rows.map(([left]) => left.length));
  const width = Math.min(MOST_LEFT, Math.max(...lefts));
  return [
    command.summary,
    ...(command.details ? ["", ...wrapped(command.details, WIDTH)] : []),
    "",
    `Usage: sparrow ${[command.name, ...command.positionals].join(" ")} [options]`,
    ...(told.length > 0 ? ["", ...told.map((name) => line(name, ARGUMENTS[name], width))] : []),
    ...rows.flatMap((group) => [
      "",
      ...(rows.length > 1 ? [`${group.title}:`] : []),
      ...group.rows.map(([left, words]) => line(left, words, width)),
    ]),
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** An option with what holds for a command unless told. */
export function asHere({ unlessTold }: Command, name: string, option: Option): Option {
  const usually = unlessTold?.[name];
  return usually === undefined ? option : { ...option, usually };
}

function line(left: string, words: string, width: number): string {
  const indent = " ".repeat(width + 4);
  const text = wrapped(words, WIDTH - indent.length).join(`\n${indent}`);
  return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
}

/** Names in the order of the groups; few of them make one group. */
function grouped(names: readonly string[]): { title: string; names: string[] }[] {
  const placed = new Set(OPTION_GROUPS.flatMap((group) => group.names));
  const groups = OPTION_GROUPS.map(({ title, names: members }, i) => ({
    title,
    names: [
      ...members.filter((name) => names.includes(name)),
      ...(i === 0 ? names.filter((name) => !placed.has(name)) : []),
    ],
  })).filter((group) => group.names.length > 0);
  return names.length > FEW ? groups : [{ title: "Options", names: groups.flatMap((group) => group.names) }];
}

const FEW = 12;

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
