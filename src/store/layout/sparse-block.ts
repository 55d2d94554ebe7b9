/**
 * The sparse columns of one block: doubly compressed (Buluç and Gilbert 2008), so that a block costs its entries and
 * not its columns. All of it is 32-bit words:
 *
 *     k, n, then the k columns that have entries (rising), k + 1 starts, n rows within the block, n values (float32)
 */

/** The entries of a column in a block: `count` row numbers (uint32) and values (float32) in the kernels' memory. */
export interface Entries {
  rows: number;
  values: number;
  count: number;
}

/** Sparse columns that follow each other in a store, as a block has them; all but numbers are pointers. */
export interface EntryStretch {
  /** How many columns, and the number of the first among the sparse ones. */
  columns: number;
  first: number;
  /** How many of them have entries in the block, their numbers among the sparse ones, and where their entries start. */
  count: number;
  ids: number;
  starts: number;
  /** Of the whole block. */
  rows: number;
  values: number;
}

/** Entries of a block in any order, `count` of them. */
export interface Triplets {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  readonly count: number;
}

/** Lays entries out as a block. `tally` is scratch of at least `columns` zeros, and is zeros again afterwards. */
export function sparseBlock({ rows, columns, values, count }: Triplets, tally: Uint32Array): Uint32Array {
  const present: number[] = [];
  for (let i = 0; i < count; i++) if (tally[columns[i]]++ === 0) present.push(columns[i]);
  const ids = Uint32Array.from(present).sort();
  const k = ids.length;
  const words = new Uint32Array(2 + k + k + 1 + 2 * count);
  words[0] = k;
  words[1] = count;
  words.set(ids, 2);
  const starts = words.subarray(2 + k, 3 + 2 * k);
  let at = 0;
  for (let c = 0; c < k; c++) {
    starts[c] = at;
    const size = tally[ids[c]];
    tally[ids[c]] = at;
    at += size;
  }
  starts[k] = at;
  const outRows = words.subarray(3 + 2 * k, 3 + 2 * k + count);
  const outValues = new Float32Array(words.buffer, 4 * (3 + 2 * k + count), count);
  for (let i = 0; i < count; i++) {
    const to = tally[columns[i]]++;
    outRows[to] = rows[i];
    outValues[to] = values[i];
  }
  for (const id of ids) tally[id] = 0;
  return words;
}

/** Finds the entries of sparse columns in blocks that lie in a memory. What it returns is good until the next call. */
export interface EntryFinder {
  (pointer: number, column: number): Entries;
  /** Another block has come to lie where one was. */
  forget(): void;
}

export function entryFinder(memory: WebAssembly.Memory): EntryFinder {
  const words = new Uint32Array(memory.buffer);
  const found: Entries = { rows: 0, values: 0, count: 0 };
  let lastPointer = 0;
  let last = 0;
  const find = (pointer: number, column: number): Entries => {
    const base = pointer / 4;
    const k = words[base];
    const ids = base + 2;
    // Passes over all columns ask for them in order: the next one is where the last one was, or right behind.
    let low = pointer === lastPointer ? last : k;
    if (low < k && words[ids + low] < column) low += 1;
    if (low >= k || words[ids + low] < column || (low > 0 && words[ids + low - 1] >= column)) {
      low = firstNotBelow(words, ids, k, column);
    }
    lastPointer = pointer;
    last = low;
    if (low === k || words[ids + low] !== column) {
      found.count = 0;
      found.rows = pointer;
      found.values = pointer;
      return found;
    }
    const starts = ids + k;
    const from = words[starts + low];
    const rows = starts + k + 1;
    found.count = words[starts + low + 1] - from;
    found.rows = 4 * (rows + from);
    found.values = 4 * (rows + words[base + 1] + from);
    return found;
  };
  const forget = () => {
    lastPointer = 0;
  };
  return Object.assign(find, { forget });
}

/** Where the first column is dense. */
export const NO_ENTRIES: EntryStretch = {
  columns: 0,
  first: 0,
  count: 0,
  ids: 0,
  starts: 0,
  rows: 0,
  values: 0,
};

/** Finds those of so many sparse columns, from number `first` on, in a block. */
export function entryStretch(
  words: Uint32Array,
  pointer: number,
  { first, columns }: Pick<EntryStretch, "first" | "columns">,
): EntryStretch {
  const base = pointer / 4;
  const k = words[base];
  const ids = base + 2;
  const [from, to] = [first, first + columns].map((id) => firstNotBelow(words, ids, k, id));
  const rows = ids + k + k + 1;
  return {
    columns,
    first,
    count: to - from,
    ids: 4 * (ids + from),
    starts: 4 * (ids + k + from),
    rows: 4 * rows,
    values: 4 * (rows + words[base + 1]),
  };
}

/** The place of the first of k rising numbers that is not below an id. */
function firstNotBelow(words: Uint32Array, ids: number, k: number, id: number): number {
  let [low, high] = [0, k];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[ids + middle] < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As `denseRuns`, of sparse columns; passes ask for the same ones in block after block. */
export function sparseRuns(slots: Int32Array): (first: number, last: number) => number {
  let [begin, end, known] = [-1, -1, 0];
  return (first, last) => {
    if (slots[first] >= 0) return 0;
    if (first === begin && last === end) return known;
    let j = first + 1;
    while (j < last && slots[j] === slots[j - 1] - 1) j += 1;
    [begin, end, known] = [first, last, j - first];
    return known;
  };
}

/** How many columns from `first` on, before `last`, have consecutive runs; `slots` as in `SparsePart`. */
export function denseRuns(slots: Int32Array, first: number, last: number): number {
  if (slots[first] < 0) return 0;
  let j = first + 1;
  while (j < last && slots[j] === slots[j - 1] + 1) j += 1;
  return j - first;
}
