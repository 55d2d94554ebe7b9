/** Rows put together by the sequence that they belong to, in the order in which sequences and rows come. */

export interface BySequence {
  /** Where each sequence begins; ends with the number of rows. */
  readonly starts: readonly number[];
  /** The row that comes at each place; absent where they lie together as they are. */
  readonly order?: Uint32Array;
}

export function bySequence(keys: Float64Array): BySequence {
  const codes = new Map<number, number>();
  const lengths: number[] = [];
  let runs = 0;
  for (let i = 0; i < keys.length; i++) {
    if (i === 0 || keys[i] !== keys[i - 1]) runs++;
    let code = codes.get(keys[i]);
    if (code === undefined) {
      code = lengths.push(0) - 1;
      codes.set(keys[i], code);
    }
    lengths[code] += 1;
  }
  const starts = [0];
  for (const length of lengths) starts.push(starts[starts.length - 1] + length);
  if (runs === lengths.length) return { starts };
  const next = starts.slice();
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[next[codes.get(keys[i]) as number]++] = i;
  return { starts, order };
}

/** `width` numbers a row, in the order. */
export function ordered(values: Float64Array, order: Uint32Array, width: number): Float64Array {
  const out = new Float64Array(values.length);
  order.forEach((row, place) => {
    for (let j = 0; j < width; j++) out[place * width + j] = values[row * width + j];
  });
  return out;
}

/** Back to where the rows were. */
export function unordered<T extends Float64Array | Uint16Array>(
  values: T,
  order: Uint32Array | undefined,
  width: number,
): T {
  if (!order) return values;
  const out = values.slice() as T;
  order.forEach((row, place) => {
    for (let j = 0; j < width; j++) out[row * width + j] = values[place * width + j];
  });
  return out;
}
