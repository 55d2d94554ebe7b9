/** Version and help, which the build has written down: nobody waits for the program to say what it could do. */

import { readFileSync } from "node:fs";

export interface ReadyText {
  readonly version: string;
  readonly overview: string;
  /** By the name of the command. */
  readonly commands: Readonly<Record<string, string>>;
}

export const HELP = ["--help", "-h"];
export const VERSION = ["--version", "-v"];

/** What these words ask for, where that is all that they ask for and it was written down beside the program. */
export function readyText(words: readonly string[], program: string): string | undefined {
  const [first, second] = words;
  const isHelp = (word: string) => HELP.includes(word);
  if (
    words.length === 0 ||
    words.length > 2 ||
    !words.some((word) => isHelp(word) || VERSION.includes(word))
  ) {
    return undefined;
  }
  const ready = written(program);
  if (!ready) return undefined;
  if (second === undefined) return isHelp(first) ? ready.overview : ready.version;
  const asked = isHelp(second) ? first : isHelp(first) ? second : undefined;
  return asked !== undefined && Object.hasOwn(ready.commands, asked) ? ready.commands[asked] : undefined;
}

function written(program: string): ReadyText | undefined {
  try {
    return JSON.parse(readFileSync(new URL("ready-text.json", program), "utf8"));
  } catch {
    // The program itself knows, too.
    return undefined;
  }
}
