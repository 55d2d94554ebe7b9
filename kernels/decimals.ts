// Float32 numbers as the shortest decimals that are read as the same number, the closest of them, by Schubfach
// (Giulietti 2020), in the spelling of DuckDB: 1.0, 0.0001, 1e-05, 1.5e+20. Where two are as close, the number has
// one digit more and is written as it is, which is what DuckDB does. src/kernels/reference-decimals.ts is the
// readable form.

const ZERO: u8 = 48;
const TILE: i32 = 16;

// ⌊log₁₀ 2^e⌋, ⌊log₁₀ ¾·2^e⌋ and ⌊log₂ 10^e⌋ for the exponents that occur.
// @ts-ignore: decorator
@inline
function log10Pow2(e: i32): i32 {
  return (e * 1262611) >> 22;
}
// @ts-ignore: decorator
@inline
function log10ThreeQuartersPow2(e: i32): i32 {
  return (e * 1262611 - 524031) >> 22;
}
// @ts-ignore: decorator
@inline
function log2Pow10(e: i32): i32 {
  return (e * 1741647) >> 19;
}

// The upper 32 bits of g·c / 2^64, the last of which is set where anything below them is.
// @ts-ignore: decorator
@inline
function roundToOdd(g: u64, c: u32): u32 {
  const low = (g & 0xffffffff) * <u64>c;
  const high = (g >> 32) * <u64>c + (low >> 32);
  return <u32>(high >> 32) | <u32>(<u32>high > 1);
}

// digits·10^exponent, the exponent above the 32 bits of the digits.
// @ts-ignore: decorator
@inline
function decimal(digits: u32, exponent: i32): u64 {
  return (<u64><u32>exponent << 32) | <u64>digits;
}

// `powers` has 10^k, k = −31 … 45, with 64 bits, rounded up. Which of the candidates it is to be is as good as random,
// so all are made and one is taken: a branch would be guessed wrong too often.
// @ts-ignore: decorator
@inline
function toDecimal(fraction: u32, biased: u32, powers: usize): u64 {
  let c = fraction;
  let q: i32 = -149;
  if (biased !== 0) {
    c |= 0x800000;
    q = <i32>biased - 150;
    // A whole number is written as it is.
    if (q <= 0 && q > -24 && (c & ((1 << -q) - 1)) === 0) return decimal(c >> -q, 0);
  }
  const odd = c & 1;
  const closer = fraction === 0 && biased > 1;
  const k = closer ? log10ThreeQuartersPow2(q) : log10Pow2(q);
  const h = q + log2Pow10(-k) + 1;
  const g = load<u64>(powers + <usize>((31 - k) << 3));
  const middle = roundToOdd(g, (4 * c) << h);
  const lower = roundToOdd(g, (4 * c - 2 + <u32>closer) << h) + odd;
  const upper = roundToOdd(g, (4 * c + 2) << h) - odd;
  const s: u32 = middle >> 2;
  const tens: u32 = 10 * <u32>(s / 10);
  const tensAbove = <u32>(<u32>(4 * tens + 40) <= upper);
  const isShorter = <u32>(s >= 10) & (<u32>(lower <= <u32>(4 * tens)) ^ tensAbove);
  const above = <u32>(<u32>(4 * s + 4) <= upper);
  const isOne = <u32>(lower <= <u32>(4 * s)) ^ above;
  const half: u32 = 4 * s + 2;
  // Exactly in the middle: one digit more is the number itself.
  if ((isShorter | isOne) === 0 && middle === half && s < 100000000) return decimal(10 * s + 5, k - 1);
  const closest = s + select<u32>(above, <u32>(middle > half), isOne !== 0);
  return decimal(select<u32>(tens + 10 * tensAbove, closest, isShorter !== 0), k);
}

// The eight digits of x, one a byte, the first in the lowest: two numbers of four digits, four of two, eight of one.
// @ts-ignore: decorator
@inline
function eightDigits(x: u32): u64 {
  const upper: u32 = x / 10000;
  let v = <u64>upper | (<u64><u32>(x - 10000 * upper) << 32);
  let q = ((v * 10486) >> 20) & 0x7f0000007f;
  v = q | ((v - 100 * q) << 16);
  q = ((v * 103) >> 10) & 0x000f000f000f000f;
  return q | ((v - 10 * q) << 8);
}

const ZEROS: u64 = 0x3030303030303030;

