/**
 * Whether large models are misjudged more than small ones, beyond what their members let expect: what an expansion gets
 * wrong of each member grows with how many others there are, and where hundreds of variables are a little probable each, a
 * tenth in the log weight for every member makes models of many small effects of models of a few.
 */

/** By how much a model is misjudged, and how many members it has. */
export interface Misjudged {
  readonly members: number;
  readonly left: number;
}

/** Standard errors that are chance. */
const CHANCE = 2;

/**
 * With slope d of what is misjudged on the number k of members, weights by e^(dk) would move the log odds of a variable by
 * d Var(k) / Σ p(1 − p) on average. `surely` leaves out of d what chance can do.
 */
export function leaning(
  fresh: readonly Misjudged[],
  size: Float64Array,
  inclusion: Float64Array,
): { readonly about: number; readonly surely: number } {
  const n = fresh.length;
  const mean = (of: (model: Misjudged) => number): number => fresh.reduce((sum, m) => sum + of(m), 0) / n;
  const [members, left] = [mean((m) => m.members), mean((m) => m.left)];
  const spread = mean((m) => (m.members - members) ** 2);
  const open = inclusion.reduce((sum, p) => sum + p * (1 - p), 0);
  if (n < 3 || !(spread > 0) || !(open > 0)) return { about: 0, surely: 0 };
  const slope = mean((m) => (m.members - members) * (m.left - left)) / spread;
  const rest = mean((m) => (m.left - left - slope * (m.members - members)) ** 2);
  const error = Math.sqrt(rest / spread / (n - 2));
  const expected = size.reduce((sum, p, k) => sum + p * k, 0);
  const variance = size.reduce((sum, p, k) => sum + p * (k - expected) ** 2, 0);
  const moved = (by: number): number => (by * variance) / open;
  return { about: moved(Math.abs(slope)), surely: moved(Math.max(0, Math.abs(slope) - CHANCE * error)) };
}
