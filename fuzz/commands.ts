/** Commands that are killed, and done without a network; each takes a second or a few. */

import { readFileSync, writeFileSync } from "node:fs";
import { Rng } from "../src/math/rng.js";

export interface Commanded {
  readonly argv: readonly string[];
  /** The ending of its output. */
  readonly ending: string;
  readonly resumable: boolean;
  /** A file beside its output that is there for a short part of the time only, in which it is killed every other time. */
  readonly brief?: string;
}

type At = (...names: string[]) => string;

export function commandsOn(at: At): Readonly<Record<string, Commanded>> {
  const run = (...argv: string[]): Commanded => ({ argv, ending: "", resumable: true });
  const fit = (name: string, ...more: string[]) => run("fit", at(name), "--target", "y", ...more);
  const grouping = (command: string, ...more: string[]) =>
    run(command, at("groups.csv"), "--columns", "x,y", ...more);
  return {
    import: {
      ...run("import", at("long.csv"), "--target", "y", "--block-rows", "64"),
      ending: ".sparrow",
      brief: ".unfinished/store",
    },
    fit: fit("wide.csv"),
    paper: fit("wide.csv", "--preset", "paper", "--iterations", "6000", "--chains", "2"),
    holes: fit("holes.csv"),
    mixed: run(
      ...["mixed", at("groups.csv"), "--target", "y", "--group", "g", "--random", "x"],
      ...["--iterations", "2500"],
    ),
    predict: { argv: ["predict", at("ref-fit"), at("wide.csv")], ending: ".csv", resumable: false },
    clusters: grouping("clusters", "--components", "2", "--iterations", "1500"),
    states: grouping("states", "--states", "2", "--iterations", "400"),
    reproduce: run(
      ...["reproduce", "table1", "--rows", "300", "--columns", "20", "--datasets", "2"],
      ...["--methods", "esgld,sam", "--presets", "auto"],
    ),
  };
}

/** Their data; `must` does a command, which must not fail. */
export function makeData(at: At, must: (argv: readonly string[]) => void): void {
  const simulate = (name: string, rows: number, columns: number, seed: number) =>
    must([
      ...["simulate", "linear", "--rows", String(rows), "--columns", String(columns)],
      ...["--seed", String(seed), "--out", at(name)],
    ]);
  simulate("wide.csv", 3000, 60, 3);
  simulate("long.csv", 20_000, 100, 5);
  const rng = Rng.seeded(4);
  const lines = readFileSync(at("wide.csv"), "utf8").trim().split("\n").slice(0, 200);
  const holed = lines.map((line, i) =>
    line
      .split(",")
      .filter((_, j, all) => j < 15 || j === all.length - 1)
      .map((cell, j) => (i > 0 && j < 15 && rng.uniform() < 0.1 ? "" : cell))
      .join(","),
  );
  writeFileSync(at("holes.csv"), `${holed.join("\n")}\n`);
  const groups = Array.from(
    { length: 6000 },
    (_, i) => `g${i % 300},${Math.sin(i)},${Math.cos(i * 7) + Math.sin(i % 300)}`,
  );
  writeFileSync(at("groups.csv"), `g,x,y\n${groups.join("\n")}\n`);
}
