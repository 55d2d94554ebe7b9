/**
 * The name that was probably meant: the nearest by edits (a letter added, left out, replaced, or two neighbours
 * swapped), whatever the case. Two edits at most, fewer where the word is short.
 */

/** More names than this are not looked at: a table may have hundreds of thousands of columns. */
const MOST_NAMES = 5000;
const MOST_EDITS = 2;

export function closest(word: string, names: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const most = Math.min(MOST_EDITS, Math.floor(wanted.length / 2));
  const ranked = names
    .slice(0, MOST_NAMES)
    .map((name) => ({ name, distance: edits(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1;
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next[k] = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      if (swapped) next[k] = Math.min(next[k], before[k - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
