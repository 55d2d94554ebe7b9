/**
 * Whole numbers beyond 2⁵³ in JSON. To parse them is to round them, so that 9007199254740993 and 9007199254740992 would
 * name the same group; so they become texts with a mark before they are parsed, and whoever wants numbers rounds them.
 */

/** No character, so that no text begins with it. */
const MARK = "\uffff";
const MARK_CODE = 0xffff;

/** Sixteen digits and more where a value may stand; those of fractions, which most files have, follow a point. */
const FAR = /[:,[\s](-?[1-9]\d{15,})(?=\s*[,\]}])/g;

/** The same text with far integers between quotes. */
export function withFarIntegers(text: string): string {
  FAR.lastIndex = 0;
  let found = FAR.exec(text);
  if (!found) return text;
  const pieces: string[] = [];
  let copied = 0;
  // Outside of texts up to here; the next one begins at `quote`.
  let quote = nextQuote(text, 0);
  for (; found; found = FAR.exec(text)) {
    const [before, digits] = found;
    const start = found.index + before.length - digits.length;
    let end = 0;
    while (quote < start) {
      end = endOfText(text, quote);
      quote = nextQuote(text, end);
    }
    if (end > start) {
      FAR.lastIndex = end;
      continue;
    }
    if (Number.isSafeInteger(Number(digits))) continue;
    pieces.push(text.slice(copied, start), `"${MARK}${digits}"`);
    copied = start + digits.length;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Behind the quote that ends the text which begins at this one. */
function endOfText(text: string, quote: number): number {
  for (let end = nextQuote(text, quote + 1); end < text.length; end = nextQuote(text, end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

export const isFarInteger = (value: unknown): value is string =>
  typeof value === "string" && value.charCodeAt(0) === MARK_CODE;

/** As it was written. */
export const asWritten = (value: unknown): string => (isFarInteger(value) ? value.slice(1) : String(value));
