/**
 * Whether sums that are asked for more than once are the same every time: the screen, the polish and every round of the
 * certificate share some, so that values that were changed in place are noticed although no row came or went.
 *
 * Sums of doubles differ in their last digits from time to time. A product of two columns is off by rounding of the size
 * of √(Σu²·Σv²); a row that changes by a standard deviation moves it by about 1/n of that.
 */

import { type Layer, OWN_NAMES } from "./question.js";

/** Above rounding, about √n·1e-16, and below what one row of a billion makes by changing by its standard deviation. */
const NOTICED = 1e-10;

export class Repeated {
  private readonly known = new Map<string, number>();

  /** The first aggregate that is not what it was; undefined where all are, or are new. */
  changed(
    { layers, aggregates }: { readonly layers: readonly Layer[]; readonly aggregates: readonly string[] },
    values: ArrayLike<number>,
    rows: number,
  ): string | undefined {
    const [stored = {}] = layers;
    const fresh = new Map<string, number>();
    let found: string | undefined;
    aggregates.forEach((aggregate, i) => {
      const factors = factorsOf(aggregate, stored);
      if (!factors) return;
      const key = sumOf(factors);
      fresh.set(key, values[i]);
      const before = this.known.get(key);
      if (before === undefined || found !== undefined) return;
      const squares = factors.map((factor) => this.known.get(sumOf([factor, factor])));
      const scale = Math.sqrt(squares.reduce<number>((product, own) => product * (own ?? Number.NaN), 1));
      const size = factors.length === 1 ? Math.sqrt(rows) * scale : scale;
      if (Math.abs(values[i] - before) > NOTICED * size) found = key;
    });
    for (const [key, value] of fresh) this.known.set(key, value);
    return found;
  }
}

/** What a plain sum of one column or of a product of two is about; undefined of others. */
function factorsOf(aggregate: string, stored: Layer): string[] | undefined {
  const names = /^sum\((s_v\d+)(?: \* (s_v\d+))?\)$/.exec(aggregate)?.slice(1).filter(Boolean);
  const factors = names?.map((name) => stored[name]);
  if (!factors || factors.some((factor) => factor === undefined || factor.match(OWN_NAMES) !== null))
    return undefined;
  return factors.sort();
}

const sumOf = (factors: readonly string[]): string => factors.join(" * ");
