/**
 * xoshiro128++ 1.0 (Blackman and Vigna 2019): 128 bits of state, 32-bit operations only, so it is fast in
 * JavaScript. Seeded and split by SplitMix64 (Steele, Lea and Flood 2014), as its authors recommend.
 *
 * A generator carries a key. `split(i)` depends on the key and on i alone, never on how many numbers were
 * drawn, so the stream of chain 3 is the same whoever runs it and whenever.
 */
export class Rng {
  private s0: number;
  private s1: number;
  private s2: number;
  private s3: number;

  private constructor(
    private readonly key: bigint,
    state: readonly [number, number, number, number],
  ) {
    [this.s0, this.s1, this.s2, this.s3] = [state[0] | 0, state[1] | 0, state[2] | 0, state[3] | 0];
  }

  static seeded(seed: number | bigint): Rng {
    return Rng.keyed(BigInt.asUintN(64, BigInt(seed)));
  }

  private static keyed(key: bigint): Rng {
    const next = splitMix64(key);
    const a = next();
    const b = next();
    return new Rng(key, [low(a), high(a), low(b), high(b)]);
  }

  /** An independent stream, a function of this generator's key and `index` alone. */
  split(index: number): Rng {
    // The offset keeps children of (key, i) away from the outputs that seed the parent's own state.
    const next = splitMix64(this.key ^ 0x6a09e667f3bcc909n);
    const salt = next();
    return Rng.keyed(mix64(BigInt.asUintN(64, salt + (BigInt(index) + 1n) * GOLDEN)));
  }

  /** 32 uniform bits as an unsigned integer. */
  uint32(): number {
    const { s0, s3 } = this;
    const sum = (s0 + s3) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + s0) >>> 0;
    const t = this.s1 << 9;
    this.s2 ^= s0;
    this.s3 ^= this.s1;
    this.s1 ^= this.s2;
    this.s0 ^= this.s3;
    this.s2 ^= t;
    this.s3 = (this.s3 << 11) | (this.s3 >>> 21);
    return result;
  }

  /** Uniform on [0, 1) with 53 bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 67108864 + (this.uint32() >>> 6)) * 2 ** -53;
  }

  /** Uniform on (0, 1) with 52 bits, so that the half is exact and 1 never comes up: safe under any logarithm. */
  uniformOpen(): number {
    return ((this.uint32() >>> 6) * 67108864 + (this.uint32() >>> 6) + 0.5) * 2 ** -52;
  }

  /**
   * Uniform on {0, …, bound − 1} without bias, for bound up to 2³²: the high word of x·bound, redrawn when the
   * low word falls in the short first interval (Lemire 2019). Halves of x keep the product exact in doubles.
   */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 4294967296) {
      throw new RangeError(`below(${bound}): expected a whole number from 1 to 2^32`);
    }
    let x = this.uint32();
    let low = Math.imul(x, bound) >>> 0;
    if (low < bound) {
      const short = (-bound >>> 0) % bound;
      while (low < short) {
        x = this.uint32();
        low = Math.imul(x, bound) >>> 0;
      }
    }
    return Math.floor(((x >>> 16) * bound + Math.floor(((x & 65535) * bound) / 65536)) / 65536);
  }

  /** The state, for checkpoints. */
  save(): RngState {
    return { key: this.key.toString(), state: [this.s0, this.s1, this.s2, this.s3] };
  }

  static restore(saved: RngState): Rng {
    return new Rng(BigInt(saved.key), saved.state);
  }
}

export interface RngState {
  readonly key: string;
  readonly state: readonly [number, number, number, number];
}

const GOLDEN = 0x9e3779b97f4a7c15n;
const low = (x: bigint): number => Number(BigInt.asUintN(32, x)) | 0;
const high = (x: bigint): number => Number(BigInt.asUintN(32, x >> 32n)) | 0;

function mix64(z: bigint): bigint {
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** Exported for its published test vectors. */
export function splitMix64(seed: bigint): () => bigint {
  let x = seed;
  return () => {
    x = BigInt.asUintN(64, x + GOLDEN);
    return mix64(x);
  };
}
