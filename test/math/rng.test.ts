import { describe, expect, it, vi } from "vitest";
import { Rng, splitMix64 } from "../../src/math/rng.js";
import { chiSquareP, kolmogorovP, meanZ } from "../goodness.js";

// Every p-value below is required to exceed 1e-4 and every |z| to stay below 4: with fixed seeds the tests are
// deterministic; for a fresh seed each assertion would raise a false alarm about once in 10,000 runs.
const ALPHA = 1e-4;
const Z = 4;

const take = (n: number, f: () => number): Float64Array => Float64Array.from({ length: n }, f);

/** xoshiro128++ on 64-bit integers, written from its definition and independently of the class. */
function* xoshiro(state: bigint[]): Generator<number> {
  const word = (x: bigint): bigint => BigInt.asUintN(32, x);
  const rotate = (x: bigint, k: bigint): bigint => word((x << k) | (x >> (32n - k)));
  const s = [...state];
  for (;;) {
    yield Number(word(rotate(word(s[0] + s[3]), 7n) + s[0]));
    const t = word(s[1] << 9n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11n);
  }
}

describe("the generator", () => {
  it("gives the published outputs of xoshiro128++ from state 1, 2, 3, 4", () => {
    const rng = Rng.restore({ key: "0", state: [1, 2, 3, 4] });
    expect(Array.from({ length: 10 }, () => rng.uint32())).toEqual([
      641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011,
      621204420,
    ]);
  });

  it("agrees with an independent implementation for 10,000 words from a state with high bits set", () => {
    const state = [0xdeadbeef, 0xffffffff, 0x80000000, 0x01234567] as const;
    const rng = Rng.restore({ key: "0", state });
    const other = xoshiro(state.map(BigInt));
    for (let i = 0; i < 10_000; i++) expect(rng.uint32()).toBe(other.next().value);
  });

  it("gives the published outputs of SplitMix64 from seed 1234567", () => {
    const next = splitMix64(1234567n);
    expect(Array.from({ length: 5 }, next)).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });

  it("is seeded by two outputs of SplitMix64, low word first", () => {
    const next = splitMix64(42n);
    const words = [next(), next()].flatMap((x) => [x & 0xffffffffn, x >> 32n]);
    const rng = Rng.seeded(42);
    const other = xoshiro(words);
    for (let i = 0; i < 10; i++) expect(rng.uint32()).toBe(other.next().value);
  });

  it("continues after save and restore through JSON exactly where it was, splits included", () => {
    const rng = Rng.seeded(7).split(3);
    for (let i = 0; i < 5; i++) rng.uint32();
    const copy = Rng.restore(JSON.parse(JSON.stringify(rng.save())));
    for (let i = 0; i < 5; i++) expect(copy.uint32()).toBe(rng.uint32());
    expect(copy.split(1).uint32()).toBe(rng.split(1).uint32());
  });
});

describe("split", () => {
  it("depends on the seed, the path and nothing else", () => {
    const a = Rng.seeded(5);
    const before = a.split(2).uint32();
    for (let i = 0; i < 100; i++) a.uint32();
    a.split(1).uint32();
    expect(a.split(2).uint32()).toBe(before);
    expect(Rng.seeded(5).split(2).uint32()).toBe(before);
  });

  it("leaves the parent's own stream alone", () => {
    const a = Rng.seeded(5);
    const b = Rng.seeded(5);
    a.split(0);
    expect(a.uint32()).toBe(b.uint32());
  });

  it("gives different streams to siblings, cousins, parents and neighbouring seeds", () => {
    const heads = new Set<string>();
    let count = 0;
    const note = (rng: Rng): void => {
      heads.add(`${rng.uint32()} ${rng.uint32()}`);
      count += 1;
    };
    for (let seed = 0; seed < 20; seed++) {
      note(Rng.seeded(seed));
      for (let i = 0; i < 20; i++) {
        note(Rng.seeded(seed).split(i));
        for (let j = 0; j < 20; j++) note(Rng.seeded(seed).split(i).split(j));
      }
    }
    expect(heads.size).toBe(count);
  });

  it("gives streams whose first and hundredth numbers are uniform and uncorrelated across siblings", () => {
    const root = Rng.seeded(11);
    const streams = Array.from({ length: 5000 }, (_, i) => root.split(i));
    const first = Float64Array.from(streams, (s) => s.uniform());
    for (const s of streams) for (let i = 0; i < 98; i++) s.uniform();
    const hundredth = Float64Array.from(streams, (s) => s.uniform());
    const neighbours = first.slice(1).map((u, i) => (u - 0.5) * (first[i] - 0.5));
    const within = first.map((u, i) => (u - 0.5) * (hundredth[i] - 0.5));
    expect(Math.abs(meanZ(neighbours, 0))).toBeLessThan(Z);
    expect(Math.abs(meanZ(within, 0))).toBeLessThan(Z);
    expect(kolmogorovP(first, (x) => x)).toBeGreaterThan(ALPHA);
    expect(kolmogorovP(hundredth, (x) => x)).toBeGreaterThan(ALPHA);
  });
});

