/**
 * Rare events on many sparse indicators (49,749 × 300, 3% events): time of the fit and of predictions, and the held-out
 * log loss beside that of the truth: `node --import tsx bench/sparse-events.ts [seed] [rows] [columns]`.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { predict, run } from "../src/node.js";

const seed = Number(process.argv[2] ?? 1);
const rows = Number(process.argv[3] ?? 49_749);
const columns = Number(process.argv[4] ?? 300);
const HELD_OUT = 16_000;

const rng = Rng.seeded(seed);
/** From a few ones in ten thousand rows to a third of all, 4% on average. */
const share = Array.from({ length: columns }, () => 5e-4 * 600 ** rng.uniform());
const beta = Array.from({ length: columns }, () => (rng.uniform() < 0.4 ? 1.2 * normal(rng) : 0));
/** Columns come in groups of ten that tend to be one together. */
const lift = 3;

interface Row {
  readonly ones: readonly number[];
  readonly eta: number;
  readonly y: 0 | 1;
}

function drawRow(level: number): Row {
  const lively = Array.from({ length: Math.ceil(columns / 10) }, () => rng.uniform() < 0.2);
  const ones: number[] = [];
  let eta = level;
  for (let j = 0; j < columns; j++) {
    const p = Math.min(0.9, share[j] * (lively[Math.floor(j / 10)] ? lift : (1 - 0.2 * lift) / 0.8));
    if (rng.uniform() >= p) continue;
    ones.push(j);
    eta += beta[j];
  }
  return { ones, eta, y: rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0 };
}

const text = (all: readonly Row[]): string =>
  all.map(({ ones, y }) => `${y} ${ones.map((j) => `${j + 1}:1`).join(" ")}`).join("\n");
const logLoss = (all: readonly Row[], p: ArrayLike<number>): number =>
  -all.reduce((sum, { y }, i) => sum + Math.log(y === 1 ? p[i] : 1 - p[i]), 0) / all.length;

// The level at which 3% are events, by bisection on a sample of predictors.
const sample = Array.from({ length: 4000 }, () => drawRow(0).eta);
let [low, high] = [-20, 5];
for (let i = 0; i < 50; i++) {
  const middle = 0.5 * (low + high);
  const mean = sample.reduce((sum, eta) => sum + 1 / (1 + Math.exp(-eta - middle)), 0) / sample.length;
  if (mean < 0.03) low = middle;
  else high = middle;
}
const training = Array.from({ length: rows }, () => drawRow(low));
const held = Array.from({ length: HELD_OUT }, () => drawRow(low));
const folder = mkdtempSync(join(tmpdir(), "sparse-events-"));
try {
  const [train, test] = [join(folder, "train.svm"), join(folder, "test.svm")];
  writeFileSync(train, text(training));
  writeFileSync(test, text(held));
  const cpu = (from: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1e6;
  };
  const before = process.cpuUsage();
  const fitted = await run(train, { family: "binomial", seed: 1 });
  const fitting = cpu(before);
  console.log(fitted.result.verdict, JSON.stringify(fitted.result.timing), fitted.result.modelSize.mean);
  const start = process.cpuUsage();
  const predicted = await predict(fitted.details.predictor(), test);
  const predicting = cpu(start);
  const truth = logLoss(
    held,
    held.map(({ eta }) => 1 / (1 + Math.exp(-eta))),
  );
  const ours = logLoss(held, predicted.mean);
  console.log(
    `events ${training.filter(({ y }) => y).length}, true effects ${beta.filter((b) => b !== 0).length}`,
  );
  console.log(`fit ${fitting.toFixed(1)} s, predict ${predicting.toFixed(2)} s of CPU`);
  console.log(`log loss ${ours.toFixed(4)}, of the truth ${truth.toFixed(4)}`);
} finally {
  rmSync(folder, { recursive: true });
}
