/** Columns that are no variables, or are others than they look. */

import { base, type Columns, type Value, withColumn, withZ, written } from "./base.js";
import type { MessyCase } from "./case.js";

const clean = () => ({ ...base() });
const first = (columns: Columns, name: string, of: (i: number) => Value): Columns => ({
  [name]: columns.y.map((_, i) => of(i)),
  ...columns,
});
const scattered = (i: number): number => 100_000 + ((i * 7919) % 99_991);
const aside = (text: string, keep: string, many = false): string =>
  `${text} ${many ? "name their rows" : "names its row"}: set aside; --keep ${keep} takes ${many ? "them" : "it"} in.`;

/** Very many rare towns, and some frequent ones. */
const crowded = (): Columns => {
  const { who, x, z, g, y } = base();
  const again = <T>(values: readonly T[]) =>
    Array.from({ length: 2600 }, (_, i) => values[i % values.length]);
  const town = Array.from({ length: 2600 }, (_, i) =>
    i % 2 === 0 ? `big ${i % 5}` : `small ${(i >> 1) % 1100}`,
  );
  return { who: again(who), x: again(x), z: again(z), g: again(g), town, y: again(y) };
};
const fewer = (): Columns => {
  const all = crowded();
  return { ...all, town: all.town.map((name) => (String(name).startsWith("small") ? "other" : name)) };
};

const manyTexts = (): Columns => {
  const { y, ...others } = base();
  const texts = Array.from({ length: 7 }, (_, k) => [
    `t${k}`,
    y.map((_, i) => "ab"[((i * (2 * k + 3)) % 7) % 2]),
  ]);
  return { ...others, ...Object.fromEntries(texts), y };
};

export const columnCases: readonly MessyCase[] = [
  {
    file: "running-number.csv",
    content: () => written(first(base(), "row", (i) => i + 1)),
    ...{ twin: clean, notes: [aside('"row" (a running number)', "row")] },
  },
  {
    file: "index-of-a-data-frame.csv",
    content: () => written(first(base(), "", (i) => i)),
    ...{ twin: clean, notes: [aside('"column1" (a running number)', "column1")], cells: "none" },
  },
  {
    file: "numbers-that-name.csv",
    content: () => written(first(base(), "customer_id", scattered)),
    ...{ twin: clean, notes: [aside('"customer_id" (different in every row)', "customer_id")] },
  },
  {
    file: "texts-that-name.csv",
    content: () => written(first(base(), "person", (i) => `Person ${i}`)),
    ...{ twin: clean, notes: [aside('"person" (different in every row)', "person")] },
  },
  {
    file: "several-names.csv",
    content: () =>
      written(
        first(
          first(base(), "person", (i) => `P${i}`),
          "Id",
          (i) => i + 1,
        ),
      ),
    twin: clean,
    notes: [aside('"Id" (a running number), "person" (different in every row)', "Id,person", true)],
  },
  {
    ...{ file: "running-number-kept.csv", options: { keep: ["row"] } },
    content: () => written(first(base(), "row", (i) => i + 1)),
    ...{ twin: () => first(base(), "row", (i) => i + 1), twinOptions: { keep: ["row"] } },
  },
  {
    file: "measurement-without-ties.csv",
    content: () => written(withColumn("weight", scattered)),
    twin: () => withColumn("weight", scattered),
  },
  {
    file: "years-that-run.csv",
    content: () => written(withColumn("year", (i) => 1970 + i)),
    twin: () => withColumn("year", (i) => 1970 + i),
  },
  {
    file: "texts-that-hardly-repeat.csv",
    content: () => written(withColumn("ticket", (i) => `T${i % 40}`)),
    ...{ twin: clean },
    notes: [
      '"ticket" (40 different values in 48 rows) has too many values to be categories: set aside; --keep ticket takes it in.',
    ],
  },
  {
    ...{
      file: "too-many-towns.csv",
      content: () => written(crowded()),
      twin: fewer,
      mixed: false,
      isLong: true,
    },
    notes: ['"town" has too many values: the 5 most frequent are kept, the others are called "other".'],
  },
  { file: "many-texts.csv", content: () => written(manyTexts()), twin: manyTexts },
  {
    file: "nearly-empty.csv",
    content: () => written(withColumn("extra", (i) => (i < 3 ? i : null))),
    twin: () => withColumn("extra", (i) => (i < 3 ? i : null)),
  },
  {
    ...{ file: "missing-as-a-level.csv", options: { missingLevel: ["roof"] } },
    content: () => written(withColumn("roof", (i) => (i % 4 === 1 ? "" : "ab"[i % 2]))),
    twin: () => withColumn("roof", (i) => (i % 4 === 1 ? "missing" : "ab"[i % 2])),
    notes: ['Missing values of "roof" are a level of its own.'],
  },
  {
    ...{ file: "numbers-as-categories.csv", options: { categorical: ["shape"] } },
    content: () => written(withColumn("shape", (i) => 1 + (i % 3))),
    ...{ twin: () => withColumn("shape", (i) => String(1 + (i % 3))), twinOptions: { text: ["shape"] } },
  },
  {
    file: "none-among-words.csv",
    content: () => written(withColumn("pool", (i) => ["None", "small", "large"][i % 3])),
    twin: () => withColumn("pool", (i) => ["None", "small", "large"][i % 3]),
  },
  {
    file: "question-marks-among-words.csv",
    content: () => written(withColumn("job", (i) => ["?", "clerk", "cook", "clerk"][(i * 3) % 4])),
    twin: () => withColumn("job", (i) => [null, "clerk", "cook", "clerk"][(i * 3) % 4]),
    notes: ['"?" counts as missing in "job".'],
  },
  {
    file: "capital-letters.csv",
    content: () => written(withColumn("sex", (i) => ["male", "Male", "female"][(i * 5) % 3])),
    twin: () => withColumn("sex", (i) => ["male", "Male", "female"][(i * 5) % 3]),
  },
  {
    file: "yes-and-no.csv",
    content: () => written(withColumn("smoker", (i) => ["yes", "no", "No"][(i * 5) % 3])),
    twin: () => withColumn("smoker", (i) => (i * 5) % 3 === 0),
  },
  {
    file: "two-of-one-name.csv",
    content: () => written(withColumn("g=west", (i) => i % 2)),
    says: 'FILE: two variables would be called "g=west", a column and a value of another one; rename the column, or leave one out with --exclude.',
    mixed: false,
  },
  {
    file: "words-of-its-own.csv",
    content: () => written(withZ((_, i) => `${["S", "M", "L", "XL", "38"][i % 5]}`)),
    ...{ twin: () => withZ((_, i) => `${["S", "M", "L", "XL", "38"][i % 5]}`), mixed: false },
  },
];