describe("uniform and uniformOpen", () => {
  it.each(["uniform", "uniformOpen"] as const)(
    "%s has the uniform's distribution, moments and no lag",
    (name) => {
      const rng = Rng.seeded(2024);
      const u = take(200_000, () => rng[name]());
      for (let k = 1; k <= 4; k++) {
        const power = u.map((x) => x ** k);
        expect(Math.abs(meanZ(power, 1 / (k + 1)))).toBeLessThan(Z);
      }
      for (const lag of [1, 2, 7]) {
        const product = u.slice(lag).map((x, i) => (x - 0.5) * (u[i] - 0.5));
        expect(Math.abs(meanZ(product, 0))).toBeLessThan(Z);
      }
      expect(kolmogorovP(u, (x) => x)).toBeGreaterThan(ALPHA);
    },
  );

  it("fills the low bits: the fraction of 2²⁰·u is uniform too", () => {
    const rng = Rng.seeded(8);
    const low = take(100_000, () => (rng.uniform() * 2 ** 20) % 1);
    expect(kolmogorovP(low, (x) => x)).toBeGreaterThan(ALPHA);
  });

  it("stay in [0, 1) and (0, 1) for the extreme words", () => {
    const rng = Rng.seeded(1);
    const word = vi.spyOn(rng, "uint32");
    word.mockReturnValue(0xffffffff);
    expect(rng.uniform()).toBe(1 - 2 ** -53);
    expect(rng.uniformOpen()).toBe(1 - 2 ** -53);
    word.mockReturnValue(0);
    expect(rng.uniform()).toBe(0);
    expect(rng.uniformOpen()).toBe(2 ** -53);
  });
});

describe("below", () => {
  it.each([2, 3, 7, 10, 64, 1000])("is uniform on 0 … %i − 1", (bound) => {
    const rng = Rng.seeded(bound);
    const counts = new Float64Array(bound);
    for (let i = 0; i < 100_000; i++) counts[rng.below(bound)] += 1;
    expect(
      chiSquareP(
        counts,
        counts.map(() => 1),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  // At 3·2³⁰ a plain remainder would give the first third twice the probability of the others.
  it.each([3 * 2 ** 30, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32])(
    "is uniform for the large bound %i, high and low",
    (bound) => {
      const rng = Rng.seeded(99);
      const high = new Float64Array(12);
      const low = new Float64Array(12);
      for (let i = 0; i < 120_000; i++) {
        const x = rng.below(bound);
        if (x < 0 || x >= bound) throw new Error(`${x} is out of range`);
        high[Math.floor((x / bound) * 12)] += 1;
        low[x % 12] += 1;
      }
      expect(
        chiSquareP(
          high,
          high.map(() => 1),
        ),
      ).toBeGreaterThan(ALPHA);
      expect(
        chiSquareP(
          low,
          low.map(() => 1),
        ),
      ).toBeGreaterThan(ALPHA);
    },
  );

  it("is the high word of the 64-bit product, redrawn in the short interval", () => {
    const rng = Rng.seeded(3);
    const words = Rng.seeded(3);
    for (const bound of [1, 5, 65_537, 2 ** 21 + 3, 2 ** 31 - 1, 3_000_000_001, 2 ** 32]) {
      for (let i = 0; i < 200; i++) {
        let product: bigint;
        do product = BigInt(words.uint32()) * BigInt(bound);
        while ((product & 0xffffffffn) < 2n ** 32n % BigInt(bound));
        expect(rng.below(bound)).toBe(Number(product >> 32n));
      }
    }
  });

  it("refuses a bound that has no uniform law instead of looping or returning NaN", () => {
    const rng = Rng.seeded(1);
    for (const bound of [0, -1, 2.5, Number.NaN, 2 ** 32 + 1])
      expect(() => rng.below(bound)).toThrow(RangeError);
  });
});
