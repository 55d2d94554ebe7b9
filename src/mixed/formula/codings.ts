/**
 * Where a category needs no baseline, as R and lme4 have it: in a product whose rest is not in the model by itself, for
 * then there is nothing that its baseline would be compared with. Without x beside it, x:colour is a slope for every
 * colour; without an intercept the first category has an effect for every level.
 */

export interface Coding {
  readonly product: readonly string[];
  /** The categories that have a variable for each level here. */
  readonly whole: ReadonlySet<string>;
  /** Whether the first variable is one too many: those of all levels add up to what is there already. */
  readonly isSurplus: boolean;
}

export function codings(
  products: readonly (readonly string[])[],
  withIntercept: boolean,
  isCategory: (name: string) => boolean,
): Coding[] {
  // The intercept is the product of nothing.
  const key = (names: readonly string[]): string => [...names].sort().join("\0");
  const present = new Set([...products.map(key), ...(withIntercept ? [key([])] : [])]);
  return products.map((product) => {
    const rest = (name: string): string => key(product.filter((other) => other !== name));
    const categories = product.filter(isCategory);
    const whole = new Set(categories.filter((name) => !present.has(rest(name))));
    if (categories.length === 0 || whole.size < categories.length)
      return { product, whole, isSurplus: false };
    const sum = key(product.filter((name) => !isCategory(name)));
    const isSurplus = present.has(sum);
    present.add(sum);
    return { product, whole, isSurplus };
  });
}
