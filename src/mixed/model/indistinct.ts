/**
 * Random effects that no data of this shape can tell apart. Given the variances, rows have the covariance
 *
 *     V = σ²W⁻¹ + Σ_t Σ_{k≥l} Σ_t[k,l]·A_tkl,    A_tkl = Σ_levels (z_k z_l′ + z_l z_k′)
 *
 * with z_k the values of a column in the rows of a level. Where one of these matrices is a sum of others, the likelihood
 * does not change along a line of variances: two groupings that sort the rows alike, a column that is a sum of others
 * within every level, levels of one row each beside the noise. Each of the effects may then be improbable by itself,
 * although it is certain that one of them is there. The pivots of the matrix of all tr(A·B) find them.
 */

import { packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";

/** How the columns of the random effects lie to each other. */
export interface EffectProducts {
  /** How many effects each grouping has. */
  readonly sizes: readonly number[];
  /** Products z_k·w_m over the rows that a level of t and one of s share, q_t × q_s, for every such two levels. */
  visit(t: number, s: number, each: (products: ArrayLike<number>) => void): void;
  /** Of W⁻¹, where rows have a noise: tr(W⁻²), and z_k′W⁻¹z_l over all rows, a packed triangle for each grouping. */
  readonly noise?: { readonly square: number; readonly products: readonly ArrayLike<number>[] };
}

/** An effect of a grouping; of the noise, nothing. */
export type Member = { readonly term: number; readonly effect: number } | undefined;

/** An element of a Σ_t, or σ². */
type Element = { readonly term: number; readonly k: number; readonly l: number } | undefined;

/** A matrix is a sum of others where what is left of it is less than 10⁻⁵ of its size. */
const NOTHING_LEFT = 1e-10;
/** Of such a sum, the shares that count. */
const TAKES_PART = 1e-3;

/** Sets of effects of which the data see only what they have together. */
export function indistinct(shape: EffectProducts): Member[][] {
  const elements: Element[] = [
    ...(shape.noise ? [undefined] : []),
    ...shape.sizes.flatMap((size, term) =>
      Array.from({ length: packedSize(size) }, (_, at) => ({ term, ...pairAt(at) })),
    ),
  ];
  return united(sums(traces(shape), elements.length).map((places) => membersOf(places, elements)));
}

function pairAt(at: number): { k: number; l: number } {
  let k = 0;
  while (packedSize(k + 1) <= at) k++;
  return { k, l: at - packedSize(k) };
}

/** tr(A·B) of all of them, packed. */
function traces(shape: EffectProducts): Float64Array {
  const { sizes, noise } = shape;
  const starts: number[] = [];
  let count = noise ? 1 : 0;
  for (const size of sizes) {
    starts.push(count);
    count += packedSize(size);
  }
  const out = new Float64Array(packedSize(count));
  if (noise) {
    out[0] = noise.square;
    sizes.forEach((size, t) => {
      for (let e = 0; e < packedSize(size); e++) out[placeOf(starts[t] + e, 0)] = 2 * noise.products[t][e];
    });
  }
  sizes.forEach((size, t) => {
    for (let s = 0; s <= t; s++) {
      const width = sizes[s];
      shape.visit(t, s, (c) => {
        for (let k = 0, row = starts[t]; k < size; k++) {
          for (let l = 0; l <= k; l++, row++) {
            for (let m = 0, column = starts[s]; m < width; m++) {
              for (let n = 0; n <= m && column <= row; n++, column++) {
                out[placeOf(row, column)] +=
                  2 * (c[k * width + m] * c[l * width + n] + c[k * width + n] * c[l * width + m]);
              }
            }
          }
        }
      });
    }
  });
  return out;
}

/** The places of each matrix that those before it add up to, with those of its sum. */
function sums(gram: Float64Array, count: number): number[][] {
  const sizes = Float64Array.from({ length: count }, (_, j) => Math.sqrt(gram[placeOf(j, j)]));
  const kept: number[] = [];
  const factor: number[] = [];
  const found: number[][] = [];
  for (let j = 0; j < count; j++) {
    if (sizes[j] === 0) {
      found.push([j]);
      continue;
    }
    const own = Float64Array.from(kept, (k) => gram[placeOf(j, k)] / (sizes[j] * sizes[k]));
    const lower = Float64Array.from(factor);
    const row = own.slice();
    solveLower(row, 0, lower, 0, kept.length);
    const left = row.reduce((rest, value) => rest - value * value, 1);
    if (left > NOTHING_LEFT) {
      factor.push(...row, Math.sqrt(left));
      kept.push(j);
      continue;
    }
    solveUpper(row, 0, lower, 0, kept.length);
    found.push([...kept.filter((_, at) => Math.abs(row[at]) > TAKES_PART), j]);
  }
  return found;
}

/** Of a matrix of zeros by itself the column that makes it one: its own square tells. */
function membersOf(places: readonly number[], elements: readonly Element[]): Member[] {
  return places.flatMap((place): Member[] => {
    const element = elements[place];
    if (!element) return [undefined];
    const { term, k, l } = element;
    if (places.length === 1 && k !== l) return [];
    return [l, k].map((effect) => ({ term, effect }));
  });
}

/** Sets that share an effect are one. */
function united(sets: readonly Member[][]): Member[][] {
  const key = (member: Member): string => (member ? `${member.term} ${member.effect}` : "");
  let out: Map<string, Member>[] = [];
  for (const set of sets.filter(({ length }) => length > 0)) {
    const own = new Map(set.map((member) => [key(member), member]));
    const touched = out.filter((other) => [...other.keys()].some((each) => own.has(each)));
    out = [
      ...out.filter((other) => !touched.includes(other)),
      new Map([...touched.flatMap((other) => [...other]), ...own]),
    ];
  }
  return out.map((set) =>
    [...set.values()].sort((a, b) =>
      a && b ? a.term - b.term || a.effect - b.effect : Number(!a) - Number(!b),
    ),
  );
}

/** `nameOf` an effect: what differs, and by which grouping. */
export function indistinctSentence(
  set: readonly Member[],
  nameOf: (member: NonNullable<Member>) => { readonly effect: string; readonly group: string },
): string {
  const byGroup = new Map<string, string[]>();
  for (const member of set) {
    if (!member) continue;
    const { effect, group } = nameOf(member);
    byGroup.set(group, [...(byGroup.get(group) ?? []), `"${effect}"`]);
  }
  const parts = Array.from(byGroup, ([group, effects]) => `${listed(effects)} by ${group}`);
  if (set.includes(undefined)) parts.push("the noise");
  if (set.length === 1) return `The data say nothing of ${parts[0]}: leave it out.`;
  const apart = parts.length === 2 ? parts.join(" from ") : `${listed(parts)} from each other`;
  return (
    `The data cannot tell ${apart}: how they share what differs, and so the probability of each, rests on the priors ` +
    "alone; leave one of them out."
  );
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
