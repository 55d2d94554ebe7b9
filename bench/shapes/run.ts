/**
 * Sparrow beside its peers on data of several shapes; docs/benchmarks.md is written from what is measured:
 *
 *     node --import tsx bench/shapes/run.ts [--only tall,wide] [--methods fit,glmnet] [--minutes 20] [--gigabytes 10]
 *         [--seed 1] [--scale 1] [--folder DIR] [--document]
 *
 * Rows of results are kept in results.json beside this file, each as soon as it is there, and take the place of older
 * ones of the same shape and method. With a scale other than 1 nothing is kept: that is for trying things out. With
 * --document nothing is measured. Data need up to 1.6 GB of disk in --folder and are deleted after each shape.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { METHODS, type Method, runMethod } from "../peers/methods.js";
import { writeData } from "./data.js";
import { documentOf } from "./document.js";
import { type Result, readResults, resultOf, succeeded, withResult, writeResults } from "./results.js";
import { SHAPES, type Shape, scaled } from "./shapes.js";

const { values: args } = parseArgs({
  options: {
    only: { type: "string" },
    methods: { type: "string" },
    minutes: { type: "string", default: "20" },
    gigabytes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    scale: { type: "string", default: "1" },
    folder: { type: "string", default: tmpdir() },
    document: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "../..");
const RESULTS = join(import.meta.dirname, "results.json");
const DOCUMENT = join(root, "docs/benchmarks.md");
const limits = { minutes: Number(args.minutes), gigabytes: Number(args.gigabytes) };
const [seed, scale] = [Number(args.seed), Number(args.scale)];
const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`;

/** Our own Lasso path is measured by bench/peers. */
const USUAL: readonly Method[] = (Object.keys(METHODS) as Method[]).filter(
  (method) => method !== "sparrow lasso path",
);
const parts = (text: string | undefined): string[] | undefined => text?.split(",").map((part) => part.trim());
const wantedShapes = parts(args.only);
const wantedMethods = parts(args.methods);
for (const name of wantedShapes ?? []) {
  if (!SHAPES.some((shape) => shape.name === name)) throw new RangeError(`There is no shape "${name}".`);
}
const shapes = SHAPES.filter(({ name }) => wantedShapes?.includes(name) ?? true);
const methods = USUAL.filter((method) => wantedMethods?.some((part) => method.includes(part)) ?? true);

function line(result: Result): string {
  const head = `${result.shape} ${result.method}:`.padEnd(28);
  if (!succeeded(result)) return `${head} ${result.failure}`;
  const { seconds, cpuSeconds, wholeSeconds, megabytes, wrong, missed, score, note } = result;
  return `${head} ${seconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s, whole ${wholeSeconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB, ${wrong} too many, ${missed} too few, held out ${score.toPrecision(4)} (${note})`;
}

async function measure(shape: Shape, keep: (result: Result) => void): Promise<void> {
  const folder = mkdtempSync(join(args.folder, "sparrow-shapes-"));
  try {
    writeData(folder, shape, seed);
    for (const method of methods) {
      const before = loadavg()[0];
      const ran = await runMethod(method, folder, limits);
      const { name, rows, columns } = shape;
      const load = { before, after: loadavg()[0] };
      const at = { shape: name, method, rows, columns, seed, ...limits, load, machine };
      const result = resultOf(shape, at, ran);
      console.log(line(result));
      keep(result);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(results: readonly Result[]): void {
  writeResults(RESULTS, results);
  writeFileSync(DOCUMENT, documentOf(SHAPES, results));
}

if (!args.document) {
  if (methods.some((method) => method.startsWith("sparrow")))
    execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  for (const shape of shapes) {
    await measure(scaled(shape, scale), (result) => {
      // Read again every time, so that two runs of different shapes can go on side by side.
      if (scale === 1) writeAll(withResult(readResults(RESULTS), result));
    });
  }
} else {
  writeAll(readResults(RESULTS));
}
