/**
 * The MovieLens predictors of Song et al. (2020), supplement: genre, popularity and previous, by window queries in
 * time order.
 *
 * - genre: effect coding, Children (1,0,0), Comedy (0,1,0), Drama (0,0,1), Action (−1,−1,−1), averaged over a movie's
 *   tags. By that definition {Fantasy, Thriller, Musical} is (−2/3, −2/3, −1/3); the paper's worked example differs.
 *   Tags that belong to no category (IMAX, none) do not count; a movie without any other is at (0,0,0).
 * - popularity: logit((l + ½)/(L + 1)) over the 30 or fewer earlier ratings of the movie, l of them above 3.
 * - previous: 1 if the user's rating before this one was above 3.
 *
 * Ratings of the same second are ordered as in the file.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../../errors.js";
import { duckdbTable } from "../duckdb/duckdb-table.js";
import { type Planner, typesOf } from "../duckdb/plan.js";
import { file, literal } from "../duckdb/sql.js";
import type { Reader } from "../reader.js";
import type { ColumnTable } from "../table.js";

/** A folder with an edition of MovieLens in it: one row a rating, in the order of the file. */
export const movielens: Reader = {
  name: "movielens",
  endings: [],
  matches: ({ path, isFolder }) => isFolder && edition(path) !== undefined,
  open(paths, settings) {
    if (paths.length === 1) return movielensTable(paths[0], settings.memory);
    throw new SparrowError(
      `${paths[0]} is a folder with MovieLens in it, which is read alone, not with other files.`,
      "format",
    );
  },
};

export const MOVIELENS_COLUMNS = ["children", "comedy", "drama", "popularity", "previous"] as const;

/** The columns are userId, those above, and rating. */
export async function movielensTable(folder: string, memory?: number): Promise<ColumnTable> {
  const kind = edition(folder);
  if (!kind) {
    throw new SparrowError(
      `${folder} has neither ratings.dat and movies.dat nor ratings.csv and movies.csv.`,
      "file",
    );
  }
  const paths = ["ratings", "movies"].map((name) => join(folder, `${name}.${kind}`));
  const plan: Planner = async (connection) => {
    const from = relation(kind, paths);
    const columns = (await typesOf(connection, from)).map((column) => ({
      ...column,
      raw: "number" as const,
    }));
    return { columns, from, target: "rating", group: "userId" };
  };
  return duckdbTable(plan, paths, { name: folder, memory });
}

const CATEGORIES = {
  action: ["Action", "Adventure", "Fantasy", "Horror", "Sci-Fi", "Thriller"],
  children: ["Animation", "Children", "Children's"],
  comedy: ["Comedy"],
  drama: ["Crime", "Documentary", "Drama", "Film-Noir", "Musical", "Mystery", "Romance", "War", "Western"],
} as const;

function edition(folder: string): "dat" | "csv" | undefined {
  for (const kind of ["dat", "csv"] as const) {
    if (existsSync(join(folder, `ratings.${kind}`)) && existsSync(join(folder, `movies.${kind}`)))
      return kind;
  }
  return undefined;
}

/** In SQL, over the two files. Windows and joins leave rows in any order, so they are put back into that of the file. */
function relation(kind: "dat" | "csv", [ratingsPath, moviesPath]: readonly string[]): string {
  const format = kind === "dat" ? "delim = '::', header = false, quote = ''" : "delim = ',', header = true";
  const read = (path: string, types: string): string =>
    `read_csv(${file(path)}, ${format}, hive_partitioning = false, auto_detect = false, columns = {${types}})`;
  const ratings = read(
    ratingsPath,
    "'userId': 'INTEGER', 'movieId': 'INTEGER', 'rating': 'FLOAT', 'timestamp': 'BIGINT'",
  );
  const movies = read(moviesPath, "'movieId': 'INTEGER', 'title': 'VARCHAR', 'genres': 'VARCHAR'");
  const count = (category: keyof typeof CATEGORIES): string =>
    `len(list_filter(tags, lambda tag: tag IN (${CATEGORIES[category].map(literal).join(", ")})))`;
  return `(
    WITH tagged AS (
      SELECT movieId, ${count("action")} AS a, ${count("children")} AS c, ${count("comedy")} AS f, ${count("drama")} AS d
      FROM (SELECT movieId, string_split(genres, '|') AS tags FROM ${movies})
    ), coded AS (
      SELECT movieId, (c - a) / greatest(a + c + f + d, 1) AS children, (f - a) / greatest(a + c + f + d, 1) AS comedy,
        (d - a) / greatest(a + c + f + d, 1) AS drama
      FROM tagged
    ), ordered AS (
      SELECT *, row_number() OVER () AS place FROM ${ratings}
    ), recent AS (
      SELECT userId, movieId, rating, place,
        count(*) OVER earlier AS total,
        coalesce(sum((rating > 3)::INTEGER) OVER earlier, 0) AS liked,
        coalesce(lag((rating > 3)::INTEGER) OVER (PARTITION BY userId ORDER BY timestamp, place), 0) AS previous
      FROM ordered
      WINDOW earlier AS (PARTITION BY movieId ORDER BY timestamp, place ROWS BETWEEN 30 PRECEDING AND 1 PRECEDING)
    )
    SELECT userId, coalesce(children, 0) AS children, coalesce(comedy, 0) AS comedy, coalesce(drama, 0) AS drama,
      ln((liked + 0.5) / (total - liked + 0.5)) AS popularity, previous, rating
    FROM recent LEFT JOIN coded USING (movieId)
    ORDER BY place
  )`;
}
