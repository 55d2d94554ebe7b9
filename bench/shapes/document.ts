/** docs/benchmarks.md, from the stored results alone: the same results, the same bytes. */

import { METHODS } from "../peers/methods.js";
import { type Result, type Success, succeeded } from "./results.js";
import { SCORES } from "./scores.js";
import { verdictOf } from "./sentences.js";
import type { Shape } from "./shapes.js";
import { WHYS } from "./whys.js";

const count = (x: number): string => x.toLocaleString("en-US");
const seconds = (x: number): string => (x < 9.995 ? x.toFixed(2) : x < 99.95 ? x.toFixed(1) : x.toFixed(0));
const share = (x: number): string => (x === 0 ? "0" : x.toFixed(3));
const digits = (x: number): string => x.toPrecision(4);

const INTRODUCTION = `# Benchmarks

Sparrow beside R's glmnet and susieR and Python's scikit-learn, as Debian packages them, on simulated data of several shapes. Written by

    node --import tsx bench/shapes/run.ts

from \`bench/shapes/results.json\`, which it fills. Some shapes or methods are measured again, and the limits changed, by

    node --import tsx bench/shapes/run.ts --only tall,wide --methods glmnet,fit --minutes 20 --gigabytes 10

## What is measured

- Every method runs in a process of its own, one after the other, on the same numbers: a file of float32, column by column, or a LIBSVM file.
- **After reading**: clock and CPU from the moment when the data are in memory. Sparrow still puts its rows into random order within that time. **Whole**: clock from the start of the process to its end, reading included.
- **Memory** is the most that the process held (resident).
- **FSR** is the share of the selected variables that are not true, **NSR** the share of the true ones that are not selected; 0 and 0 is the right answer.
- **Held out** is the score of the coefficients on fresh rows, and in brackets the best that any model of the path has on these very rows, which no method could know; the heading has the score of the true coefficients.
- **load** is how many processes wanted a core when the method began and ended. Beyond 2 there was other work, and clocks say as much about that.
- A method that fails, or takes more than the limits, is written down as such.

## The methods

- **sparrow fit**: \`fit\` with nothing told but target and family. Selected is what has a probability above one half; coefficients are averages over models. Two threads.
- **glmnet path**: \`glmnet()\` as it is, 100 values of λ. Of the path the model is taken with the smallest extended BIC (Chen and Chen 2008), −2 log L + k log n + 2γ log (p choose k), γ = max(0, 1 − log n / (2 log p)). Choosing is not part of the time.
- **glmnet relaxed**: the same path as far as 100 variables, and every model on it fitted again without a penalty (\`relax.glmnet\`); the model by the same criterion. A Lasso that is judged by its own shrunken coefficients takes too many variables; this one need not.
- **scikit-learn path**: \`lasso_path\` (with the Gram matrix where rows outnumber columns), \`Lasso\` on sparse columns or \`LogisticRegression\` with \`saga\`, at the same 100 values of λ with warm starts, as far as 100 variables; the model by the same criterion. It has no method for counts that selects.
- **susieR**: \`susie()\` with L somewhat larger than the number of effects; selected is what has a probability above one half. Gaussian targets only.
`;

export function documentOf(shapes: readonly Shape[], results: readonly Result[]): string {
  const parts = shapes.flatMap((shape) => {
    const rows = results
      .filter((result) => result.shape === shape.name)
      .sort((a, b) => place(a.method) - place(b.method));
    return rows.length > 0 ? [section(shape, rows)] : [];
  });
  return `${[INTRODUCTION.trimEnd(), summary(shapes, results), ...parts, programs(results)].join("\n\n")}\n`;
}

const place = (method: string): number => Object.keys(METHODS).indexOf(method);

function verdict(shape: Shape, rows: readonly Result[]): string {
  return verdictOf(rows, (method) => WHYS[`${shape.name}/${method}`]);
}

