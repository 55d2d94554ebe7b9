/** Files of every format, in memory and on disk, and stores made of them. */

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { importFiles } from "../../src/node.js";
import { sparrow } from "../cli/fake-effects.js";
import { mixedKinds } from "./column-cases.js";
import {
  delimited,
  libsvm,
  recordsOf,
  regression,
  rowsOf,
  type Table,
  withHoles,
  writeDelimited,
} from "./data.js";
import { example, inFolder } from "./folder.js";
import { type Case, fittedFile } from "./kept.js";
import { plain, sha256 } from "./plain.js";

const small = (): Table => regression({ rows: 120, columns: 5, seed: 13 });
const large = (): Table => regression({ rows: 2500, columns: 40, seed: 14 });
const searched = (): Table => regression({ rows: 1000, columns: 310, seed: 15, correlation: 0.3 });
/** Half of it is for the data, so that the larger ones stay on disk. */
const LITTLE = 4e5;

const files = (name: string, work: () => Promise<unknown>): Case => ({ name, run: inFolder(work) });

async function simulated(kind: string, rows: number, columns: number, path: string): Promise<string> {
  const size = ["--rows", `${rows}`, "--columns", `${columns}`];
  const { status, err } = await sparrow("simulate", kind, ...size, "--seed", "3", "--out", path, "--quiet");
  if (status !== 0) throw new Error(err);
  return path;
}

/** The record of an import, the bytes of the store, and what a fit of it says. */
async function importedAs(path: string, source: string, options: object = {}): Promise<unknown> {
  const record = await importFiles(source, path, { target: "y", ...options });
  return { record: plain(record), store: sha256(readFileSync(path)) };
}

const formats: Case[] = [
  files("file-csv", () => fittedFile(example("crime.csv"))),
  files("file-csv-kinds", () => fittedFile(writeDelimited("kinds.csv", mixedKinds()))),
  files("file-csv-holes", () =>
    fittedFile(writeDelimited("holes.csv", withHoles(mixedKinds(150), ["size", "colour"], 0.08))),
  ),
  files("file-tsv", () => fittedFile(writeDelimited("small.tsv", small(), "\t"))),
  files("file-jsonl", () => {
    writeFileSync(
      "small.jsonl",
      recordsOf(small())
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    );
    return fittedFile("small.jsonl");
  }),
  files("file-gz", () => {
    writeFileSync("small.csv.gz", gzipSync(delimited(small())));
    return fittedFile("small.csv.gz");
  }),
  files("file-parquet", async () => fittedFile(await simulated("linear", 300, 12, "linear.parquet"))),
  files("file-arrow", () => {
    writeFileSync(
      "small.arrow",
      tableToIPC(tableFromArrays(regression({ rows: 120, columns: 5, seed: 13 })), "file"),
    );
    return fittedFile("small.arrow");
  }),
  files("file-pattern", () => {
    writeDelimited("part-1.csv", rowsOf(small(), 0, 50));
    writeDelimited("part-2.csv", rowsOf(small(), 50, 120));
    return fittedFile("part-*.csv");
  }),
  files("file-list", () => {
    writeDelimited("one.csv", rowsOf(small(), 0, 70));
    writeDelimited("two.csv", rowsOf(small(), 70, 120));
    return fittedFile("two.csv,one.csv", { holdout: 0.2 });
  }),
];

const sparse: Case[] = (["gaussian", "binomial"] as const).flatMap((family) => [
  files(`sparse-${family}`, () => {
    writeFileSync("data.svm", libsvm({ rows: 300, columns: 40, density: 0.3, family }));
    return fittedFile("data.svm", { target: undefined });
  }),
  files(`sparse-searched-${family}`, () => {
    writeFileSync("data.svm", libsvm({ rows: 1200, columns: 600, density: 0.1, family }));
    return fittedFile("data.svm", { target: undefined, chains: 2 });
  }),
]);

const onDisk: Case[] = [
  files("disk-csv", () => fittedFile(writeDelimited("large.csv", large()), { memory: LITTLE })),
  files("disk-csv-paper", () =>
    fittedFile(writeDelimited("large.csv", large()), {
      ...{ memory: LITTLE, preset: "paper", iterations: 200, batch: 100, stepSize: 1e-5 },
    }),
  ),
  files("disk-csv-searched", () =>
    fittedFile(writeDelimited("wide.csv", searched()), { memory: LITTLE, iterations: 80, chains: 2 }),
  ),
  files("disk-csv-holes", () =>
    fittedFile(writeDelimited("holes.csv", withHoles(large(), ["x1", "x4"], 0.05)), {
      memory: LITTLE,
      missing: "drop",
    }),
  ),
  files("disk-parquet", async () =>
    fittedFile(await simulated("linear", 2500, 40, "linear.parquet"), { memory: LITTLE }),
  ),
  files("disk-parquet-poisson", async () =>
    fittedFile(await simulated("poisson", 2500, 40, "poisson.parquet"), { memory: LITTLE }),
  ),
  files("disk-libsvm", () => {
    writeFileSync("data.svm", libsvm({ rows: 1500, columns: 150, density: 0.4 }));
    return fittedFile("data.svm", { target: undefined, memory: LITTLE });
  }),
  files("disk-libsvm-binomial", () => {
    writeFileSync("data.svm", libsvm({ rows: 1500, columns: 150, density: 0.4, family: "binomial" }));
    return fittedFile("data.svm", { target: undefined, memory: LITTLE });
  }),
];

const stores: Case[] = [
  files("store-numbers", async () => ({
    made: await importedAs("small.sparrow", writeDelimited("small.csv", small())),
    fit: await fittedFile("small.sparrow"),
    holdout: await fittedFile("small.sparrow", { holdout: 0.2, target: undefined }),
  })),
  files("store-kinds", async () => ({
    made: await importedAs("kinds.sparrow", writeDelimited("kinds.csv", mixedKinds()), { exclude: ["day"] }),
    fit: await fittedFile("kinds.sparrow", { always: ["colour"] }),
    holdout: await fittedFile("kinds.sparrow", { holdout: 0.2, target: undefined, always: ["colour"] }),
  })),
  files("store-blocks-on-disk", async () => ({
    made: await importedAs("large.sparrow", writeDelimited("large.csv", large()), {
      ...{ blockRows: 250, seed: 6, memory: LITTLE },
    }),
    fit: await fittedFile("large.sparrow", { memory: LITTLE }),
  })),
  files("store-holes-mean", async () => ({
    made: await importedAs("holes.sparrow", writeDelimited("holes.csv", withHoles(small(), ["x1"], 0.1)), {
      missing: "mean",
    }),
    fit: await fittedFile("holes.sparrow"),
  })),
  files("store-sparse", async () => {
    writeFileSync("data.svm", libsvm({ rows: 800, columns: 60, density: 0.2, family: "binomial" }));
    const made = await importedAs("data.sparrow", "data.svm", { target: undefined });
    return { made, fit: await fittedFile("data.sparrow", { target: undefined }) };
  }),
  files("store-sparse-on-disk", async () => {
    writeFileSync("data.svm", libsvm({ rows: 1500, columns: 150, density: 0.4 }));
    const made = await importedAs("data.sparrow", "data.svm", {
      target: undefined,
      memory: LITTLE,
      columns: ["?", "1*"],
    });
    return { made, fit: await fittedFile("data.sparrow", { target: undefined, memory: LITTLE }) };
  }),
];

export const fileCases: readonly Case[] = [...formats, ...sparse, ...onDisk, ...stores];
