/**
 * Sparrow beside R's glmnet and susieR and scikit-learn on the paper's linear data, of any size:
 *
 *     node --import tsx bench/peers/run.ts [--rows 50000] [--columns 2000] [--seed 1] [--rounds 1] [--only fit,glmnet]
 *
 * Every method runs in a process of its own, alone, and reports its time after reading, its CPU and its peak memory.
 * Each gets its own best settings. A peer that is not installed, fails or takes too long is left out with a word.
 * Other shapes of data are in bench/shapes.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeData } from "../shapes/data.js";
import { SHAPES, type Shape, truth } from "../shapes/shapes.js";
import { chosen, judge } from "./judged.js";
import { METHODS, type Method, runMethod } from "./methods.js";
import type { Outcome } from "./outcome.js";

const { values: args } = parseArgs({
  options: {
    rows: { type: "string", default: "50000" },
    columns: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "1" },
    only: { type: "string" },
    minutes: { type: "string", default: "30" },
    gigabytes: { type: "string", default: "10" },
  },
});
const [rows, columns, seed] = [Number(args.rows), Number(args.columns), Number(args.seed)];
const shape: Shape = { ...SHAPES.find(({ name }) => name === "paper")!, rows, columns };
const limits = { minutes: Number(args.minutes), gigabytes: Number(args.gigabytes) };

execFileSync(process.execPath, [join(import.meta.dirname, "../../scripts/build.mjs")], { stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "sparrow-peers-"));
try {
  const load = (): string => loadavg()[0].toFixed(1);
  console.log(
    `${rows} rows, ${columns} columns, seed ${seed}; ${availableParallelism()} cores, load ${load()}`,
  );
  writeData(folder, shape, seed);
  const wanted = args.only?.split(",");
  const fastest = new Map<string, Outcome>();
  for (let round = 0; round < Number(args.rounds); round++) {
    for (const method of Object.keys(METHODS) as Method[]) {
      if (wanted && !wanted.some((part) => method.includes(part))) continue;
      const ran = await runMethod(method, folder, limits);
      if ("failure" in ran) {
        console.log(`${method}: left out, ${ran.failure}`);
        continue;
      }
      const before = fastest.get(method);
      if (!before || ran.outcome.seconds < before.seconds) fastest.set(method, ran.outcome);
    }
  }
  const ours = fastest.get("sparrow fit");
  for (const [method, outcome] of fastest) {
    const { fsr, nsr, mse1 } = judge(outcome, chosen(outcome.models, shape, 0), truth(shape));
    const to = (key: "seconds" | "cpuSeconds" | "megabytes"): string =>
      ours ? (outcome[key] / ours[key]).toFixed(1) : "–";
    console.log(
      `${method.padEnd(24)} ${outcome.seconds.toFixed(2).padStart(8)} s (×${to("seconds")})  cpu ${outcome.cpuSeconds.toFixed(2).padStart(7)} s (×${to("cpuSeconds")})  ` +
        `${outcome.megabytes.toFixed(0).padStart(6)} MB (×${to("megabytes")})  FSR ${fsr.toFixed(3)}  NSR ${nsr.toFixed(3)}  MSE1 ${mse1.toExponential(2)}`,
    );
    console.log(`${"".padEnd(24)} ${outcome.version}${outcome.note ? `; ${outcome.note}` : ""}`);
  }
  console.log(`Load at the end ${load()}: seconds on a machine with other work say more about that work.`);
  console.log("× is relative to sparrow fit. Paths are judged at the λ with the smallest BIC.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
