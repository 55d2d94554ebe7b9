/**
 * Every pair of columns, by their sketches. Two columns with scores a and b and correlation −ρ (signs turned so that
 * both scores are positive) explain together
 *
 *     χ² = (a² + b² + 2ρab) / (1 − ρ²)
 *
 * which can be large although a and b are small; with a positive correlation, too, if one of the scores is much
 * smaller than the other. Columns come sorted by their scores, so that for a tile of pairs one ρ can be named that the
 * strongest of them would need; only pairs whose sketches come near it are looked at.
 */

import type { Kernels } from "../../kernels/interface.js";
import type { Arena } from "../../store/batch/arena.js";
import type { Store } from "../../store/store.js";
import { pass } from "../../workers/job.js";

export interface PairScanInput {
  /** Unit sketches of `count` columns, `length` numbers each, by falling score, turned so that scores are positive. */
  readonly sketches: Float32Array;
  readonly count: number;
  readonly length: number;
  /** Scores over the noise's standard deviation. */
  readonly strength: Float64Array;
  /** The χ² from which on a pair is worth a closer look. */
  readonly least: number;
  /** Correlations beyond this make neighbours. */
  readonly near: number;
  /** Pairs whose first column is in this range, the second after it. */
  readonly first: number;
  readonly last: number;
}

export interface PairScan {
  /** Positions, two a pair. */
  readonly pairs: Int32Array;
  readonly worth: Float64Array;
  /** The strongest neighbours of every column, NEIGHBOURS places each: −1 where there are fewer. */
  readonly neighbours: Int32Array;
  readonly closeness: Float32Array;
}

export const NEIGHBOURS = 6;
/** Pairs that are handed on. */
const KEPT = 256;
/** Columns of a tile. */
const TILE = 256;
/** Standard deviations that a sketched correlation may fall short of the one that is needed. */
const SLACK = 2.5;
/** From here on correlations are worked out to the last digit: what is left of one column after the other depends on it. */
const CLOSE = 0.9;
/** Two sketches are never told apart further than this. */
const CLOSEST = 1 - 1e-6;

export function scanPairs(store: Store, arena: Arena, job: PairScanInput): PairScan {
  const { kernels } = store;
  const { count, strength, least, near } = job;
  const short = shortSketches(kernels, arena, job);
  const { found } = short;
  const best = strongest();
  const lists = neighbourLists(count);
  const deviation = 1 / Math.sqrt(job.length);
  // A tile stays at hand while all columns before its end are compared with it.
  for (let from = short.origin; from < count; from += TILE) {
    for (let i = job.first; i < Math.min(job.last, from + TILE); i += 2) {
      const second = strength[Math.max(from, i)];
      const negative = -atLeast(neededCorrelation(strength[i], second, least), deviation);
      // At its best with a second score of nought.
      const positive = atLeast(neededCorrelation(strength[i], 0, least), deviation);
      // What no pair of the tile can be and what is no neighbour either is passed over.
      const many = short.far(i, from, Math.max(negative, -near), Math.min(positive, near));
      // Millions come this way where columns are sparse.
      const size = short.size(from);
      for (let f = 0; f < many; f++) {
        const place = found[2 * f];
        const a = place < size ? i : i + 1;
        const b = from + place - (place < size ? 0 : size);
        if (a >= job.last || b <= a || b >= count) continue;
        const rough = found[2 * f + 1] / (ONE * ONE);
        const counts = rough <= negative + short.error || rough >= positive - short.error;
        if (counts && best.wants(mostWorth(strength[a], strength[b], rough, short.error), least)) {
          // Whole numbers tell sketches apart further than sketches tell columns, but for columns that are nearly the same.
          const r = Math.abs(rough) < CLOSE ? rough : sketchedCorrelation(job, a, b);
          if (r <= negative || r >= positive) best.offer(a, b, worthOf(strength[a], strength[b], r), least);
        }
        if (rough >= near || rough <= -near) lists.offer(a, b, rough);
      }
    }
  }
  const { neighbours, closeness } = lists;
  return { ...best.kept(), neighbours, closeness };
}

/** One, in whole numbers of 16 bits. */
const ONE = 2 ** 15 - 1;
/** Columns that lie together, two of their numbers at a time (`farProducts`). */
const TOGETHER = 16;

