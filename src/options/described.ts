/** An option in words: for `--help`, for the page of options, and for the comments that editors show. */

import type { Option } from "./option.js";

/** What holds unless told; nothing where an option simply may be left out. */
export function usualText({ usual, usually }: Option): string | undefined {
  return usually ?? (usual === undefined ? undefined : String(usual));
}

/** What stands after the name of the option. */
export function valueText({ kind, symbol = "" }: Option): string {
  return kind.choices?.join("|") ?? symbol;
}

/** A line of help; `here` goes on about what an option is for one command. */
export function helpText(option: Option, here = ""): string {
  const told = usualText(option);
  return `${option.words}${here}${told === undefined ? "" : ` [${told}]`}`;
}

export function commentText(option: Option): string {
  const told = usualText(option);
  const sentence = `${option.words.charAt(0).toUpperCase()}${option.words.slice(1)}.`;
  return told === undefined ? sentence : `${sentence} Unless told: ${told}.`;
}
