/**
 * XXH64 with seed 0 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md), which zstd files carry. Stripes of 32 bytes are
 * worked on as pairs of 32-bit words: with BigInt they would take some fifty times as long. The end is short.
 */

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const MASK = (1n << 64n) - 1n;
const STRIPE = 32;

const low = (value: bigint): number => Number(BigInt.asIntN(32, value));
const high = (value: bigint): number => Number(BigInt.asIntN(32, value >> 32n));
const [P1L, P1H, P2L, P2H] = [low(P1), high(P1), low(P2), high(P2)];

/** The upper half of a product of two unsigned words. */
function upper(a: number, b: number): number {
  const [a0, a1, b0, b1] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return (a1 * b1 + Math.floor(middle / 65536) + ((a0 * b1 + (middle & 0xffff)) >>> 16)) | 0;
}

export class Xxh64 {
  /** Low and high word of each of four lanes. */
  private readonly lanes = Int32Array.from(
    [P1 + P2, P2, 0n, -P1].flatMap((value) => [low(value & MASK), high(value & MASK)]),
  );
  private readonly rest = new Uint8Array(STRIPE);
  private waiting = 0;
  private length = 0n;

  update(bytes: Uint8Array): void {
    this.length += BigInt(bytes.length);
    let at = 0;
    if (this.waiting > 0) {
      at = Math.min(STRIPE - this.waiting, bytes.length);
      this.rest.set(bytes.subarray(0, at), this.waiting);
      this.waiting += at;
      if (this.waiting < STRIPE) return;
      this.stripe(this.rest, 0);
      this.waiting = 0;
    }
    for (; at + STRIPE <= bytes.length; at += STRIPE) this.stripe(bytes, at);
    this.rest.set(bytes.subarray(at));
    this.waiting = bytes.length - at;
  }

  private stripe(bytes: Uint8Array, from: number): void {
    const { lanes } = this;
    for (let lane = 0; lane < 8; lane += 2) {
      const at = from + 4 * lane;
      const l = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
      const h = bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16) | (bytes[at + 7] << 24);
      // acc = rotate(acc + input · P2, 31) · P1
      const sumLow = (lanes[lane] >>> 0) + (Math.imul(l, P2L) >>> 0);
      const sl = sumLow | 0;
      const carry = sumLow > 0xffffffff ? 1 : 0;
      const sh = (lanes[lane + 1] + upper(l, P2L) + Math.imul(l, P2H) + Math.imul(h, P2L) + carry) | 0;
      const rl = (sl << 31) | (sh >>> 1);
      const rh = (sh << 31) | (sl >>> 1);
      lanes[lane] = Math.imul(rl, P1L);
      lanes[lane + 1] = (upper(rl, P1L) + Math.imul(rl, P1H) + Math.imul(rh, P1L)) | 0;
    }
  }

  digest(): bigint {
    const lanes = Array.from({ length: 4 }, (_, i) => word(this.lanes[2 * i], this.lanes[2 * i + 1]));
    let hash = P5;
    if (this.length >= BigInt(STRIPE)) {
      hash = lanes.reduce((sum, lane, i) => sum + rotated(lane, [1, 7, 12, 18][i]), 0n) & MASK;
      for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & MASK;
    }
    hash = (hash + this.length) & MASK;
    const view = new DataView(this.rest.buffer, 0, this.waiting);
    let at = 0;
    for (; at + 8 <= this.waiting; at += 8) {
      hash = (rotated(hash ^ round(0n, view.getBigUint64(at, true)), 27) * P1 + P4) & MASK;
    }
    if (at + 4 <= this.waiting) {
      hash = (rotated(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23) * P2 + P3) & MASK;
      at += 4;
    }
    for (; at < this.waiting; at++) {
      hash = (rotated(hash ^ ((BigInt(view.getUint8(at)) * P5) & MASK), 11) * P1) & MASK;
    }
    hash = ((hash ^ (hash >> 33n)) * P2) & MASK;
    hash = ((hash ^ (hash >> 29n)) * P3) & MASK;
    return hash ^ (hash >> 32n);
  }
}

const word = (l: number, h: number): bigint => (BigInt(h >>> 0) << 32n) | BigInt(l >>> 0);

function rotated(value: bigint, by: number): bigint {
  return ((value << BigInt(by)) | (value >> BigInt(64 - by))) & MASK;
}

function round(lane: bigint, input: bigint): bigint {
  return (rotated((lane + input * P2) & MASK, 31) * P1) & MASK;
}
