/** What is said of columns that are seldom or never there in the same row: what each does beside the other is not told. */

import { grouped } from "../../wording.js";
import type { Weighed } from "../posterior/posterior.js";
import type { HoledProblem } from "./problem.js";

/** Rows that hold both: with fewer, the law of the holes rests on its prior for what the two share. */
const FEW = 10;
/** Variables that may belong, and at most so many of them. */
const LIKELY = 0.1;
const MOST = 60;

export function apartConcern(
  { store, holes }: HoledProblem,
  { candidates, weights }: Pick<Weighed, "candidates" | "weights">,
): string[] {
  const { rows } = store.layout;
  const likely = Array.from(candidates.keys())
    .filter((i) => weights.inclusion[i] > LIKELY && holes.missing[candidates[i]] > 0)
    .sort((a, b) => weights.inclusion[b] - weights.inclusion[a])
    .slice(0, MOST)
    .map((i) => candidates[i])
    .sort((a, b) => a - b);
  const at = new Map(likely.map((j, a) => [j, a]));
  const together = new Uint32Array(likely.length ** 2).fill(rows);
  for (let i = 0; i < rows; i++) {
    const lost = new Set<number>();
    for (let h = holes.start[i]; h < holes.start[i + 1]; h++) {
      const a = at.get(holes.column[h]);
      if (a !== undefined) lost.add(a);
    }
    for (const a of lost) {
      for (let b = 0; b < likely.length; b++) {
        together[a * likely.length + b] -= 1;
        if (!lost.has(b)) together[b * likely.length + a] -= 1;
      }
    }
  }
  const apart = likely.flatMap((k, b) =>
    likely.slice(0, b).flatMap((j, a) => {
      const rowsOfBoth = together[a * likely.length + b];
      return rowsOfBoth < FEW ? [{ j, k, rowsOfBoth }] : [];
    }),
  );
  if (apart.length === 0) return [];
  const { j, k, rowsOfBoth } = apart[0];
  const seen = rowsOfBoth === 0 ? "never" : `only ${rowsOfBoth === 1 ? "once" : `${rowsOfBoth} times`}`;
  const more = apart.length > 1 ? `, and so are ${grouped(apart.length - 1)} more pairs` : "";
  return [
    `"${store.names[j]}" and "${store.names[k]}" are ${seen} there in the same row${more}: the data cannot tell what each of them does beside the other, and no longer run will.`,
  ];
}
