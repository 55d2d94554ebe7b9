/** What a pass over all columns saw: those that are compared with each other, in order, and those that are not. */

import type { Outside } from "../certify/certificate.js";
import type { Problem } from "../posterior/problem.js";
import type { Sketched } from "./groups.js";
import { FLIPS } from "./residual-panel.js";
import type { ResidualScores } from "./residual-scores.js";

/** The most products that comparing all sketches may take. */
const SCAN_WORK = 1.6e10;
/** From so many columns on, those are not compared whose sketch rests on no more than so many numbers. */
const MANY_SKETCHES = 5000;
const NARROW = 5;

export interface Seen {
  readonly sketched: Sketched;
  /** Columns of the store, in the order of the sketches, and whether their sign was turned. */
  readonly columns: readonly number[];
  readonly turned: readonly boolean[];
  /** Those of which the sketches say nothing, or for which there was no room. */
  readonly unpaired: readonly number[];
  /** Whether there was no room for those with the smallest scores. */
  readonly isCut: boolean;
  /** Standard deviation of the noise, in which scores are measured. */
  readonly noise: number;
}

/** All columns of which the model leaves something, by falling score and turned so that scores are positive. */
export function gathered(
  problem: Problem,
  parts: readonly ResidualScores[],
  known: Outside | undefined,
): Seen {
  const { family } = problem.target;
  const noise = Math.sqrt(family.quadratic ? (problem.spec.noiseVariance ?? parts[0].dispersion) : 1);
  const length = parts[0].sketch.length / parts[0].score.length;
  const score = new Float64Array(problem.store.layout.columns);
  for (const part of parts) score.set(part.score, part.first);
  // Where the pass saw some of the rows only, all of them have more to say.
  known?.score.forEach((value, j) => {
    if (value !== 0 && score[j] !== 0) score[j] = value;
  });
  const most = Math.floor(Math.sqrt((2 * SCAN_WORK) / length));
  const all = problem.usable.filter((j) => score[j] !== 0);
  const narrow = all.length > MANY_SKETCHES ? narrowOnes(parts, all, length) : new Set<number>();
  const wide = all
    .filter((j) => !narrow.has(j))
    .sort((a, b) => Math.abs(score[b]) - Math.abs(score[a]) || a - b);
  const columns = wide.slice(0, most);
  const sketches = new Float32Array(columns.length * length);
  columns.forEach((j, at) => {
    const own = sketches.subarray(at * length, (at + 1) * length);
    own.set(sketchOf(parts, j, length));
    if (score[j] < 0) turn(own);
  });
  const strength = Float64Array.from(columns, (j) => Math.abs(score[j]) / noise);
  return {
    sketched: { sketches, length, count: columns.length, strength },
    columns,
    turned: columns.map((j) => score[j] < 0),
    unpaired: [...wide.slice(most), ...narrow],
    isCut: wide.length > most,
    noise,
  };
}

function turn(sketch: Float32Array): void {
  for (let x = 0; x < sketch.length; x++) sketch[x] = -sketch[x];
}

function sketchOf(parts: readonly ResidualScores[], j: number, length: number): Float32Array {
  const { first, sketch } = parts.findLast((part) => part.first <= j)!;
  return sketch.subarray((j - first) * length, (j - first + 1) * length);
}

/**
 * Columns whose sketch rests on a few of its numbers, 1/Σs⁴ of them: those of a few entries. By chance they are close to
 * one in `length` of their like, so that among many everybody seems to have neighbours.
 */
function narrowOnes(
  parts: readonly ResidualScores[],
  columns: readonly number[],
  length: number,
): Set<number> {
  const isNarrow = (j: number): boolean => {
    const sketch = sketchOf(parts, j, length);
    let sum = 0;
    for (let x = 0; x < length; x++) {
      const square = sketch[x] * sketch[x];
      sum += square * square;
    }
    return NARROW * sum > 1;
  };
  return new Set(columns.filter(isNarrow));
}

/** In the order of the sketches, and turned with them; and sums of squares over all columns without a sketch. */
export function flipsOf(
  parts: readonly ResidualScores[],
  { columns, turned, unpaired, noise }: Seen,
  total: number,
): { readonly paired: Float32Array; readonly rest: Float64Array } {
  const width = FLIPS + 1;
  const unit = 1 / noise;
  const paired = new Float32Array(columns.length * width);
  const rest = new Float64Array(width);
  const NOWHERE = -1;
  const UNPAIRED = -2;
  const places = new Int32Array(total).fill(NOWHERE);
  columns.forEach((j, at) => {
    places[j] = at;
  });
  for (const j of unpaired) places[j] = UNPAIRED;
  for (const { first, flipped } of parts) {
    for (let from = 0, j = first; from < flipped.length; from += width, j++) {
      const at = places[j];
      if (at === NOWHERE) continue;
      if (at === UNPAIRED) for (let k = 0; k < width; k++) rest[k] += (unit * flipped[from + k]) ** 2;
      else {
        const turn = turned[at] ? -unit : unit;
        for (let k = 0; k < width; k++) paired[at * width + k] = turn * flipped[from + k];
      }
    }
  }
  return { paired, rest };
}