function summary(shapes: readonly Shape[], results: readonly Result[]): string {
  const names = Object.keys(METHODS).filter((method) => results.some((result) => result.method === method));
  const cell = (shape: Shape, method: string): string => {
    const result = results.find((other) => other.shape === shape.name && other.method === method);
    if (!result || !succeeded(result)) return "–";
    return result.wrong + result.missed === 0
      ? `**${seconds(result.seconds)}**`
      : `${seconds(result.seconds)} (${result.wrong}, ${result.missed})`;
  };
  const lines = shapes
    .filter((shape) => results.some((result) => result.shape === shape.name))
    .map((shape) => [
      `[${shape.name}](#${shape.name}), ${count(shape.rows)} × ${count(shape.columns)}`,
      ...names.map((method) => cell(shape, method)),
    ]);
  return [
    "## In short",
    "Seconds by the clock after reading. Bold is the right answer; else, in brackets, variables too many and too few. A dash is no answer.",
    grid([["shape", ...names], ...lines]),
  ].join("\n\n");
}

function section(shape: Shape, rows: readonly Result[]): string {
  const { words, larger } = SCORES[shape.family];
  const truth = rows.find(succeeded)?.trueScore;
  const head = `held out (${words}${truth === undefined ? "" : `; the truth ${digits(truth)}`}; ${larger ? "more" : "less"} is better)`;
  const table = grid([
    ["method", "after reading", "CPU", "whole", "memory", "FSR", "NSR", head, "load"],
    ...rows.map((row) => cells(row)),
  ]);
  const notes = rows.filter(succeeded).map(({ method, note }) => `- ${method}: ${note}.`);
  const said = rows.filter(succeeded).find((row) => row.verdict !== undefined)?.verdict;
  const first = rows[0];
  const limits = `Limits: ${[...new Set(rows.map(({ minutes, gigabytes }) => `${minutes} minutes and ${gigabytes} GB`))].join("; ")}. Seed ${first.seed}.`;
  return [
    `## ${shape.name}`,
    `${count(first.rows)} rows, ${count(first.columns)} columns, ${shape.family}. ${shape.words}`,
    table,
    verdict(shape, rows),
    ...(said === undefined ? [] : [`Sparrow's own verdict: “${said}”`]),
    [...notes, ...absent(rows), `- ${limits}`].join("\n"),
  ].join("\n\n");
}

/** Methods of which nothing is known at a shape: a sentence about the others says nothing of them. */
function absent(rows: readonly Result[]): string[] {
  const names = Object.keys(METHODS).filter((name) => name !== "sparrow lasso path");
  const missing = names.filter((name) => rows.every(({ method }) => method !== name));
  return missing.length > 0 ? [`- Not measured here: ${missing.join(", ")}.`] : [];
}

function cells(row: Result): string[] {
  const load = `${row.load.before.toFixed(1)}–${row.load.after.toFixed(1)}`;
  if (!succeeded(row)) return [row.method, row.failure, "–", "–", "–", "–", "–", "–", load];
  return [
    row.method,
    `${seconds(row.seconds)} s`,
    `${seconds(row.cpuSeconds)} s`,
    `${seconds(row.wholeSeconds)} s`,
    `${count(Math.round(row.megabytes))} MB`,
    share(row.fsr),
    share(row.nsr),
    scores(row),
    load,
  ];
}

const scores = ({ score, bestScore }: Success): string =>
  bestScore === undefined ? digits(score) : `${digits(score)} (${digits(bestScore)})`;

/** Programs and machines that the numbers come from. */
function programs(results: readonly Result[]): string {
  const versions = [...new Set(results.filter(succeeded).map(({ version }) => version))].sort();
  const machines = [...new Set(results.map(({ machine }) => machine))].sort();
  return ["## Programs and machine", [...versions, ...machines].map((line) => `- ${line}`).join("\n")].join(
    "\n\n",
  );
}

/** A table whose columns line up. */
function grid([head, ...lines]: readonly (readonly string[])[]): string {
  const widths = head.map((_, k) => Math.max(...[head, ...lines].map((line) => line[k].length)));
  const row = (line: readonly string[]): string =>
    `| ${line.map((text, k) => text.padEnd(widths[k])).join(" | ")} |`;
  return [row(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines.map(row)].join(
    "\n",
  );
}
