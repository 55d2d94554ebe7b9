/** What readers take for one character each, however many units it is made of. */

/** Letters of Western Europe, dashes, and the blocks of bars: one character each, and one cell of a terminal. */
const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2212\u2580-\u259f]*$/;
/** Takes a hundredth of a second to make, and most texts never need it. */
let segmenter: Intl.Segmenter | undefined;

export const isPlain = (text: string): boolean => PLAIN.test(text);

export function graphemesOf(text: string): string[] {
  if (isPlain(text)) return text.split("");
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
