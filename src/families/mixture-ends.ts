/** Where the intervals of many mixtures begin and end: by a kernel, and one by one where that does not serve. */

import { chainBuffer, chainKernels, Region } from "../kernels/chain-memory.js";
import { laidOut } from "../kernels/laid-out.js";
import { foldedStudentT, isFolded } from "../math/distributions.js";
import { freedomOf, mixtureQuantiles, type Part, standardQuantile } from "./mixture-quantiles.js";

const region = new Region();

/** Of a part, as kernels/mixture-ends.ts reads it. */
const PART = 4;
/** Of its scratch memory. */
const SEARCHES = 10;

/**
 * Two quantiles of every row, one after the other; `laws` are mean and standard deviation of every row by parts, and
 * `more` is added to the squares of the latter.
 */
export function mixtureEnds(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  ends: readonly [number, number],
  more: readonly number[] = parts.map(() => 0),
): Float64Array {
  const found = parts.every((part) => isFolded(freedomOf(part)))
    ? kernelEnds(parts, laws, ends, more)
    : new Float64Array(laws[0].length).fill(Number.NaN);
  for (let at = 0; at < found.length; at += 2) {
    if (!Number.isNaN(found[at])) continue;
    const own = parts.map((part, f): Part => {
      const sd = more[f] > 0 ? Math.sqrt(laws[f][at + 1] ** 2 + more[f]) : laws[f][at + 1];
      return { ...part, mean: laws[f][at], sd };
    });
    found.set(mixtureQuantiles(own, ends), at);
  }
  return found;
}

function kernelEnds(
  parts: readonly Part[],
  laws: readonly Float64Array[],
  [lower, upper]: readonly [number, number],
  more: readonly number[],
): Float64Array {
  const length = laws[0].length;
  const freedoms = [...new Set(parts.map(freedomOf))];
  const tables = freedoms.map(foldedStudentT);
  const { at, end } = laidOut(
    0,
    [
      length,
      length * laws.length,
      PART * parts.length,
      parts.length,
      SEARCHES + 2 * parts.length,
      ...tables.map((table) => table.length),
    ],
    [],
  );
  const start = region.hold(end);
  const [ofEnds, ofLaws, ofParts, ofMore, ofScratch, ...ofTables] = at.map((place) => start + place);
  const put = (numbers: ArrayLike<number>, to: number): void =>
    new Float64Array(chainBuffer(), to, numbers.length).set(numbers);
  laws.forEach((law, f) => {
    put(law, ofLaws + 8 * length * f);
  });
  tables.forEach((table, t) => {
    put(table, ofTables[t]);
  });
  put(more, ofMore);
  const standard = (q: number, part: Part): number => standardQuantile(q, freedomOf(part));
  const packed = parts.flatMap((part) => [
    part.weight,
    standard(lower, part),
    standard(upper, part),
    ofTables[freedoms.indexOf(freedomOf(part))],
  ]);
  put(packed, ofParts);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const average = (q: number): number =>
    parts.reduce((sum, part) => sum + (part.weight / total) * standard(q, part), 0);
  chainKernels().mixtureEnds(
    ofEnds,
    ofLaws,
    ofParts,
    ofMore,
    ofScratch,
    length / 2,
    parts.length,
    total,
    lower,
    upper,
    average(lower),
    average(upper),
  );
  return new Float64Array(chainBuffer(), ofEnds, length).slice();
}
