/** What is shown in a terminal. Names and messages come from data, and a terminal obeys some characters. */

/** Moves to the start of the line and clears it: ours, and only at the start of what is shown. */
export const CLEAR_LINE = "\r\x1b[2K";

/** Control characters but tabs and ends of lines, and those that change the direction in which letters run. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Spelt as JSON spells them, so that a JSON text still says the same. */
const spelt = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The inks of our own texts (report/text/screen.ts), which neither move nor hide anything. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these may get through
const INK = /(\x1b\[(?:1|2|22|32|33|39)m)/;

/** `inked` where the text is ours and in colours. */
export function terminalText(text: string, inked = false): string {
  if (text.startsWith(CLEAR_LINE)) return CLEAR_LINE + terminalText(text.slice(CLEAR_LINE.length));
  if (!inked) return text.replace(OBEYED, spelt);
  return text
    .split(INK)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(OBEYED, spelt)))
    .join("");
}
