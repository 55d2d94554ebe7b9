/** A distribution function where it is wanted thousands of times, in mixtures over models: a table of it. */

export interface Tabulated {
  /** At its nodes: of the distribution function, and its slopes by steps. */
  readonly values: Float64Array;
  readonly slopes: Float64Array;
  /** The distribution function inside the table, NaN outside. */
  below(x: number): number;
}

/** Of the four nodes of Lobatto on (0, 1), which are right for polynomials of degree five, those inside. */
const INSIDE = [0.5 - Math.sqrt(0.05), 0.5 + Math.sqrt(0.05)];

/**
 * From its density and its value at one place, so many steps below and above that. Between them stands Hermite's cubic
 * through two values and two slopes, which is off by step⁴/384 of the third derivative of the density.
 */
export function tabulated(
  density: (x: number) => number,
  { x: middle, below: there }: { readonly x: number; readonly below: number },
  { step, down, up }: { readonly step: number; readonly down: number; readonly up: number },
): Tabulated {
  const count = down + up;
  const start = middle - down * step;
  const values = new Float64Array(count + 1);
  const slopes = new Float64Array(count + 1);
  for (let i = 0; i <= count; i++) slopes[i] = step * density(start + i * step);
  const between = (i: number): number => {
    const inside = density(start + (i + INSIDE[0]) * step) + density(start + (i + INSIDE[1]) * step);
    return (slopes[i] + slopes[i + 1] + 5 * step * inside) / 12;
  };
  values[down] = there;
  for (let i = down; i < count; i++) values[i + 1] = values[i] + between(i);
  for (let i = down; i > 0; i--) values[i - 1] = values[i] - between(i - 1);
  return {
    values,
    slopes,
    below(x) {
      const at = (x - start) / step;
      if (!(at >= 0 && at < count)) return Number.NaN;
      const i = Math.floor(at);
      const t = at - i;
      const rise = values[i + 1] - values[i];
      const c = slopes[i] - rise;
      const d = rise - slopes[i + 1];
      return values[i] + t * (rise + (1 - t) * (c * (1 - t) + d * t));
    },
  };
}
