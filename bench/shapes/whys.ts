/** Why a method is faster than Sparrow at a shape, by `shape/method`; said only where the numbers say that it is. */
export const WHYS: Readonly<Record<string, string>> = {};
