/** How many cells of a terminal a text takes: emoji and East Asian characters take two, marks that combine none. */

import { graphemesOf, isPlain } from "./graphemes.js";

const PICTURE = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Regional_Indicator}/u;
/** Hangul, CJK, kana and full-width forms (Unicode Standard Annex 11). */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const UNSEEN = /^[\p{Mark}\u200B-\u200F\u2060\uFEFF]+$/u;

function cells(grapheme: string): number {
  if (UNSEEN.test(grapheme)) return 0;
  return PICTURE.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const segment of graphemesOf(text)) width += cells(segment);
  return width;
}

/** At most `width` cells; what is cut off leaves an ellipsis. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const segment of graphemesOf(text)) {
    used += cells(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * Each of at most `width` cells, and no two alike that were not: those that would be lose their middle instead of their
 * end, and those that are alike at both ends get numbers.
 */
export function shortenedApart(texts: readonly string[], width: number): string[] {
  const ends = apart(
    texts,
    (text) => shortened(text, width),
    (text) => withoutMiddle(text, width),
  );
  const numbers = new Map<string, Map<string, number>>();
  return texts.map((text, i) => {
    const alike = numbers.get(ends[i]) ?? new Map<string, number>();
    numbers.set(ends[i], alike);
    if (!alike.has(text)) alike.set(text, alike.size + 1);
    const number = alike.get(text)!;
    return number === 1 ? ends[i] : `${shortened(text, width - 1 - String(number).length)}·${number}`;
  });
}

/** The first way of cutting, and the second for texts that the first makes alike. */
function apart(
  texts: readonly string[],
  first: (text: string) => string,
  second: (text: string) => string,
): string[] {
  const cut = texts.map(first);
  const sources = new Map<string, Set<string>>();
  for (const [i, short] of cut.entries()) {
    sources.set(short, (sources.get(short) ?? new Set()).add(texts[i]));
  }
  return cut.map((short, i) => (sources.get(short)!.size > 1 ? second(texts[i]) : short));
}

/** The end tells more than the beginning where many begin alike. */
function withoutMiddle(text: string, width: number): string {
  const all = graphemesOf(text);
  const tail: string[] = [];
  let used = 1;
  const room = Math.ceil((2 * width) / 3);
  for (let i = all.length - 1; i >= 0 && used + cells(all[i]) <= room; i--) {
    used += cells(all[i]);
    tail.unshift(all[i]);
  }
  let head = "";
  for (const segment of all) {
    if (used + cells(segment) > width) break;
    used += cells(segment);
    head += segment;
  }
  return `${head}…${tail.join("")}`;
}
