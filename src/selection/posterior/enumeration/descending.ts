/** Bits of a number that its place takes: what is left tells apart what differs by a part in 2³¹. */
const PLACE_BITS = 21;
const PLACES = 2 ** PLACE_BITS - 1;

/**
 * The places of positive numbers, the largest first, equal ones in their order. Numbers are sorted without anybody being
 * asked about two of them, each with its place where its last digits were; what lay closer than that is put right.
 */
export function descendingOrder(values: Float64Array): Uint32Array {
  const count = values.length;
  if (count > PLACES) return Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
  const keys = values.slice();
  const low = new Uint32Array(keys.buffer);
  // Of two words the lower one comes first, as on any machine that runs WASM.
  for (let i = 0; i < count; i++) low[2 * i] = ((low[2 * i] & ~PLACES) | (PLACES - i)) >>> 0;
  keys.sort();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const place = PLACES - (low[2 * (count - 1 - i)] & PLACES);
    let at = i;
    for (; at > 0 && values[order[at - 1]] < values[place]; at--) order[at] = order[at - 1];
    order[at] = place;
  }
  return order;
}
