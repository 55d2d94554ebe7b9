/**
 * What the designs' posteriors are, by four long chains of reversible jumps each, kept in truth.json:
 *
 *     node --import tsx bench/few-rows/make-truth.ts [sweeps] [part of a name]
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jumpChain } from "../../test/selection/augmented/jumps.js";
import { DESIGNS } from "./designs.js";
import { type StoredTruth, truthProblem } from "./problem.js";

const PLACE = join(import.meta.dirname, "truth.json");
const CHAINS = 4;
const sweeps = Number(process.argv[2] ?? 20_000);
const asked = process.argv[3] ?? "";
const rounded = (value: number): number => Number(value.toFixed(5));

for (const design of DESIGNS.filter(({ name }) => name.includes(asked))) {
  const known: Record<string, StoredTruth> = existsSync(PLACE) ? JSON.parse(readFileSync(PLACE, "utf8")) : {};
  if ((known[design.name]?.sweeps ?? 0) >= sweeps) continue;
  const begun = process.cpuUsage();
  const problem = truthProblem(design);
  const chains = Array.from({ length: CHAINS }, (_, c) =>
    jumpChain(problem, design.seed * 10 + c, sweeps, Math.round(sweeps / 4)),
  );
  const over = (of: (chain: (typeof chains)[number]) => number) => {
    const values = chains.map(of);
    const mean = values.reduce((a, b) => a + b, 0) / CHAINS;
    const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (CHAINS - 1);
    return { mean, error: Math.sqrt(variance / CHAINS) };
  };
  const pips = problem.columns.map((_, j) => over(({ pip }) => pip[j]));
  const size = over((chain) => chain.size.reduce((sum, share, k) => sum + share * k, 0));
  const truth: StoredTruth = {
    sweeps,
    pip: pips.map(({ mean }) => rounded(mean)),
    pipError: pips.map(({ error }) => rounded(error)),
    size: rounded(size.mean),
    sizeError: rounded(size.error),
  };
  const latest = existsSync(PLACE) ? JSON.parse(readFileSync(PLACE, "utf8")) : {};
  writeFileSync(PLACE, `${JSON.stringify({ ...latest, [design.name]: truth })}\n`);
  const { user } = process.cpuUsage(begun);
  const worst = Math.max(...truth.pipError);
  console.log(
    `${design.name}: size ${size.mean.toFixed(2)} ± ${size.error.toFixed(2)}, worst pip ± ${worst.toFixed(4)}, ${(user / 1e6).toFixed(0)} s`,
  );
}
