/**
 * Sparrow beside R's glmnet and susieR and scikit-learn on the same simulated data:
 *
 *     node --import tsx bench/peers/run.ts [--rows 50000] [--columns 2000] [--seed 1] [--rounds 1] [--only ours,glmnet]
 *
 * Every method runs in a process of its own, alone, and reports its time after reading, its CPU and its peak memory.
 * Each gets its own best settings. A peer that is not installed, fails or takes too long is left out with a word.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { selectionError } from "../../src/diagnostics/selection-error.js";
import { simulatedTable, trueCoefficients } from "../../src/experiments/simulated.js";

const { values: args } = parseArgs({
  options: {
    rows: { type: "string", default: "50000" },
    columns: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "1" },
    only: { type: "string" },
    minutes: { type: "string", default: "30" },
  },
});
const [rows, columns, seed] = [Number(args.rows), Number(args.columns), Number(args.seed)];
const here = dirname(fileURLToPath(import.meta.url));

/** What a process prints, as one line of JSON, last. */
interface Outcome {
  readonly version: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
  /** Positions from 0. */
  readonly selected: number[];
  readonly coefficients: number[];
  readonly note?: string;
}

const node = (method: string) => [process.execPath, "--import", "tsx", join(here, "ours.ts"), method];
const METHODS: Readonly<Record<string, (folder: string) => string[]>> = {
  "sparrow fit": (folder) => [...node("fit"), folder],
  "sparrow lasso path": (folder) => [...node("lasso"), folder],
  "glmnet path": (folder) => ["Rscript", join(here, "peers.R"), "glmnet", folder],
  "scikit-learn lasso path": (folder) => [process.env.PYTHON ?? "python3", join(here, "peers.py"), folder],
  "susieR susie": (folder) => ["Rscript", join(here, "peers.R"), "susie", folder],
};

/** Column-major float32, so that every reader gets the very same numbers. */
async function writeData(folder: string): Promise<void> {
  const table = simulatedTable({ kind: "linear", rows, columns, seed });
  const out = Array.from({ length: columns + 1 }, () => new Float32Array(rows));
  let from = 0;
  for await (const chunk of table.chunks(out.map((_, j) => j))) {
    chunk.columns.forEach((values, j) => {
      out[j].set(values, from);
    });
    from += chunk.rows;
  }
  const stream = createWriteStream(join(folder, "x.f32"));
  for (const column of out.slice(0, columns)) {
    if (!stream.write(Buffer.from(column.buffer))) await once(stream, "drain");
  }
  stream.end();
  await finished(stream);
  writeFileSync(join(folder, "y.f32"), Buffer.from(out[columns].buffer));
  writeFileSync(join(folder, "shape.json"), JSON.stringify({ rows, columns }));
}

function run(command: string[]): Promise<Outcome | string> {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
    let [text, errors] = ["", ""];
    const timer = setTimeout(() => child.kill(), Number(args.minutes) * 60_000);
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", () => resolve(`${command[0]} is not installed`));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (signal) return resolve(`stopped after ${args.minutes} minutes`);
      if (code !== 0) return resolve(errors.trim().split("\n").at(-1) || `ended with status ${code}`);
      resolve(JSON.parse(text.trim().split("\n").at(-1)!));
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), "sparrow-peers-"));
try {
  const load = (): string => loadavg()[0].toFixed(1);
  console.log(
    `${rows} rows, ${columns} columns, seed ${seed}; ${availableParallelism()} cores, load ${load()}`,
  );
  await writeData(folder);
  const truth = trueCoefficients(columns, "linear");
  const wanted = args.only?.split(",");
  const fastest = new Map<string, Outcome>();
  for (let round = 0; round < Number(args.rounds); round++) {
    for (const [method, command] of Object.entries(METHODS)) {
      if (wanted && !wanted.some((part) => method.includes(part))) continue;
      const outcome = await run(command(folder));
      if (typeof outcome === "string") {
        console.log(`${method}: left out, ${outcome}`);
        continue;
      }
      const before = fastest.get(method);
      if (!before || outcome.seconds < before.seconds) fastest.set(method, outcome);
    }
  }
  const ours = fastest.get("sparrow fit");
  for (const [method, outcome] of fastest) {
    const { fsr, nsr, mse1 } = selectionError(outcome.selected, outcome.coefficients, truth);
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
