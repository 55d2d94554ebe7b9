/** What is said of columns of text that became variables. */

import type { CellReading } from "../cells/cell-reading.js";
import { namesText } from "./remarks.js";

export interface TextNote {
  readonly name: string;
  readonly values: number;
  readonly baseline: string;
  /** What the rare values are called, where they are one. */
  readonly other?: string | undefined;
}

/** More than these share a sentence. */
const FEW = 4;

export function textNotes(texts: readonly TextNote[]): string[] {
  const cut = texts
    .filter(({ other }) => other !== undefined)
    .map(
      ({ name, values, other }) =>
        `"${name}" has too many values: the ${values - 1} most frequent are kept, the others are called "${other}".`,
    );
  if (texts.length > FEW) {
    const names = namesText(texts.map(({ name }) => name));
    return [
      `${names} are text: each of their values is compared with the most frequent one; sparrow describe lists them.`,
      ...cut,
    ];
  }
  const each = texts.map(
    ({ name, values, baseline }) =>
      `"${name}" is text with ${values} values: compared with "${baseline}", the most frequent.`,
  );
  return [...each, ...cut];
}

export function otherOf(reading: CellReading | undefined): string | undefined {
  return reading?.as === "text" ? reading.other : undefined;
}
