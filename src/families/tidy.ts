/** Digits that say what a value is, and that tell it from others of the range. */
const DIGITS = 6;
/** Those of double precision. */
const MOST_DIGITS = 15;

/** A value without the rounding that comes of the shift: as precise as single precision is within the range. */
export function tidy(value: number, range: number): string {
  if (Math.abs(value) < 1e-6 * range) return "0";
  const above = range > 0 ? Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(range)) : 0;
  return String(Number(value.toPrecision(Math.min(MOST_DIGITS, DIGITS + Math.max(0, above)))));
}
