/**
 * Works out the truth of the hard problems and stores it. Shares no code with the library: the data come from
 * test/hard, the posterior from this folder.
 *
 *     node --import tsx test/hard/truth/make.ts [part of a name]
 *
 * With part of a name only those problems are worked out anew, the others are kept.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem, Truth } from "../problem.js";
import { PROBLEMS } from "../problems.js";
import { enumerated, neighbouring } from "./gaussian.js";
import { integrated } from "./integrals.js";
import { tempered } from "./tempering.js";

const path = join(import.meta.dirname, "../../reference/hard-truth.json");
const wanted = process.argv[2];
const before: Record<string, Truth> =
  wanted !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};

function truthOf(problem: Problem): Truth {
  const { make, method } = problem;
  switch (method.kind) {
    case "enumeration":
      return enumerated(make(), problem);
    case "neighbourhood":
      return neighbouring(make(), problem, method.core, method.depth);
    case "integration":
      return integrated(make(), problem);
    case "tempering":
      return tempered(make(), problem);
  }
}

const truths: Record<string, Truth> = {};
for (const problem of PROBLEMS) {
  const { name } = problem;
  const skipped = wanted !== undefined && !name.includes(wanted);
  if (skipped && !before[name]) continue;
  const start = performance.now();
  truths[name] = skipped ? before[name] : truthOf(problem);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!skipped) console.log(`${name}: error ${truths[name].error}, ${seconds} s`);
}
const lines = Object.entries(truths).map(
  ([name, truth]) => `  ${JSON.stringify(name)}: ${JSON.stringify(truth)}`,
);
writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
