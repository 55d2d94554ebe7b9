/** Scripts by which a shell completes commands, options and their values; all from the tables of the commands. */

import { dashed } from "../wording.js";
import type { Command } from "./command.js";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  readonly name: string;
  readonly about: string;
  /** What may stand after it: some words, anything (a file among others), or nothing. */
  readonly value: readonly string[] | "any" | "none";
}

interface Words {
  readonly name: string;
  readonly about: string;
  readonly options: readonly Word[];
}

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return SCRIPTS[shell](commands.map(wordsOf));
}

function wordsOf({ name, summary, options }: Command): Words {
  const own = Object.entries(options).map(([key, { kind, words }]): Word => {
    const value = kind.flag ? "none" : (kind.choices ?? "any");
    return { name: `--${dashed(key)}`, about: words, value };
  });
  return { name, about: summary, options: [...own, HELP] };
}

const HELP: Word = { name: "--help", about: "show the help", value: "none" };

const SCRIPTS: Record<Shell, (commands: readonly Words[]) => string> = { bash, zsh, fish };

function bash(commands: readonly Words[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ value }) => value !== "none" && value !== "any")
      .map((option) => `    "${name} ${option.name}") words="${(option.value as string[]).join(" ")}" ;;`),
  );
  const options = commands.map(
    ({ name, options: own }) => `    ${name}) words="${own.map((option) => option.name).join(" ")}" ;;`,
  );
  return `# sparrow completion bash >> ~/.bashrc
_sparrow() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), "help"].join(" ")}" -- "$current"))
    return
  fi
  if [ "$command" = help ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case "$command $previous" in
${values.join("\n")}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$current" in
  -*)
    case "$command" in
${options.join("\n")}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    ;;
  esac
}
complete -o default -F _sparrow sparrow
`;
}

function zsh(commands: readonly Words[]): string {
  const described = commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`);
  const cases = commands.map(({ name, options }) => {
    const specs = options.map(({ name: option, about, value }) => {
      const label = about.replaceAll(/[[\]\\:]/g, (sign) => `\\${sign}`);
      const what = value === "none" ? "" : value === "any" ? ":value:_files" : `:value:(${value.join(" ")})`;
      return `        ${quoted(`${option}[${label}]${what}`)}`;
    });
    return `    ${name})\n      _arguments \\\n${specs.join(" \\\n")} \\\n        '*:file:_files'\n      ;;`;
  });
  return `#compdef sparrow
# sparrow completion zsh > "\${fpath[1]}/_sparrow"
_sparrow() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _sparrow ]; then _sparrow "$@"; else compdef _sparrow sparrow; fi
`;
}

function fish(commands: readonly Words[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const first = commands.map(
    ({ name, about }) =>
      `complete -c sparrow -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d ${quoted(about)}`,
  );
  const options = commands.flatMap(({ name, options: own }) =>
    own.map((option) => {
      const what =
        option.value === "none"
          ? ""
          : option.value === "any"
            ? " -r"
            : ` -x -a ${quoted(option.value.join(" "))}`;
      return `complete -c sparrow -n "__fish_seen_subcommand_from ${name}" -l ${option.name.slice(2)}${what} -d ${quoted(option.about)}`;
    }),
  );
  return `# sparrow completion fish > ~/.config/fish/completions/sparrow.fish\n${[...first, ...options].join("\n")}\n`;
}

/** Within single quotes, as bash, zsh and fish read them: a quote inside ends them and begins them again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
