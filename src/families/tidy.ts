/** A value without the rounding that comes of the shift. */
export function tidy(value: number, range: number): string {
  return String(Math.abs(value) < 1e-6 * range ? 0 : Number(value.toPrecision(6)));
}
