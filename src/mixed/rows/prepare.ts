/**
 * From rows in the units of the data to a problem in standard coordinates, and back. A column is divided by its standard
 * deviation, and centred where an intercept beside it takes up what centring removes: among the fixed effects, and in a
 * term that has an intercept. Elsewhere it stays where it is, for there the zero of a column means something.
 */

import { SparrowError } from "../../errors.js";
import type { Family } from "../../families/family.js";
import { type FamilyName, nameOf } from "../../families/register.js";
import { choleskyInPlace, packedSize, placeOf } from "../../math/packed.js";
import type { Variable } from "../formula/variables.js";
import { inverted } from "./covariance.js";
import type { Frame, FrameTerm } from "./frame.js";
import { resolutionsOf, rowInformation } from "./in-or-out.js";
import {
  columnOf,
  type Nest,
  ONES,
  type RowsPriors,
  type RowsProblem,
  type RowsState,
  type RowsTerm,
  type Shift,
} from "./problem.js";

export interface Prepared {
  readonly problem: RowsProblem;
  /** β, σ² where there is one, and the triangles of all Σ_t, in the units of the data. */
  read(draw: Pick<RowsState, "beta" | "noise" | "inverses">): Float64Array;
  /** Effects of a term, level after level, from standard coordinates to the units of the data, in place. */
  toData(effects: Float64Array, t: number): void;
  /** What the target and the variable of an effect were divided by. */
  readonly scales: { readonly target: number; of(variable: Variable): number };
  /** How many standard deviations the columns of a term lie from zero: what effects in the data's units cancel. */
  farthest(t: number): number;
}

