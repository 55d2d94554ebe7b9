/** What the rows leave open of a model of several groupings, whatever their number: in sentences, before anything is drawn. */

import { familyNamed } from "../../../families/register.js";
import { packedSize } from "../../../math/packed.js";
import { stillSentence } from "../../check.js";
import { indistinct, indistinctSentence, type Member } from "../../model/indistinct.js";
import type { FrameTerm } from "../frame.js";
import { columnOf, ONES, type RowsProblem, type RowsTerm } from "../problem.js";

/** What so many rows can tell apart needs no look at the others. */
const FIRST_LOOK = 50_000;
/** Of the standard deviation of a column: what a mean of equal numbers is off by. */
const ROUNDING = 1e-9;

export function untoldSentences(problem: RowsProblem, named: readonly FrameTerm[]): string[] {
  const { terms, rows } = problem;
  const { quadratic } = familyNamed(problem.family);
  const still = terms.map((term) => stillEffects(problem, term));
  const single = terms.map(({ levels }) => quadratic && levels === rows);
  const sets = untold(problem, still, quadratic && !single.includes(true));
  return [
    ...named.flatMap(({ group, variables, levels }, t) => {
      const names = still[t].map((k) => variables[k].name);
      return [
        ...(levels.length <= variables.length
          ? [
              `There are ${levels.length} levels of ${group} for ${variables.length} random effects: their covariance rests mostly on the priors.`,
            ]
          : []),
        ...(single[t]
          ? [`Every level of ${group} has one row, so that its effects cannot be told from noise.`]
          : []),
        ...(names.length > 0 ? [stillSentence(names, `a level of ${group}`)] : []),
      ];
    }),
    ...sets.map((set) =>
      indistinctSentence(set, ({ term, effect }) => ({
        effect: named[term].variables[effect].name,
        group: named[term].group,
      })),
    ),
  ];
}

/** Effects beside an intercept whose columns are the same in all rows of every level, where levels have several rows. */
function stillEffects(problem: RowsProblem, { codes, columns, levels }: RowsTerm): number[] {
  if (!columns.includes(ONES) || levels === problem.rows) return [];
  return [...columns.keys()].filter((k) => {
    const z = columnOf(problem, columns[k]);
    if (!z) return false;
    const first = new Float64Array(levels).fill(Number.NaN);
    return z.every((value, i) => {
      if (Number.isNaN(first[codes[i]])) first[codes[i]] = value;
      return Math.abs(value - first[codes[i]]) <= ROUNDING;
    });
  });
}

/** Effects that never vary have their own sentence. */
function untold(problem: RowsProblem, still: readonly number[][], withNoise: boolean): Member[][] {
  const moving = problem.terms.map(({ columns }, t) =>
    [...columns.keys()].filter((k) => !still[t].includes(k)),
  );
  const terms = problem.terms.map((term, t) => ({ ...term, columns: moving[t].map((k) => term.columns[k]) }));
  const of = (rows: number): Member[][] =>
    indistinct({
      sizes: terms.map(({ columns }) => columns.length),
      ...(withNoise && { noise: noiseOf(problem, terms, rows) }),
      visit: (t, s, each) => visitShared(problem, terms[t], terms[s], rows, each),
    });
  const first = of(Math.min(problem.rows, FIRST_LOOK));
  const sets = first.length > 0 && problem.rows > FIRST_LOOK ? of(problem.rows) : first;
  return sets.map((set) =>
    set.map((member) => member && { ...member, effect: moving[member.term][member.effect] }),
  );
}

type Term = Pick<RowsTerm, "codes" | "columns" | "levels">;

function noiseOf(problem: RowsProblem, terms: readonly Term[], rows: number) {
  const inverse = (i: number): number => 1 / (problem.weights?.[i] ?? 1);
  let square = 0;
  for (let i = 0; i < rows; i++) square += inverse(i) ** 2;
  const products = terms.map(({ columns }) => {
    const out = new Float64Array(packedSize(columns.length));
    for (let k = 0, e = 0; k < columns.length; k++) {
      const z = columnOf(problem, columns[k]);
      for (let l = 0; l <= k; l++, e++) {
        const other = columnOf(problem, columns[l]);
        for (let i = 0; i < rows; i++) out[e] += inverse(i) * (z ? z[i] : 1) * (other ? other[i] : 1);
      }
    }
    return out;
  });
  return { square, products };
}

/** Products of the columns of two groupings over the rows that a level of each share, level after level of the one. */
function visitShared(
  problem: RowsProblem,
  one: Term,
  other: Term,
  rows: number,
  each: (products: Float64Array) => void,
): void {
  const left = one.columns.map((place) => columnOf(problem, place));
  const right = other.columns.map((place) => columnOf(problem, place));
  const size = left.length * right.length;
  const place = new Int32Array(other.levels).fill(-1);
  let met: number[] = [];
  const products: Float64Array[] = [];
  let level = -1;
  const finish = (): void => {
    met.forEach((code, at) => {
      each(products[at]);
      products[at].fill(0);
      place[code] = -1;
    });
    met = [];
  };
  for (const i of byLevel(one, rows)) {
    if (one.codes[i] !== level) {
      finish();
      level = one.codes[i];
    }
    const code = other.codes[i];
    if (place[code] < 0) {
      place[code] = met.length;
      met.push(code);
      if (products.length < met.length) products.push(new Float64Array(size));
    }
    const own = products[place[code]];
    for (let k = 0, e = 0; k < left.length; k++) {
      const z = left[k];
      for (let m = 0; m < right.length; m++, e++) {
        const w = right[m];
        own[e] += (z ? z[i] : 1) * (w ? w[i] : 1);
      }
    }
  }
  finish();
}

/** The first rows in the order of their levels. */
function byLevel({ codes, levels }: Term, rows: number): Int32Array {
  const starts = new Int32Array(levels + 1);
  for (let i = 0; i < rows; i++) starts[codes[i] + 1] += 1;
  for (let j = 0; j < levels; j++) starts[j + 1] += starts[j];
  const out = new Int32Array(rows);
  for (let i = 0; i < rows; i++) out[starts[codes[i]]++] = i;
  return out;
}
