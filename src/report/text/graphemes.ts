/** What readers take for one character each, however many units it is made of. */

const PLAIN = /^[\x20-\x7e]*$/;
/** Takes a hundredth of a second to make, and most texts never need it. */
let segmenter: Intl.Segmenter | undefined;

export function graphemesOf(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
