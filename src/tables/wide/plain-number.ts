/**
 * A number from the bytes of a cell: digits, a point, an exponent. Up to 15 digits and a power of ten that doubles hold
 * exactly are one division, correctly rounded; all others go through `Number`. NaN for whatever is no such number, to
 * be judged as a cell.
 */

import { latin1 } from "../packed/data-file.js";

const [MINUS, DOT, ZERO] = [45, 46, 48];

/** 10⁰ … 10²²: the powers of ten that are exact in a double. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const PLAIN = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Longer ones are no numbers that anybody wrote. */
const LONGEST = 400;

export function plainNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at += 1;
  const start = at;
  // More digits than these are not for here.
  const last = Math.min(to, start + 17);
  let digits = 0.0;
  let point = -1;
  for (; at < last; at++) {
    const byte = bytes[at];
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) digits = 10 * digits + digit;
    else if (byte === DOT && point < 0) point = at;
    else break;
  }
  const seen = at - start - (point < 0 ? 0 : 1);
  if (at === to && seen > 0 && seen <= 15) {
    const value = point < 0 ? digits : digits / POWERS[at - point - 1];
    return isNegative ? -value : value;
  }
  if (to - from > LONGEST) return Number.NaN;
  const text = latin1(bytes, from, to);
  const value = PLAIN.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
