/** How a command of a document is run in a test, or why it is not. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "./blocks.js";

/** What takes minutes at the paper's size is run as it stands with these words added, the last of which count. */
const SMALLER: readonly (readonly [RegExp, string])[] = [
  [/^reproduce table1$/, "--rows 400 --columns 10 --datasets 1 --presets auto"],
  [/^reproduce (table1|table-s1)\b/, "--rows 400 --columns 10 --datasets 1"],
  [/^reproduce table-s2\b/, "--datasets 1 --presets auto"],
  [/^reproduce figure-s1\b/, "--users 60 --iterations 100 --sweeps 20"],
  [/^(clusters|states) data\.csv\b/, "--iterations 300"],
  [/^simulate linear\b/, "--rows 500 --columns 20"],
  [/^simulate ratings\b/, "--users 60"],
];

export interface Smaller {
  readonly line: string;
  readonly added: readonly string[];
}

export function smaller(line: string): Smaller {
  const words = SMALLER.find(([pattern]) => pattern.test(line))?.[1];
  return { line, added: words?.split(" ") ?? [] };
}

const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts;

/** Commands that are not sparrow's: each names something that exists, and has a reason not to be run here. */
export function notRunHere(words: readonly string[]): string | undefined {
  const [program, ...rest] = words;
  const named = rest.find((word) => existsSync(join(root, word)));
  if (program === "npm" && rest.join(" ") === "install") return "the tests run in what it has installed";
  if (program === "npm" && rest.join(" ") === "test") return "it runs this very test";
  if (program === "npm" && rest[0] === "run" && scripts[rest[1]]) return "a script beside the tests";
  if (program === "bash" && named) return "it runs this very test";
  if (named?.startsWith("bench/")) return "measurements are never part of the tests";
  return undefined;
}

/** The words after `sparrow` or `npx sparrow`. */
export function sparrowWords(words: readonly string[]): readonly string[] | undefined {
  const from = words[0] === "npx" ? 1 : 0;
  return words[from] === "sparrow" ? words.slice(from + 1) : undefined;
}

export const startScript = (): readonly string[] => scripts.start.split(" ").slice(1);
