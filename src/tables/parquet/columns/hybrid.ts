/** Small whole numbers as Parquet packs them: runs of one number, and groups of eight with so many bits each. */

/** Wider numbers would not fit into what they are put together in. */
const WIDEST = 24;

/** Reads `count` numbers of `width` bits into `out`; fails where the bytes end too early. */
export function readHybrid(
  bytes: Uint8Array,
  width: number,
  count: number,
  out: Uint8Array | Uint32Array,
): void {
  if (width > WIDEST) throw new RangeError("The numbers are too wide.");
  let [at, done] = [0, 0];
  while (done < count) {
    let [head, place] = [0, 1];
    for (let byte = 128; byte >= 128; place *= 128) {
      byte = bytes[at++];
      if (byte === undefined || place > 2 ** 35) throw new RangeError("The bytes end too early.");
      head += (byte & 127) * place;
    }
    const isRun = head % 2 === 0;
    const length = Math.min(count - done, isRun ? head / 2 : 4 * (head - 1));
    if (length === 0) throw new RangeError("A run is empty.");
    if (isRun) {
      let value = 0;
      for (let i = 0; 8 * i < width; i++) value |= bytes[at++] << (8 * i);
      if (at > bytes.length) throw new RangeError("The bytes end too early.");
      out.fill(value, done, done + length);
    } else {
      const size = ((head - 1) / 2) * width;
      // The last group of a page may be cut short.
      if (bytes.length - at < Math.ceil((length * width) / 8))
        throw new RangeError("The bytes end too early.");
      unpack(bytes, at, width, out, done, length);
      at += size;
    }
    done += length;
  }
}

function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  out: Uint8Array | Uint32Array,
  first: number,
  count: number,
): void {
  const mask = 2 ** width - 1;
  let [at, held, bits] = [from, 0, 0];
  for (let i = first; i < first + count; i++) {
    while (bits < width) {
      held |= bytes[at++] << bits;
      bits += 8;
    }
    out[i] = held & mask;
    held >>>= width;
    bits -= width;
  }
}
