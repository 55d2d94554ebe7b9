/**
 * One of our methods on the data in a folder (bench/shapes/data.ts), in a process of its own: `ours.ts fit|lasso FOLDER`.
 * It runs what `npm run build` made, as those do who have installed it.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ColumnTable, Table } from "../../src/tables/table.js";
import type { ShapeFile } from "../shapes/data.js";
import type { Fitted, Outcome } from "./outcome.js";

const [method, folder] = process.argv.slice(2);
const shape: ShapeFile = JSON.parse(readFileSync(join(folder, "shape.json"), "utf8"));
const { rows, columns, family, format } = shape;
const built = (file: string): string => new URL(`../../dist/${file}`, import.meta.url).href;
const { threads }: typeof import("../../src/node/threads.js") = await import(built("node/threads.js"));

/** Numbers that are read in one turn. */
const CHUNK = 2 ** 23;

/** The file, some rows of all columns at a time, so that it is never held twice. */
function floatTable(): ColumnTable {
  const names = [...Array.from({ length: columns }, (_, j) => `z${j + 1}`), "y"];
  return {
    by: "columns",
    name: "the data",
    columns: names.map((name) => ({ name })),
    rows,
    *chunks(wanted) {
      const x = openSync(join(folder, "x.f32"), "r");
      const y = openSync(join(folder, "y.f32"), "r");
      try {
        const most = Math.min(rows, Math.max(250, Math.floor(CHUNK / wanted.length)));
        const all = new Float32Array(most * wanted.length);
        for (let first = 0; first < rows; first += most) {
          const n = Math.min(most, rows - first);
          const slices = wanted.map((j, k) => {
            const out = all.subarray(k * most, k * most + n);
            const [file, from] = j < columns ? [x, j * rows + first] : [y, first];
            readSync(file, out, 0, out.byteLength, 4 * from);
            return out;
          });
          yield { rows: n, columns: slices };
        }
      } finally {
        closeSync(x);
        closeSync(y);
      }
    },
  };
}

async function openTable(): Promise<Table> {
  if (format === "dense") return floatTable();
  const { open }: typeof import("../../src/node.js") = await import(built("node.js"));
  return open(join(folder, "data.svm"));
}

let clock = performance.now();
let cpu = process.cpuUsage();
const start = (): void => {
  clock = performance.now();
  cpu = process.cpuUsage();
};
const stop = (): Pick<Outcome, "seconds" | "cpuSeconds"> => {
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - clock) / 1000, cpuSeconds: (user + system) / 1e6 };
};

/** Names are z1, z2, … or, in LIBSVM files, 1, 2, … */
const placeOf = (name: string): number => Number(name.replace("z", "")) - 1;

async function fit(): Promise<Fitted> {
  const { fitTable }: typeof import("../../src/selection/fit-table.js") = await import(
    built("selection/fit-table.js")
  );
  const table = await openTable();
  const result = await fitTable(
    table,
    {
      target: format === "dense" ? "y" : "label",
      family,
      onProgress: ({ stage, done, total }) => {
        if (stage === "read" && done === total) start();
      },
    },
    threads,
  );
  const taken = stop();
  const used = result.variables.filter(({ mean }) => mean !== 0);
  return {
    ...taken,
    models: [
      {
        intercept: result.intercept?.mean ?? 0,
        columns: used.map(({ name }) => placeOf(name)),
        values: used.map(({ mean }) => mean),
      },
    ],
    selected: result.variables.filter(({ selected }) => selected).map(({ name }) => placeOf(name)),
    note: Object.entries(result.timing)
      .map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)} s`)
      .join(", "),
    verdict: result.verdict ?? "",
  };
}

async function lasso(): Promise<Fitted> {
  const { prepare }: typeof import("../../src/peers/prepare.js") = await import(built("peers/prepare.js"));
  const { gaussianPath }: typeof import("../../src/peers/penalized/gaussian.js") = await import(
    built("peers/penalized/gaussian.js")
  );
  const penalties: typeof import("../../src/peers/penalized/penalty.js") = await import(
    built("peers/penalized/penalty.js")
  );
  const prepared = await prepare(await openTable(), { target: "y" }, threads);
  start();
  const { points } = await gaussianPath(prepared.gram, { penalty: penalties.lasso });
  const taken = stop();
  return {
    ...taken,
    models: points.map((point) => ({
      intercept: point.intercept,
      columns: [...point.variables],
      values: [...point.values],
      deviance: rows * Math.log(1 - point.devianceRatio),
    })),
    note: `${points.length} values of lambda`,
  };
}

const fitted = method === "fit" ? await fit() : await lasso();
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const { user, system } = process.cpuUsage();
const outcome: Outcome = {
  version: `sparrow ${version}, Node ${process.version}, ${threads.threads} threads`,
  wholeCpuSeconds: (user + system) / 1e6,
  megabytes: process.resourceUsage().maxRSS / 1024,
  ...fitted,
};
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));
