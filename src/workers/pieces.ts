/**
 * How a pass over the data is cut into jobs: always the same way, so that no sum depends on how many threads there
 * are, and finely enough to keep them busy.
 */

const PIECES = 16;

/** [first, last) of each piece of a range; pieces that hold at least so many where a piece has a price of its own. */
function cut(length: number, least = 1): { first: number; last: number }[] {
  const pieces = Math.min(Math.ceil(length / least), PIECES);
  return Array.from({ length: pieces }, (_, i) => ({
    first: Math.floor((i * length) / pieces),
    last: Math.floor(((i + 1) * length) / pieces),
  }));
}

export const columnPieces = cut;

export function blockPieces({ blocks }: { readonly blocks: number }): {
  firstBlock: number;
  lastBlock: number;
}[] {
  return cut(blocks).map(({ first, last }) => ({ firstBlock: first, lastBlock: last }));
}
