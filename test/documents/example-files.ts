/** Small files of the right shape under the names that the documents use, in a folder that stands for the reader's. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { database } from "../../src/tables/duckdb/database.js";
import { sparrow } from "../cli/fake-effects.js";
import { root } from "./blocks.js";

type Rows = Record<string, string | number>[];

export async function exampleFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "sparrow-documents-"));
  const at = (name: string) => join(folder, name);
  const rng = Rng.seeded(1);
  cpSync(join(root, "examples"), at("examples"), { recursive: true });
  const example = at("examples/zero-inflated.ts");
  writeFileSync(example, readFileSync(example, "utf8").replaceAll("../src/index.js", "sparrow-bayes"));

  const data = drawn(rng, 200);
  writeCsv(at("data.csv"), without(data, ["fraud"]));
  writeCsv(at("claims.csv"), without(data, ["y"]));
  writeCsv(at("new.csv"), without(drawn(rng, 30), ["y", "fraud"]));
  writeCsv(at("test.csv"), drawn(rng, 30));
  writeCsv(at("sleep.csv"), inGroups(rng, 18, "subject", "days", "reaction"));
  writeCsv(at("ratings.csv"), inGroups(rng, 12, "user", "price", "rating"));
  writeFileSync(at("rcv1.libsvm"), documentsByWords(rng, 120, 5));
  for (const part of ["epsilon_normalized.bz2", "epsilon_normalized.t.bz2"]) {
    cpSync(join(root, "test/cases/packed/small.svm.bz2"), at(part));
  }
  mkdirSync(at("parts"));
  await asParquet(at("data.csv"), at("parts/1.parquet"), at("parts/2.parquet"), at("data.parquet"));
  for (const name of ["claims", "test", "ratings"]) await asParquet(at(`${name}.csv`), at(`${name}.parquet`));

  for (const words of [
    `simulate ratings --users 12 --out ${at("ml-10M100K")}`,
    `fit ${at("data.csv")} --target y --exclude id --out ${at("run1")}`,
  ]) {
    const { status, err } = await sparrow(...words.split(" "));
    if (status !== 0) throw new Error(err);
  }
  return folder;
}

/** Numbers, a category, a date and a number that only names the row; one target is a number, the other a class. */
function drawn(rng: Rng, rows: number): Rows {
  return Array.from({ length: rows }, (_, i) => {
    const [x1, x2, x3] = [normal(rng), normal(rng), normal(rng)];
    const region = ["north", "south", "west"][rng.below(3)];
    const y = 1 + 2 * x1 - x2 + (region === "west" ? 1 : 0) + normal(rng);
    const date = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    return { id: i + 1, date, region, x1, x2, x3, y, fraud: y > 1 ? "yes" : "no" };
  });
}

/** Ten rows of each group, whose effects differ. */
function inGroups(rng: Rng, groups: number, group: string, slope: string, target: string): Rows {
  return Array.from({ length: groups }, (_, g) => {
    const [intercept, effect, age] = [3 + normal(rng), 0.5 + 0.3 * normal(rng), 20 + rng.below(50)];
    return Array.from({ length: 10 }, (_, i) => {
      const value = intercept + effect * i + 0.5 * normal(rng);
      return { [group]: `g${g}`, age, [slope]: i, [target]: value };
    });
  }).flat();
}

/** Documents as entries: each holds a third of the words, and the first of them hints at the class. */
function documentsByWords(rng: Rng, rows: number, words: number): string {
  const line = () => {
    const used = Array.from({ length: words }, (_, j) => j + 1).filter(() => rng.uniform() < 1 / 3);
    const label = rng.uniform() < (used.includes(1) ? 0.8 : 0.4) ? 1 : -1;
    return [label, ...used.map((j) => `${j}:${rng.uniform().toFixed(3)}`)].join(" ");
  };
  return `${Array.from({ length: rows }, line).join("\n")}\n`;
}

const without = (rows: Rows, names: readonly string[]): Rows =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));

function writeCsv(path: string, rows: Rows): void {
  const lines = [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))];
  writeFileSync(path, `${lines.map((line) => line.join(",")).join("\n")}\n`);
}

async function asParquet(csv: string, ...paths: readonly string[]): Promise<void> {
  const { connection, close } = await database();
  for (const path of paths) await connection.run(`COPY (FROM '${csv}') TO '${path}' (FORMAT parquet)`);
  close();
}
