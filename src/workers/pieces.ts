/**
 * How a pass over the data is cut into jobs: always the same way, so that no sum depends on how many threads there
 * are, and finely enough to keep them busy.
 */

const PIECES = 16;

/** [first, last) of each of at most so many pieces of a range. */
function cut(length: number, most = PIECES): { first: number; last: number }[] {
  const pieces = Math.min(length, PIECES, most);
  return Array.from({ length: pieces }, (_, i) => ({
    first: Math.floor((i * length) / pieces),
    last: Math.floor(((i + 1) * length) / pieces),
  }));
}

/** Pieces hold at least so many columns where a piece has a price of its own. */
export const columnPieces = (length: number, least = 1): { first: number; last: number }[] =>
  cut(length, Math.ceil(length / least));

/** Multiplications below which a job costs less than the message that asks for it. */
export const WORTH_A_MESSAGE = 2e6;

/** `work` is that of the whole pass, where it may be too little to be shared out; `most` where a piece has a price of its own. */
export function blockPieces(
  { blocks }: { readonly blocks: number },
  work = Number.POSITIVE_INFINITY,
  most = PIECES,
): { firstBlock: number; lastBlock: number }[] {
  const worth = Math.max(1, Math.ceil(Math.min(most, work / WORTH_A_MESSAGE)));
  return cut(blocks, worth).map(({ first, last }) => ({ firstBlock: first, lastBlock: last }));
}
