/**
 * Other groups of the rows than those of a mode: one cluster gives its rows to the others, and its name to half of
 * another one (split and merge, Ueda, Nakano, Ghahramani and Hinton 2000). EM cannot go there in steps: where two tight
 * clusters were taken for one, and another one for two, a deep valley lies between.
 */

import type { Rng } from "../../math/rng.js";
import type { Mixture } from "../../models/mixture.js";
import type { Rows } from "../../types.js";
import { type Guess, partition } from "./partition.js";

/** How a cluster is halved; in many columns thin clusters may cross, which no centres tell apart. */
const HALVES: readonly Guess[] = ["columns", "directions"];
const MANY = { columns: 4, halves: [...HALVES, "random"] as readonly Guess[] };
/** Rows of a cluster that can be halved. */
const LEAST = 4;
/** Groupings at most: all of six clusters. Of more, those without the clusters that are missed least. */
const MOST = 90;

/** The component of each row, for pairs of a cluster that is given up and one that is halved. */
export function* regroupings(
  rng: Rng,
  model: Mixture,
  rows: Rows,
  theta: Float64Array,
): Generator<Uint16Array, void, void> {
  const { components } = model;
  if (components === 1) return;
  const terms = new Float64Array(rows.rows * components);
  model.logTerms(terms, theta, rows);
  const groups = nearest(terms, components);
  const members = Array.from({ length: components }, (_, k) =>
    [...groups.keys()].filter((i) => groups[i] === k),
  );
  const ways = rows.columns < MANY.columns ? HALVES : MANY.halves;
  const halves = members.flatMap((own, k) =>
    own.length < LEAST
      ? []
      : ways.map((guess, g) => ({
          k,
          half: partition(rng.split(k * ways.length + g), picked(rows, own), 2, guess),
        })),
  );
  const parted = halves.filter(({ half }) => half.includes(0) && half.includes(1));
  let count = 0;
  for (const { given, others } of leastMissed(terms, groups, components)) {
    for (const { k, half } of parted) {
      if (k === given) continue;
      if (count++ === MOST) return;
      const regrouped = others.slice();
      members[k].forEach((i, at) => {
        if (half[at] === 1) regrouped[i] = given;
      });
      yield regrouped;
    }
  }
}

/** Each cluster with the groups that there are without it, by how much worse they are for the rows it had. */
function leastMissed(terms: Float64Array, groups: Uint16Array, components: number) {
  const found = Array.from({ length: components }, (_, given) => {
    const others = nearest(terms, components, given);
    let loss = 0;
    others.forEach((k, i) => {
      loss += terms[i * components + groups[i]] - terms[i * components + k];
    });
    return { given, others, loss };
  });
  return found.sort((a, b) => a.loss - b.loss);
}

/** The most probable component of each row, of all but one. */
function nearest(terms: Float64Array, components: number, without = -1): Uint16Array {
  return Uint16Array.from({ length: terms.length / components }, (_, i) => {
    let best = without === 0 ? 1 : 0;
    for (let k = best + 1; k < components; k++) {
      if (k !== without && terms[i * components + k] > terms[i * components + best]) best = k;
    }
    return best;
  });
}

function picked({ columns, values }: Rows, own: readonly number[]): Rows {
  const some = new Float64Array(own.length * columns);
  own.forEach((i, at) => void some.set(values.subarray(i * columns, (i + 1) * columns), at * columns));
  return { rows: own.length, columns, weight: 1, values: some };
}
