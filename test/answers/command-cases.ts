/** The command line: what it prints and what it writes. */

import { readdirSync, readFileSync } from "node:fs";
import { sparrow } from "../cli/fake-effects.js";
import { regression, rowsOf, type Table, withHoles, writeDelimited } from "./data.js";
import { example, inFolder } from "./folder.js";
import type { Case } from "./kept.js";
import { plain, sha256 } from "./plain.js";
import { folderOf } from "./run-folder.js";

const command = (name: string, work: () => Promise<unknown>): Case => ({
  name: `command-${name}`,
  run: inFolder(work),
});

/** What a command prints. One that fails is a case gone wrong, not an answer. */
async function printed(...argv: string[]): Promise<string> {
  const { status, out, err } = await sparrow(...argv);
  if (status !== 0) throw new Error(err);
  return out;
}

const crime = () => [example("crime.csv"), "--target", "y", "--seed", "1", "--quiet"];
const numbers = () => regression({ rows: 120, columns: 6, seed: 26 });
const small = (table: Table = numbers()) => [writeDelimited("small.csv", table), "--target", "y", "--quiet"];
const wide = () => [
  writeDelimited("wide.csv", regression({ rows: 800, columns: 310, family: "binomial", seed: 27 })),
  ...["--target", "y", "--chains", "2", "--quiet"],
];
const whole = ["model.json", "run.json", "summary.json"];

/** The run folder, and the page that is made of it without the times. */
async function runOf(...args: string[]): Promise<unknown> {
  const text = await printed("fit", ...args, "--out", "run");
  await printed("report", "run", "--quiet");
  return { text, files: folderOf("run", whole) };
}

export const commandCases: readonly Case[] = [
  command("fit-text", async () => ({ text: await printed("fit", ...small()) })),
  command("fit-json", async () => plain(JSON.parse(await printed("fit", ...small(), "--json")))),
  command("fit-paper-text", async () => ({
    text: await printed("fit", ...crime(), "--preset", "paper", "--iterations", "500", "--moves", "5"),
  })),
  command("fit-out", () => runOf(...crime())),
  command("fit-out-searched", () => runOf(...wide())),
  command("fit-out-paper", () =>
    runOf(...crime(), ...["--preset", "paper", "--iterations", "400", "--step-size", "cyclical:1e-4,50"]),
  ),
  command("fit-out-holes", () => runOf(...small(withHoles(numbers(), ["x1", "x3"], 0.1)))),
  command("predict", async () => {
    const table = regression({ rows: 160, columns: 5, family: "poisson", seed: 28 });
    writeDelimited("old.csv", rowsOf(table, 0, 130));
    writeDelimited("new.csv", rowsOf(table, 130, 160));
    await printed("fit", "old.csv", "--target", "y", "--out", "run", "--quiet");
    const text = await printed("predict", "run", "new.csv", "--out", "predictions.csv", "--quiet");
    const json = JSON.parse(await printed("predict", "run", "new.csv", "--json"));
    return { text, json: plain(json), predictions: readFileSync("predictions.csv", "utf8") };
  }),
  command("compare", async () => {
    writeDelimited("data.csv", regression({ rows: 120, columns: 6, seed: 29 }));
    const asked = ["--target", "y", "--methods", "esgld,lasso,mcp", "--quiet"];
    const { methods, ...rest } = JSON.parse(await printed("compare", "data.csv", ...asked, "--json"));
    const text = await printed("compare", "data.csv", ...asked);
    // Seconds and megabytes are the last of a line of the first table, and set the width of their columns.
    const unmeasured = text.replace(/ +[\d.e-]+ +<?\d+ MB$/gm, "").replace(/ +seconds +memory$/m, "");
    return {
      json: plain({
        ...rest,
        methods: methods.map(({ memory: _, ...method }: { memory: number }) => method),
      }),
      text: unmeasured,
    };
  }),
  command("import", async () => {
    const text = await printed("import", ...small(), "--out", "small.sparrow");
    return {
      text,
      store: sha256(readFileSync("small.sparrow")),
      fit: await printed("fit", "small.sparrow", "--quiet"),
    };
  }),
  command("simulate", async () => {
    const hashes: Record<string, string> = {};
    for (const kind of ["linear", "logistic", "poisson"]) {
      await printed(
        "simulate",
        kind,
        "--rows",
        "200",
        "--columns",
        "12",
        "--seed",
        "5",
        "--out",
        `${kind}.csv`,
        "--quiet",
      );
      hashes[kind] = sha256(readFileSync(`${kind}.csv`));
    }
    await printed("simulate", "ratings", "--users", "60", "--seed", "5", "--out", "ratings", "--quiet");
    const files = readdirSync("ratings").sort();
    return { ...hashes, ratings: files.map((name) => [name, sha256(readFileSync(`ratings/${name}`))]) };
  }),
  command("mixed-ratings", async () => {
    await printed("simulate", "ratings", "--users", "100", "--seed", "5", "--out", "ratings", "--quiet");
    const text = await printed(
      "mixed",
      "ratings",
      "--iterations",
      "300",
      "--chains",
      "2",
      "--quiet",
      "--json",
    );
    return plain(JSON.parse(text));
  }),
  command("reproduce-table1", async () => {
    const size = ["--rows", "2000", "--columns", "50", "--datasets", "2", "--moves", "1"];
    return plain(JSON.parse(await printed("reproduce", "table1", ...size, "--json", "--quiet")));
  }),
];
