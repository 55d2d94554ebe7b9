/** What Snappy has packed, as its description of the format says: pieces as they are, and copies of what came before. */

/** Unpacks `packed` into `out`, which it must fill; fails where the bytes make no sense. */
export function unpackSnappy(packed: Uint8Array, out: Uint8Array): void {
  let [length, shift, at] = [0, 0, 0];
  for (let byte = 128; byte >= 128; shift += 7) {
    byte = packed[at++];
    if (byte === undefined || shift > 28) throw new RangeError("The length is not whole.");
    length += (byte & 127) * 2 ** shift;
  }
  if (length !== out.length) throw new RangeError("The bytes have another length.");
  let to = 0;
  const little = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++) value += packed[at++] * 2 ** (8 * i);
    return value;
  };
  while (at < packed.length) {
    const tag = packed[at++];
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const size = 1 + (short < 60 ? short : little(short - 59));
      if (!(size <= packed.length - at) || size > length - to) throw new RangeError("A piece is too long.");
      out.set(packed.subarray(at, at + size), to);
      at += size;
      to += size;
      continue;
    }
    const size = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const back = kind === 1 ? ((tag >> 5) << 8) | packed[at++] : little(kind === 2 ? 2 : 4);
    if (!(back > 0 && back <= to) || size > length - to) throw new RangeError("A copy is of nothing.");
    if (back >= size) out.copyWithin(to, to - back, to - back + size);
    else for (let i = 0; i < size; i++) out[to + i] = out[to + i - back];
    to += size;
  }
  if (to !== length) throw new RangeError("The bytes end too early.");
}
