/**
 * Texts of cells, each decoded once as long as it comes again: categories and dates repeat. A table of places, each of
 * which remembers the last cell whose bytes led there; what is not there is decoded.
 */

const PLACES = 1 << 12;
/** Longer cells hardly repeat. */
const LONGEST = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class KnownWords {
  private readonly words = new Array<string>(PLACES).fill("");
  private readonly lengths = new Uint8Array(PLACES);
  private readonly bytes = new Uint8Array(PLACES * LONGEST);

  /** Fails where the bytes are not UTF-8. */
  text(from: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length > LONGEST) return utf8.decode(from.subarray(start, end));
    let hash = length;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ from[at], 0x01000193);
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    if (this.isAt(place, from, start, length)) return this.words[place];
    const word = utf8.decode(from.subarray(start, end));
    this.words[place] = word;
    this.lengths[place] = length;
    this.bytes.set(from.subarray(start, end), place * LONGEST);
    return word;
  }

  private isAt(place: number, from: Uint8Array, start: number, length: number): boolean {
    if (this.lengths[place] !== length) return false;
    const known = place * LONGEST;
    for (let i = 0; i < length; i++) if (this.bytes[known + i] !== from[start + i]) return false;
    return true;
  }
}
