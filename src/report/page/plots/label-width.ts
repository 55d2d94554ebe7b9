/**
 * How many pixels a label takes at most. Nobody knows the reader's font, so widths are those of DejaVu Sans, the widest
 * of the usual ones: labels that have room there have room everywhere.
 */

import { displayWidth } from "../../text/display-width.js";
import { graphemesOf } from "../../text/graphemes.js";
import { FONT } from "./canvas.js";

/** Shares of the size of the font. */
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/^[ijl.,:;'|! ]$/, 0.34],
  [/^[frt()[\]{}"/\\-]$/, 0.46],
  [/^[mwMW@%…—]$/, 1],
  [/^[A-Z=<>+~&#]$/, 0.84],
];
const USUAL = 0.64;
const CELL = 0.66;
/** Semi-bold letters are wider by this factor. */
const BOLD = 1.12;

export function labelWidth(text: string, bold = false): number {
  let width = 0;
  for (const segment of graphemesOf(text)) {
    const known = CLASSES.find(([kind]) => kind.test(segment))?.[1];
    const cells = displayWidth(segment);
    width += known ?? (segment <= "\u007f" ? USUAL : CELL * Math.max(1, cells) * (cells > 1 ? 1.1 : 1.25));
  }
  return FONT * width * (bold ? BOLD : 1);
}
