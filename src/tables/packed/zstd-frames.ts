/** How a zstd file is put together (RFC 8878, section 3.1): frames, each a chain of blocks that say how long they are. */

export const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

export const isSkippable = (magic: number): boolean => (magic & 0xfffffff0) >>> 0 === SKIPPABLE;

/** What the byte behind the magic number tells: how long the header is, and whether a checksum comes last. */
export function frameHeader(descriptor: number): { readonly length: number; readonly checksum: boolean } {
  const single = (descriptor >> 5) & 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3];
  const content = [single, 2, 4, 8][descriptor >> 6];
  return { length: 5 + (1 - single) + dictionary + content, checksum: ((descriptor >> 2) & 1) === 1 };
}

/** What the three bytes before a block tell. */
export function blockHeader(header: number): { readonly last: boolean; readonly length: number } {
  const isRun = ((header >> 1) & 3) === 1;
  return { last: (header & 1) === 1, length: isRun ? 1 : header >> 3 };
}
