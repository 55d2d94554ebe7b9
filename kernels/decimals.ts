// Float32 numbers as the shortest decimals that are read as the same number, the closest of them, by Schubfach
// (Giulietti 2020), in the spelling of DuckDB: 1.0, 0.0001, 1e-05, 1.5e+20. Where two are as close, the number has
// one digit more and is written as it is, which is what DuckDB does. src/kernels/reference/decimals.ts is the
// readable form.

const ZERO: u8 = 48;
const TILE: i32 = 16;
// Exponents of the numbers from 2^−16 to 2^23, of which powers of ten are exact.
const FIRST_EXACT: u32 = 111;
const EXACT: u32 = 39;

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

// `powers` has what is needed of powers of ten, by the exponent of the number (see src/kernels/simulation.ts). Which of
// the candidates it is to be is as good as random, so all are made and one is taken.

// A number c·2^−m with 10^n ≤ 2^40, where n is as many digits as tell it from its neighbours: the product of c and 10^n
// has 64 bits, so everything is exact.
// @ts-ignore: decorator
@inline
function exactDecimal(fraction: u32, biased: u32, powers: usize): u64 {
  const c = fraction | 0x800000;
  const odd = <u64>(c & 1);
  const entry = powers + <usize>(biased << 4);
  const power = load<u64>(entry);
  const k = load<i32>(entry, 12);
  const reach = (power >> 1) - odd;
  const m = <u64>(150 - biased);
  const product = <u64>c * power;
  const s = <u32>(product >> m);
  const tens: u32 = 10 * <u32>(s / 10);
  const one = <u64>1 << m;
  const beyondTens = product - (<u64>tens << m);
  const tensAbove = <u32>(10 * one - beyondTens <= reach);
  const isShorter = <u32>(beyondTens <= reach) ^ tensAbove;
  const beyond = product & (one - 1);
  const above = <u32>(one - beyond <= reach);
  const isOne = <u32>(beyond <= reach) ^ above;
  const twice = beyond << 1;
  // Exactly in the middle: one digit more is the number itself.
  if (twice === one && (isShorter | isOne) === 0 && s < 100000000) return decimal(10 * s + 5, k - 1);
  const closest = s + select<u32>(above, <u32>(twice > one), isOne !== 0);
  return decimal(select<u32>(tens + 10 * tensAbove, closest, isShorter !== 0), k);
}

function toDecimal(fraction: u32, biased: u32, powers: usize): u64 {
  const c = biased !== 0 ? fraction | 0x800000 : fraction;
  const odd = c & 1;
  // Below a power of two numbers lie closer.
  const closer = <u32>(fraction === 0) & <u32>(biased > 1);
  const entry = powers + <usize>((biased | (closer << 8)) << 4);
  const g = load<u64>(entry);
  const h = load<u32>(entry, 8);
  const k = load<i32>(entry, 12);
  const middle = roundToOdd(g, (4 * c) << h);
  const lower = roundToOdd(g, (4 * c - 2 + closer) << h) + odd;
  const upper = roundToOdd(g, (4 * c + 2) << h) - odd;
  const s: u32 = middle >> 2;
  const tens: u32 = 10 * <u32>(s / 10);
  const tensAbove = <u32>(<u32>(4 * tens + 40) <= upper);
  if (s >= 10 && <u32>(lower <= <u32>(4 * tens)) !== tensAbove) return decimal(tens + 10 * tensAbove, k);
  const above = <u32>(<u32>(4 * s + 4) <= upper);
  if (<u32>(lower <= <u32>(4 * s)) !== above) return decimal(s + above, k);
  const half: u32 = 4 * s + 2;
  if (middle === half && s < 100000000) return decimal(10 * s + 5, k - 1);
  return decimal(s + <u32>(middle > half), k);
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
  const isExact = <u32>(biased - FIRST_EXACT) < EXACT && fraction !== 0;
  const found = isExact ? exactDecimal(fraction, biased, powers) : toDecimal(fraction, biased, powers);
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
