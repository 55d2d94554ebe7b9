import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { simulateRatings } from "../../src/experiments/simulated-ratings.js";
import { Rng } from "../../src/math/rng.js";
import { addRow, type CrossProducts, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";
import { type Grouped, grouped } from "../../src/mixed/read/grouped.js";
import { mixed } from "../../src/node.js";
import { MOVIELENS_COLUMNS, movielensTable } from "../../src/tables/readers/movielens.js";

const folder = mkdtempSync(join(tmpdir(), "movielens-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function movielens(path: string): Promise<Grouped> {
  const table = await movielensTable(path);
  try {
    return await grouped(table, { target: "rating", group: "userId", columns: MOVIELENS_COLUMNS });
  } finally {
    table.close?.();
  }
}

const movies: Record<number, { tags: string; coding: number[] }> = {
  1: { tags: "Fantasy|Thriller|Musical", coding: [-2 / 3, -2 / 3, -1 / 3] },
  2: { tags: "Children's|Comedy", coding: [1 / 2, 1 / 2, 0] },
  3: { tags: "Drama|IMAX", coding: [0, 0, 1] },
  4: { tags: "(no genres listed)", coding: [0, 0, 0] },
  5: { tags: "Comedy|Action", coding: [-1 / 2, 0, -1 / 2] },
};
interface Rating {
  user: number;
  movie: number;
  rating: number;
  time: number;
}

/** The definition, by loops. */
function byHand(ratings: readonly Rating[], coding: (movie: number) => number[]): CrossProducts {
  const users = [...new Set(ratings.map(({ user }) => String(user)))].sort();
  const data = emptyCrossProducts(["(intercept)", ...MOVIELENS_COLUMNS], "rating", users);
  const inTime = ratings
    .map((rating, place) => ({ ...rating, place }))
    .sort((a, b) => a.time - b.time || a.place - b.place);
  for (const [at, { user, movie, rating }] of inTime.entries()) {
    const earlier = inTime.slice(0, at);
    const recent = earlier.filter((other) => other.movie === movie).slice(-30);
    const liked = recent.filter((other) => other.rating > 3).length;
    const last = earlier.filter((other) => other.user === user).at(-1);
    const share = (liked + 0.5) / (recent.length + 1);
    const row = [1, ...coding(movie), Math.log(share / (1 - share)), Number((last?.rating ?? 0) > 3), rating];
    addRow(data, users.indexOf(String(user)), row);
  }
  return data;
}

function expectSame(ours: CrossProducts, theirs: CrossProducts): void {
  expect(ours.groups).toEqual(theirs.groups);
  expect(ours.columns).toEqual(theirs.columns);
  expect([...ours.rows]).toEqual([...theirs.rows]);
  for (const [i, value] of theirs.values.entries()) expect(ours.values[i]).toBeCloseTo(value, 8);
}

/** Movie 1 has more than thirty ratings, and several ratings share a second. */
const rng = Rng.seeded(21);
const ratings: Rating[] = Array.from({ length: 120 }, () => ({
  user: 1 + rng.below(6),
  movie: rng.uniform() < 0.4 ? 1 : 1 + rng.below(5),
  rating: (1 + rng.below(10)) / 2,
  time: 1000 + rng.below(60),
}));
const coding = (movie: number): number[] => movies[movie].coding;

it("reads ratings.dat and movies.dat as the definition says", async () => {
  const dat = join(folder, "dat");
  mkdirSync(dat);
  const films = Object.entries(movies).map(
    ([id, { tags }]) => `${id}::A "title", with: marks (1999)::${tags}`,
  );
  writeFileSync(join(dat, "movies.dat"), `${films.join("\n")}\n`);
  const lines = ratings.map(({ user, movie, rating, time }) => `${user}::${movie}::${rating}::${time}`);
  writeFileSync(join(dat, "ratings.dat"), `${lines.join("\n")}\n`);
  const { data, rows } = await movielens(dat);
  expect(rows).toBe(120);
  expectSame(data, byHand(ratings, coding));
});

it("reads the CSV edition to the same numbers", async () => {
  const csv = join(folder, "csv");
  mkdirSync(csv);
  const films = Object.entries(movies).map(
    ([id, { tags }]) => `${id},"A ""title"", with: marks (1999)",${tags}`,
  );
  writeFileSync(join(csv, "movies.csv"), `movieId,title,genres\n${films.join("\n")}\n`);
  const lines = ratings.map(({ user, movie, rating, time }) => `${user},${movie},${rating},${time}`);
  writeFileSync(join(csv, "ratings.csv"), `userId,movieId,rating,timestamp\n${lines.join("\n")}\n`);
  expectSame((await movielens(csv)).data, byHand(ratings, coding));
});

it("says what a folder lacks", async () => {
  await expect(movielens(folder)).rejects.toThrow(/neither ratings.dat and movies.dat nor/);
});

it("simulates ratings of the shape that was asked for, which read back as the definition says", async () => {
  const out = join(folder, "simulated");
  const shape = {
    users: 40,
    movies: 15,
    ratings: 1500,
    beta: [3.4, -0.08, -0.02, 0.11, 0.37, 0.19],
    noiseVariance: 0.75,
    effectVariances: [0.17, 0.32, 0.1, 0.055, 0.023, 0.048],
  };
  await simulateRatings(Rng.seeded(22), out, shape);
  const lines = readFileSync(join(out, "ratings.dat"), "utf8").trim().split("\n");
  const simulated = lines.map((line) => {
    const [user, movie, rating, time] = line.split("::").map(Number);
    return { user, movie, rating, time };
  });
  expect(simulated).toHaveLength(1500);
  expect(new Set(simulated.map(({ user }) => user)).size).toBe(40);
  expect(simulated.every(({ rating }) => rating >= 0.5 && rating <= 5 && Number.isInteger(2 * rating))).toBe(
    true,
  );
  const counts = simulated.reduce(
    (map, { user }) => map.set(user, (map.get(user) ?? 0) + 1),
    new Map<number, number>(),
  );
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(20);
  expect(Math.max(...counts.values())).toBeGreaterThan(80);

  const { data } = await movielens(out);
  const plain = byHand(simulated, () => [0, 0, 0]);
  // Everything but the genre columns: elements (popularity, previous, rating) of the triangle.
  for (const at of [0, 10, 14, 15, 19, 20, 21, 25, 26, 27]) {
    for (let i = 0; i < 40; i++) expect(data.values[i * 28 + at]).toBeCloseTo(plain.values[i * 28 + at], 8);
  }
});

it.each([
  [50, 2],
  [140, 3],
])("simulated ratings of %i users have a mode and chains that end, seed %i", async (users, seed) => {
  const out = join(folder, `ratings-${users}-${seed}`);
  await simulateRatings(Rng.seeded(seed), out, {
    users,
    movies: 200,
    ratings: 60 * users,
    beta: [3.4, -0.08, -0.02, 0.11, 0.37, 0.19],
    noiseVariance: 0.75,
    effectVariances: [0.17, 0.32, 0.1, 0.055, 0.023, 0.048],
  });
  const { result } = await mixed(out, { method: "esgld", iterations: 500, chains: 2 });
  expect(result.groups).toBe(users);
  expect(result.random.sd).toHaveLength(6);
  for (const { mean, sd } of [...result.fixed, ...result.random.sd]) {
    expect(Number.isFinite(mean)).toBe(true);
    expect(sd).toBeGreaterThan(0);
  }
  // Ratings are rounded to half stars and clipped, which takes a quarter of the noise or so.
  expect(result.noiseVariance?.mean).toBeGreaterThan(0.45);
  expect(result.noiseVariance?.mean).toBeLessThan(0.8);
});
