/** One of our methods on the data of run.ts, in a process of its own: `ours.ts fit|lasso FOLDER`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { threads } from "../../src/node/threads.js";
import { gaussianPath } from "../../src/peers/penalized/gaussian.js";
import { denseCoefficients } from "../../src/peers/penalized/path.js";
import { lasso } from "../../src/peers/penalized/penalty.js";
import { prepare } from "../../src/peers/prepare.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";

const [method, folder] = process.argv.slice(2);
const { rows, columns } = JSON.parse(readFileSync(join(folder, "shape.json"), "utf8"));
const floats = (file: string): Float32Array => {
  const { buffer, byteOffset, length } = readFileSync(join(folder, file));
  return new Float32Array(buffer, byteOffset, length / 4);
};
const x = floats("x.f32");
const named: Record<string, Float32Array> = {};
for (let j = 0; j < columns; j++) named[`z${j + 1}`] = x.subarray(j * rows, (j + 1) * rows);
const table = arrayTable({ ...named, y: floats("y.f32") });
const package_ = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

let clock = 0;
let cpu = process.cpuUsage();
const start = (): void => {
  clock = performance.now();
  cpu = process.cpuUsage();
};
let note: string | undefined;
let selected: number[];
let coefficients: Float64Array;
if (method === "fit") {
  const result = await fitTable(
    table,
    {
      target: "y",
      onProgress: ({ stage, done, total }) => {
        if (stage === "read" && done === total) start();
      },
    },
    threads,
  );
  note = Object.entries(result.timing)
    .map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)} s`)
    .join(", ");
  coefficients = new Float64Array(columns);
  selected = [];
  for (const { name, mean, selected: isSelected } of result.variables) {
    const j = Number(name.slice(1)) - 1;
    coefficients[j] = mean;
    if (isSelected) selected.push(j);
  }
} else {
  const prepared = await prepare(table, { target: "y" }, threads);
  start();
  const { points } = await gaussianPath(prepared.gram, { penalty: lasso });
  const bic = points.map(
    ({ devianceRatio, variables }) => rows * Math.log(1 - devianceRatio) + variables.length * Math.log(rows),
  );
  const best = points[bic.indexOf(Math.min(...bic))];
  selected = [...best.variables];
  coefficients = denseCoefficients(best, columns);
}
const seconds = (performance.now() - clock) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    version: `sparrow ${package_.version}, Node ${process.version}, ${threads.threads} threads`,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    ...(note && { note }),
    selected,
    coefficients: [...coefficients],
  }),
);
process.exit(0);
