/**
 * Rare events on many sparse indicators (49,749 × 300, 3% events): CPU time of the fit and of predictions, and the
 * held-out log loss beside those of ridge and lasso (R's glmnet, where there is one) and of the truth:
 * `node --import tsx bench/sparse-events.ts [seeds] [rows] [columns]`.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { normal } from "../src/math/normal.js";
import { Rng } from "../src/math/rng.js";
import { predict, run } from "../src/node.js";

const seeds = Number(process.argv[2] ?? 3);
const rows = Number(process.argv[3] ?? 49_749);
const columns = Number(process.argv[4] ?? 300);
const HELD_OUT = 16_000;
/** Columns come in groups of ten that tend to be one together. */
const LIFT = 3;

interface Row {
  readonly ones: readonly number[];
  readonly eta: number;
  readonly y: 0 | 1;
}

/** Rows for learning and rows held out. */
function simulated(seed: number): {
  readonly training: Row[];
  readonly held: Row[];
  readonly effects: number;
} {
  const rng = Rng.seeded(seed);
  /** From a few ones in ten thousand rows to a third of all, 4% on average. */
  const share = Array.from({ length: columns }, () => 5e-4 * 600 ** rng.uniform());
  const beta = Array.from({ length: columns }, () => (rng.uniform() < 0.4 ? 1.2 * normal(rng) : 0));
  function drawRow(level: number): Row {
    const lively = Array.from({ length: Math.ceil(columns / 10) }, () => rng.uniform() < 0.2);
    const ones: number[] = [];
    let eta = level;
    for (let j = 0; j < columns; j++) {
      const p = Math.min(0.9, share[j] * (lively[Math.floor(j / 10)] ? LIFT : (1 - 0.2 * LIFT) / 0.8));
      if (rng.uniform() >= p) continue;
      ones.push(j);
      eta += beta[j];
    }
    return { ones, eta, y: rng.uniform() < 1 / (1 + Math.exp(-eta)) ? 1 : 0 };
  }
  // The level at which 3% are events, by bisection on a sample of predictors.
  const sample = Array.from({ length: 4000 }, () => drawRow(0).eta);
  let [low, high] = [-20, 5];
  for (let i = 0; i < 50; i++) {
    const middle = 0.5 * (low + high);
    const mean = sample.reduce((sum, eta) => sum + 1 / (1 + Math.exp(-eta - middle)), 0) / sample.length;
    if (mean < 0.03) low = middle;
    else high = middle;
  }
  const draw = (count: number): Row[] => Array.from({ length: count }, () => drawRow(low));
  return { training: draw(rows), held: draw(HELD_OUT), effects: beta.filter((b) => b !== 0).length };
}

const text = (all: readonly Row[]): string =>
  all.map(({ ones, y }) => `${y} ${ones.map((j) => `${j + 1}:1`).join(" ")}`).join("\n");
const logLoss = (all: readonly Row[], p: ArrayLike<number>): number =>
  -all.reduce((sum, { y }, i) => sum + Math.log(y === 1 ? p[i] : 1 - p[i]), 0) / all.length;
const cpu = (from: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
};

/** Probabilities of the rows held out, by ridge and by lasso; nothing without R. */
function penalised(folder: string): { readonly ridge: number[]; readonly lasso: number[] } | undefined {
  const script = fileURLToPath(new URL("sparse-events.R", import.meta.url));
  const at = (name: string): string => join(folder, name);
  const files = [at("train.svm"), at("test.svm"), String(columns), at("ridge.txt"), at("lasso.txt")];
  try {
    execFileSync("Rscript", [script, ...files], { stdio: ["ignore", "ignore", "inherit"] });
  } catch {
    return undefined;
  }
  const read = (name: string): number[] => readFileSync(at(name), "utf8").trim().split("\n").map(Number);
  return { ridge: read("ridge.txt"), lasso: read("lasso.txt") };
}

for (let seed = 1; seed <= seeds; seed++) {
  const { training, held, effects } = simulated(seed);
  const folder = mkdtempSync(join(tmpdir(), "sparse-events-"));
  try {
    const [train, test] = [join(folder, "train.svm"), join(folder, "test.svm")];
    writeFileSync(train, text(training));
    writeFileSync(test, text(held));
    const before = process.cpuUsage();
    const fitted = await run(train, { family: "binomial", seed: 1 });
    const fitting = cpu(before);
    const start = process.cpuUsage();
    const predicted = await predict(fitted.details.predictor(), test);
    const predicting = cpu(start);
    const peers = penalised(folder);
    const losses = {
      ours: logLoss(held, predicted.mean),
      ...(peers && { ridge: logLoss(held, peers.ridge), lasso: logLoss(held, peers.lasso) }),
      truth: logLoss(
        held,
        held.map(({ eta }) => 1 / (1 + Math.exp(-eta))),
      ),
    };
    const events = training.filter(({ y }) => y).length;
    console.log(
      `seed ${seed}: ${events} events, ${effects} effects, models of ${fitted.result.modelSize.mean.toFixed(0)}`,
    );
    console.log(`  CPU: fit ${fitting.toFixed(1)} s, predict ${predicting.toFixed(2)} s`);
    console.log(
      `  log loss: ${Object.entries(losses)
        .map(([name, loss]) => `${name} ${loss.toFixed(5)}`)
        .join(", ")}`,
    );
    console.log(`  ${fitted.result.verdict}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