/** The columns from the first on in whole numbers: products of two are four times as quick, and off by 4e-4 at most. */
function shortSketches(kernels: Kernels, arena: Arena, { sketches, count, length, first }: PairScanInput) {
  const padded = length + (length % 2);
  const origin = TOGETHER * Math.floor(first / TOGETHER);
  // Two columns at a time against all: some of the last may be empty.
  const places = TOGETHER * Math.ceil((count + 1) / TOGETHER) - origin;
  const [columns, panel] = [0, 1].map(() => arena.vector((places * padded) / 2));
  kernels.fill(columns.pointer, 0, columns.length);
  const given = arena.vector(TILE * length);
  const numbers = new Float32Array(kernels.memory.buffer, given.pointer, given.length);
  for (let from = origin; from < count; from += TILE) {
    const to = Math.min(count, from + TILE);
    numbers.set(sketches.subarray(from * length, to * length));
    for (let j = from; j < to; j++) {
      const out = columns.pointer + 2 * padded * (j - origin);
      kernels.shorten(out, given.pointer + 4 * length * (j - from), ONE, length);
    }
  }
  kernels.weave(panel.pointer, columns.pointer, places, padded);
  const written = arena.vector(4 * TILE);
  const at = (j: number): number => columns.pointer + 2 * padded * (j - origin);
  // Halves of a unit, times the sum of a vector's sizes, which is no more than the root of its length.
  const error = Math.sqrt(length) / ONE + length / (2 * ONE) ** 2;
  /** Columns of the tile that begins there. */
  const size = (from: number): number => Math.min(TILE, origin + places - from);
  return {
    origin,
    error,
    size,
    /** Of every pair that was found the place in the tile, for the second column behind all of the first, and the product. */
    found: new Int32Array(kernels.memory.buffer, written.pointer, written.length),
    /** Columns i and i + 1 against a tile: how many pairs there are whose correlation may lie outside (low, high). */
    far(i: number, from: number, low: number, high: number): number {
      const [most, fewest] = [Math.ceil((low + error) * ONE * ONE), Math.floor((high - error) * ONE * ONE)];
      const tile = [at(i), at(i + 1), panel.pointer + 2 * padded * (from - origin)] as const;
      return kernels.farProducts(written.pointer, ...tile, size(from), padded, most, fewest);
    },
  };
}

export function sketchedCorrelation(
  { sketches, length }: Pick<PairScanInput, "sketches" | "length">,
  a: number,
  b: number,
): number {
  let sum = 0;
  for (let x = 0; x < length; x++) sum += sketches[a * length + x] * sketches[b * length + x];
  return sum;
}

export const pairScanJob = pass("pair-scan", scanPairs);

/** What the sketched correlation may be where the correlation is the one that is needed. */
function atLeast(needed: number, deviation: number): number {
  return needed - SLACK * (1 - needed * needed) * deviation;
}

/** The ρ at which scores a and b reach a χ². */
export function neededCorrelation(a: number, b: number, least: number): number {
  if (least === Number.POSITIVE_INFINITY) return 1;
  const room = least - a * a - b * b;
  if (room <= 0) return 0;
  return Math.max(0, (Math.sqrt(a * a * b * b + least * room) - a * b) / least);
}

/** χ² of a pair less the log of its determinant: twice what it adds to the log evidence, but for a constant. */
export function worthOf(a: number, b: number, r: number): number {
  const rho = Math.max(-CLOSEST, Math.min(CLOSEST, r));
  const left = 1 - rho * rho;
  const together = (a * a + b * b - 2 * rho * a * b) / left;
  // Two columns that explain no more together than one by one need no second look.
  return together - a * a - b * b < SYNERGY ? Number.NEGATIVE_INFINITY : together - Math.log(left);
}
export const SYNERGY = 4;

/** No correlation so near to this one is worth more. */
function mostWorth(a: number, b: number, r: number, error: number): number {
  const [low, high] = [Math.abs(r) - error, Math.min(CLOSEST, Math.abs(r) + error)];
  const product = r > 0 ? -low : high;
  const left = 1 - high * high;
  return (a * a + b * b + 2 * product * a * b) / left - Math.log(left);
}

/** The pairs of most worth. */
function strongest() {
  let held: { a: number; b: number; worth: number }[] = [];
  let bar = Number.NEGATIVE_INFINITY;
  const cut = () => {
    held.sort((x, y) => y.worth - x.worth || x.a - y.a || x.b - y.b);
    held = held.slice(0, KEPT);
    if (held.length === KEPT) bar = held[KEPT - 1].worth;
  };
  const wants = (worth: number, least: number): boolean => worth >= least && worth > bar;
  return {
    wants,
    offer(a: number, b: number, worth: number, least: number): void {
      if (!wants(worth, least)) return;
      held.push({ a, b, worth });
      if (held.length >= 4 * KEPT) cut();
    },
    kept() {
      cut();
      return {
        pairs: Int32Array.from(held.flatMap(({ a, b }) => [a, b])),
        worth: Float64Array.from(held, ({ worth }) => worth),
      };
    },
  };
}

/** For every column a short list, strongest first. Nobody is put on a list twice. */
export function neighbourLists(count: number) {
  const neighbours = new Int32Array(count * NEIGHBOURS).fill(-1);
  const closeness = new Float32Array(count * NEIGHBOURS);
  const put = (of: number, other: number, r: number): void => {
    const start = of * NEIGHBOURS;
    const strength = Math.abs(r);
    let place = start + NEIGHBOURS - 1;
    if (neighbours[place] >= 0 && Math.abs(closeness[place]) >= strength) return;
    for (; place > start; place--) {
      if (neighbours[place - 1] >= 0 && Math.abs(closeness[place - 1]) >= strength) break;
      neighbours[place] = neighbours[place - 1];
      closeness[place] = closeness[place - 1];
    }
    neighbours[place] = other;
    closeness[place] = r;
  };
  return {
    neighbours,
    closeness,
    put,
    offer(a: number, b: number, r: number): void {
      put(a, b, r);
      put(b, a, r);
    },
    holds: (of: number, other: number): boolean =>
      neighbours.subarray(of * NEIGHBOURS, (of + 1) * NEIGHBOURS).includes(other),
  };
}