// Writes a number and returns where its text ends; it may write eight bytes more.
// @ts-ignore: decorator
@inline
function putNumber(out: usize, bits: u32, powers: usize): usize {
  const fraction = bits & 0x7fffff;
  const biased = (bits >> 23) & 255;
  if (biased === 255 && fraction !== 0) {
    // "nan"
    store<u32>(out, 0x6e616e);
    return out + 3;
  }
  store<u8>(out, 45);
  out += <usize>(bits >> 31);
  if (biased === 255) {
    // "inf"
    store<u32>(out, 0x666e69);
    return out + 3;
  }
  if ((fraction | biased) === 0) {
    store<u32>(out, 0x302e30);
    return out + 3;
  }
  const found = toDecimal(fraction, biased, powers);
  let nine = <u32>found;
  // The exponent of the first of nine digits; most numbers lack one or two of them.
  let first = <i32>(found >> 32) + 8;
  let lacks = nine < 100000000;
  nine = select<u32>(nine * 10, nine, lacks);
  first -= <i32>lacks;
  lacks = nine < 100000000;
  nine = select<u32>(nine * 10, nine, lacks);
  first -= <i32>lacks;
  while (nine < 100000000) {
    nine *= 10;
    first--;
  }
  const lead: u32 = nine / 100000000;
  const others = eightDigits(nine - 100000000 * lead);
  // Digits behind the first, without zeros at the end.
  const more = 8 - <i32>(clz(others) >> 3);
  if (<u32>(first + 4) <= 4) {
    // d.ddd or 0.00ddd, whichever it is: the point is always the second.
    const isUnit = first === 0;
    const at = out + <usize>select<i32>(0, 1 - first, isUnit);
    const behind = at + 1 + <usize>isUnit;
    store<u64>(out, 0x303030302e30);
    store<u8>(at, ZERO + <u8>lead);
    store<u64>(behind, others + ZEROS);
    store<u8>(out, 46, 1);
    return behind + <usize>max(<i32>isUnit, more);
  }
  return first > 0 && first < 16
    ? putLarge(out, lead, others + ZEROS, first, more)
    : putScientific(out, lead, others + ZEROS, first, more);
}

// ddd.ddd, or ddd000.0
function putLarge(out: usize, lead: u32, others: u64, first: i32, more: i32): usize {
  store<u8>(out, ZERO + <u8>lead);
  store<u64>(out, others, 1);
  if (more <= first) {
    for (let i = 9; i <= first; i++) store<u8>(out + <usize>i, ZERO);
    out += <usize>(first + 1);
    store<u16>(out, 0x302e);
    return out + 2;
  }
  const point = out + <usize>(first + 1);
  store<u64>(point, others >> (<u64>first << 3), 1);
  store<u8>(point, 46);
  return point + <usize>(1 + more - first);
}

// d.ddde±xx
function putScientific(out: usize, lead: u32, others: u64, first: i32, more: i32): usize {
  store<u16>(out, <u16>(lead + 0x2e30));
  store<u64>(out, others, 2);
  out += more === 0 ? 1 : <usize>(2 + more);
  const size: u32 = abs(first);
  const tens: u32 = size / 10;
  store<u8>(out, 101);
  store<u8>(out, first < 0 ? 45 : 43, 1);
  store<u8>(out, ZERO + <u8>tens, 2);
  store<u8>(out, ZERO + <u8>(size - 10 * tens), 3);
  return out + 4;
}

// Lines of k numbers each, separated by commas, of rows that lie one after the other; returns where they end. There
// must be room for 20 bytes a number, and 8 more.
export function writeLines(out: usize, values: usize, rows: i32, k: i32, powers: usize): usize {
  for (let r = 0; r < rows; r++) {
    const end = values + (<usize>k << 2);
    for (; values < end; values += 4) {
      out = putNumber(out, load<u32>(values), powers);
      store<u8>(out++, 44);
    }
    store<u8>(out - 1, 10);
  }
  return out;
}

// `rows` rows from `first` on of k columns, which lie `stride` bytes apart, as part of rows of `width` bytes: by tiles,
// so that every line of the cache that is written to is filled before it goes.
export function turnRows(out: usize, width: usize, columns: usize, stride: usize, k: i32, first: i32, rows: i32): void {
  for (let top: i32 = 0; top < rows; top += TILE) {
    const count = <usize>min(TILE, rows - top);
    const to = out + <usize>top * width;
    let from = columns + (<usize>(first + top) << 2);
    for (let j: usize = 0; j < <usize>k; j++) {
      let cell = to + (j << 2);
      for (let i: usize = 0; i < count; i++) {
        store<u32>(cell, load<u32>(from + (i << 2)));
        cell += width;
      }
      from += stride;
    }
  }
}