export interface PrepareSettings {
  readonly family: Family;
  readonly priors: RowsPriors;
  /** The target as the family sees it, and the weights of the rows. */
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** A column of the pool. */
interface Placed {
  readonly place: number;
  readonly shift: number;
  readonly scale: number;
  /** From zero, in standard deviations. */
  readonly far: number;
}

export function prepare(frame: Frame, { family, priors, y, weights }: PrepareSettings): Prepared {
  const { rows } = frame;
  const pool = columnPool(rows);
  const place = (variables: readonly Variable[]): Placed[] => {
    const centred = variables.some(({ values }) => values === undefined);
    return variables.map(({ values }) =>
      values ? pool.place(values, centred) : { place: ONES, shift: 0, scale: 1, far: 0 },
    );
  };
  const fixed = place(frame.fixed);
  const placed = frame.terms.map(({ variables }) => place(variables));
  const hasIntercept = fixed.some((column) => column.place === ONES);
  const own = family.quadratic ? standardised(y, hasIntercept) : { shift: 0, scale: 1, values: y };
  const columns = pool.columns();
  const problem: RowsProblem = {
    family: nameOf(family) as FamilyName,
    rows,
    columns,
    fixed: fixed.map((column) => column.place),
    y: own.values,
    weights,
    offset: frame.offset?.map((value) => value / own.scale),
    terms: [],
    nests: nestsOf(frame.terms),
    priors,
  };
  refuseDependent(problem, frame.fixed);
  const information = rowInformation(problem);
  const terms = frame.terms.map((own, t): RowsTerm => {
    const term = {
      codes: own.codes,
      levels: own.levels.length,
      columns: placed[t].map((column) => column.place),
    };
    return {
      ...term,
      shifts: shiftsOf(problem, term, fixed, placed[t]),
      resolutions: resolutionsOf(problem, term, information),
    };
  });
  const whole = { ...problem, terms };
  const back = (b: Float64Array, at: number, which: readonly Placed[]): void => {
    const intercept = which.findIndex((column) => column.place === ONES);
    for (let k = 0; k < which.length; k++) b[at + k] *= own.scale / which[k].scale;
    if (intercept < 0) return;
    for (let k = 0; k < which.length; k++) b[at + intercept] -= which[k].shift * b[at + k];
  };
  return {
    problem: whole,
    read(state) {
      const beta = state.beta.slice();
      back(beta, 0, fixed);
      const intercept = fixed.findIndex((column) => column.place === ONES);
      if (intercept >= 0) beta[intercept] += own.shift;
      const parts: number[] = [...beta];
      if (family.quadratic) parts.push(own.scale * own.scale * state.noise);
      state.inverses.forEach((inverse, t) => {
        parts.push(...covarianceIn(inverted(inverse, placed[t].length), placed[t], back));
      });
      return Float64Array.from(parts);
    },
    toData(effects, t) {
      const q = placed[t].length;
      for (let at = 0; at < effects.length; at += q) back(effects, at, placed[t]);
    },
    scales: {
      target: own.scale,
      of: ({ values }) => (values ? pool.place(values, false).scale : 1),
    },
    farthest: (t) => placed[t].reduce((most, { far }) => Math.max(most, far), 0),
  };
}

/** Σ ↦ TΣT′ by two rounds of the same linear map. */
function covarianceIn(
  covariance: Float64Array,
  which: readonly Placed[],
  back: (b: Float64Array, at: number, which: readonly Placed[]) => void,
): number[] {
  const q = which.length;
  const half = which.map((_, j) => {
    const row = Float64Array.from(which, (__, k) => covariance[placeOf(j, k)]);
    back(row, 0, which);
    return row;
  });
  const columns = which.map((_, k) => {
    const column = Float64Array.from(half, (row) => row[k]);
    back(column, 0, which);
    return column;
  });
  const out: number[] = [];
  for (let j = 0; j < q; j++) for (let k = 0; k <= j; k++) out.push(columns[k][j]);
  return out;
}

function standardised(
  y: Float64Array,
  centred: boolean,
): { shift: number; scale: number; values: Float64Array } {
  if (y.every((value) => value === y[0]))
    throw new SparrowError(
      "The target has the same value in every row: there is nothing to explain.",
      "data",
    );
  const { mean, sd } = momentsOf(y);
  const shift = centred ? mean : 0;
  return { shift, scale: sd, values: y.map((value) => (value - shift) / sd) };
}

function momentsOf(values: Float64Array): { mean: number; sd: number } {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let square = 0;
  for (const value of values) square += (value - mean) ** 2 / values.length;
  return { mean, sd: Math.sqrt(square) };
}

/** Every column once, centred or not. */
function columnPool(rows: number) {
  const stored: Float64Array[] = [];
  const placed = new Map<Float64Array, Map<boolean, Placed>>();
  return {
    place(values: Float64Array, centred: boolean): Placed {
      const known = placed.get(values) ?? new Map<boolean, Placed>();
      placed.set(values, known);
      const found = known.get(centred);
      if (found) return found;
      const { mean, sd } = momentsOf(values);
      const shift = centred ? mean : 0;
      const scale = sd > 0 ? sd : 1;
      const made = { place: stored.length, shift, scale, far: Math.abs(mean) / scale };
      stored.push(values.map((value) => (value - shift) / scale));
      known.set(centred, made);
      return made;
    },
    columns(): Float64Array {
      const out = new Float64Array(stored.length * rows);
      stored.forEach((values, c) => {
        out.set(values, c * rows);
      });
      return out;
    },
  };
}

function refuseDependent(problem: RowsProblem, variables: readonly Variable[]): void {
  const { fixed, rows } = problem;
  const gram = new Float64Array(packedSize(fixed.length));
  for (let j = 0; j < fixed.length; j++) {
    const x = columnOf(problem, fixed[j]);
    for (let k = 0; k <= j; k++) {
      const other = columnOf(problem, fixed[k]);
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += (x ? x[i] : 1) * (other ? other[i] : 1);
      gram[placeOf(j, k)] = sum / rows;
    }
    const factor = gram.slice(0, packedSize(j + 1));
    if (!choleskyInPlace(factor, 0, j + 1) || factor[placeOf(j, j)] < 1e-5) {
      throw new SparrowError(
        `Column "${variables[j].name}" is a linear combination of the fixed columns before it: leave it out.`,
        "data",
      );
    }
  }
}

/** The directions in which β and the effects of a term stand for the same. */
function shiftsOf(
  problem: RowsProblem,
  { codes, levels }: { codes: Int32Array; levels: number },
  fixed: readonly Placed[],
  effects: readonly Placed[],
): Shift[] {
  const unit = (j: number): Float64Array => Float64Array.from(fixed, (_, k) => Number(j === k));
  const ones = new Float64Array(levels).fill(1);
  const intercept = fixed.findIndex((column) => column.place === ONES);
  const sameColumn = (one: Placed, other: Placed): boolean => {
    if (one.place === ONES || other.place === ONES) return one.place === other.place;
    const [a, b] = [columnOf(problem, one.place), columnOf(problem, other.place)] as Float64Array[];
    const apart = other.shift / other.scale - one.shift / one.scale;
    return one.scale === other.scale && a.every((value, i) => Math.abs(value - b[i] - apart) < 1e-9);
  };
  return effects.flatMap((effect, k) => {
    if (effect.place === ONES) {
      return fixed.flatMap((column, j) => {
        const values =
          column.place === ONES ? ones : constantWithin(columnOf(problem, column.place), codes, levels);
        return values ? [{ beta: unit(j), effect: k, values }] : [];
      });
    }
    const j = fixed.findIndex((column) => sameColumn(column, effect));
    if (j < 0) return [];
    // Where the effect's column is not centred, it is the fixed one and a part of the intercept.
    const beta = unit(j);
    const apart = (fixed[j].shift - effect.shift) / effect.scale;
    if (Math.abs(apart) > 0 && intercept < 0) return [];
    if (intercept >= 0) beta[intercept] += apart;
    return [{ beta, effect: k, values: ones }];
  });
}

function constantWithin(
  x: Float64Array | undefined,
  codes: Int32Array,
  levels: number,
): Float64Array | undefined {
  if (!x) return undefined;
  const values = new Float64Array(levels).fill(Number.NaN);
  for (let i = 0; i < x.length; i++) {
    const seen = values[codes[i]];
    if (Number.isNaN(seen)) values[codes[i]] = x[i];
    else if (seen !== x[i]) return undefined;
  }
  return values;
}

/** Which factor lies within which other, of those that both have an intercept. */
function nestsOf(terms: readonly FrameTerm[]): Nest[] {
  const intercepts = terms.map(({ variables }) => variables.findIndex(({ values }) => values === undefined));
  return terms.flatMap((fine, inner) =>
    terms.flatMap((coarse, outer) => {
      if (intercepts[inner] < 0 || intercepts[outer] < 0) return [];
      if (fine.levels.length <= coarse.levels.length) return [];
      const parents = new Int32Array(fine.levels.length).fill(-1);
      for (let i = 0; i < fine.codes.length; i++) {
        const seen = parents[fine.codes[i]];
        if (seen >= 0 && seen !== coarse.codes[i]) return [];
        parents[fine.codes[i]] = coarse.codes[i];
      }
      return [{ inner, outer, innerEffect: intercepts[inner], outerEffect: intercepts[outer], parents }];
    }),
  );
}
