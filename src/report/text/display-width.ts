/** How many cells of a terminal a text takes: emoji and East Asian characters take two, marks that combine none. */

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
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
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += cells(segment);
  return width;
}

/** At most `width` cells; what is cut off leaves an ellipsis. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += cells(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
