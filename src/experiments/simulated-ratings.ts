/**
 * Ratings of the shape of MovieLens 10M, from the mixed model itself: users and movies with heavy-tailed counts,
 * genres, and ratings in time order whose popularity and previous predictors come from the ratings before them.
 * Rounded to half stars between 0.5 and 5. A user may rate a movie twice, which the real files do not have.
 */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { aliasTable } from "../math/alias.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import { shuffle } from "../math/shuffle.js";

export interface RatingsShape {
  readonly users: number;
  readonly movies: number;
  readonly ratings: number;
  /** Intercept, children, comedy, drama, popularity, previous. */
  readonly beta: readonly number[];
  readonly noiseVariance: number;
  readonly effectVariances: readonly number[];
}

/** Counts of MovieLens 10M; parameters near those that the paper's model finds there. */
export const MOVIELENS_10M: RatingsShape = {
  users: 71_567,
  movies: 10_681,
  ratings: 10_000_054,
  beta: [3.4, -0.08, -0.02, 0.11, 0.37, 0.19],
  noiseVariance: 0.75,
  effectVariances: [0.17, 0.32, 0.1, 0.055, 0.023, 0.048],
};

/** The same with fewer users, and movies and ratings in proportion. */
export function proportional(users: number): RatingsShape {
  const share = users / MOVIELENS_10M.users;
  return {
    ...MOVIELENS_10M,
    users,
    movies: Math.max(10, Math.round(MOVIELENS_10M.movies * share)),
    ratings: Math.round(MOVIELENS_10M.ratings * share),
  };
}

const GENRES: readonly (readonly [string, number])[] = [
  ["Action", 0],
  ["Thriller", 0],
  ["Sci-Fi", 0],
  ["Children", 1],
  ["Comedy", 2],
  ["Drama", 3],
  ["Romance", 3],
  ["Crime", 3],
];
const RECENT = 30;
const FEWEST = 20;

/** Writes ratings.dat and movies.dat into a folder. */
export async function simulateRatings(
  rng: Rng,
  folder: string,
  shape: RatingsShape,
  run: { signal?: AbortSignal | undefined; onProgress?: (ratings: number) => void } = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const genre = writeMovies(rng, join(folder, "movies.dat"), shape.movies);
  const { users, movies, beta, effectVariances } = shape;
  const order = shuffledTurns(rng, heavyTailed(rng, users, shape.ratings));
  const films = aliasTable(Float64Array.from({ length: movies }, () => Math.exp(1.8 * normal(rng))));
  const noise = Math.sqrt(shape.noiseVariance);
  const width = beta.length;
  const coefficients = new Float64Array(users * width);
  for (let i = 0; i < coefficients.length; i++) {
    coefficients[i] = beta[i % width] + Math.sqrt(effectVariances[i % width]) * normal(rng);
  }
  // The last 30 ratings of a movie are 30 bits; those above 3 are set.
  const history = new Uint32Array(movies);
  const seen = new Uint8Array(movies);
  const likedLast = new Uint8Array(users);
  const file = openSync(join(folder, "ratings.dat"), "w");
  let lines: string[] = [];
  for (let t = 0; t < order.length; t++) {
    const user = order[t];
    const movie = films.draw(rng);
    const liked = bitCount(history[movie]);
    const popularity = Math.log((liked + 0.5) / (seen[movie] - liked + 0.5));
    const c = user * width;
    const exact =
      coefficients[c] +
      coefficients[c + 1] * genre[3 * movie] +
      coefficients[c + 2] * genre[3 * movie + 1] +
      coefficients[c + 3] * genre[3 * movie + 2] +
      coefficients[c + 4] * popularity +
      coefficients[c + 5] * likedLast[user] +
      noise * normal(rng);
    const rating = Math.min(5, Math.max(0.5, Math.round(2 * exact) / 2));
    const good = Number(rating > 3);
    likedLast[user] = good;
    history[movie] = ((history[movie] << 1) | good) & (2 ** RECENT - 1);
    if (seen[movie] < RECENT) seen[movie]++;
    lines.push(`${user + 1}::${movie + 1}::${rating}::${800_000_000 + 40 * t}`);
    if (lines.length === 65_536 || t === order.length - 1) {
      writeSync(file, `${lines.join("\n")}\n`);
      lines = [];
      run.onProgress?.(t + 1);
      // Ctrl-C is heard between turns of the event loop.
      await setImmediate();
      if (run.signal?.aborted) {
        closeSync(file);
        throw run.signal.reason;
      }
    }
  }
  closeSync(file);
}

/** Writes the movies with one to three tags each; returns the effect coding of each, three numbers a movie. */
function writeMovies(rng: Rng, path: string, movies: number): Float64Array {
  const coding = new Float64Array(3 * movies);
  const lines: string[] = [];
  for (let movie = 0; movie < movies; movie++) {
    const tags = new Set<number>();
    const wanted = 1 + rng.below(3);
    while (tags.size < wanted) tags.add(rng.below(GENRES.length));
    for (const tag of tags) {
      const category = GENRES[tag][1];
      for (let k = 0; k < 3; k++) {
        coding[3 * movie + k] += (category === 0 ? -1 : Number(category === k + 1)) / tags.size;
      }
    }
    const names = [...tags].map((tag) => GENRES[tag][0]).join("|");
    lines.push(`${movie + 1}::Simulated film ${movie + 1} (${1930 + rng.below(80)})::${names}`);
  }
  const file = openSync(path, "w");
  writeSync(file, `${lines.join("\n")}\n`);
  closeSync(file);
  return coding;
}

/** How many ratings each user gives: at least 20 where that fits, with a log-normal tail, exactly `total` in all. */
function heavyTailed(rng: Rng, users: number, total: number): Uint32Array {
  const fewest = Math.min(FEWEST, Math.floor(total / users));
  const weights = Float64Array.from({ length: users }, () => Math.exp(1.3 * normal(rng)));
  const sum = weights.reduce((a, b) => a + b, 0);
  const spare = total - users * fewest;
  const counts = Uint32Array.from(weights, (w) => fewest + Math.floor((w / sum) * spare));
  let left = total - counts.reduce((a, b) => a + b, 0);
  while (left-- > 0) counts[rng.below(users)]++;
  return counts;
}

function shuffledTurns(rng: Rng, counts: Uint32Array): Uint32Array {
  const turns = new Uint32Array(counts.reduce((a, b) => a + b, 0));
  let at = 0;
  for (const [user, count] of counts.entries()) {
    turns.fill(user, at, at + count);
    at += count;
  }
  shuffle(rng, turns);
  return turns;
}

function bitCount(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
