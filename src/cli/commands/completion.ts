import { SparrowError } from "../../errors.js";
import { closest } from "../../tables/named/closest.js";
import type { Command } from "../command.js";
import { completionScript, SHELLS } from "../completion.js";

/** `all` are the commands that are completed, this one among them. */
export function completionCommand(all: () => readonly Command[]): Command<Record<never, never>> {
  return {
    name: "completion",
    summary: "Print a script by which bash, zsh or fish completes commands, options and values.",
    positionals: ["SHELL"],
    options: {},
    examples: [
      "sparrow completion bash >> ~/.bashrc",
      "sparrow completion fish > ~/.config/fish/completions/sparrow.fish",
    ],
    async run({ positionals: [asked] }, effects) {
      const shell = SHELLS.find((name) => name === asked);
      if (shell === undefined) {
        const near = closest(asked, [...SHELLS]);
        const hint = near === undefined ? `it knows ${SHELLS.join(", ")}.` : `did you mean ${near}?`;
        throw new SparrowError(`sparrow completion has no script for "${asked}"; ${hint}`, "option");
      }
      effects.out(completionScript(shell, all()));
    },
  };
}
