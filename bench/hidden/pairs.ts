/**
 * Suppressor pairs and triples, by seeds:
 *
 *     npx tsx bench/hidden/pairs.ts COLUMNS [SEEDS [KIND [RESPONSE [ROWS [SHARE]]]]]
 */

import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { arrayTable } from "../../src/tables/readers/arrays.js";
import { localPool } from "../../src/workers/pool.js";
import { design, type Kind, type Response } from "./designs.js";

const [columns = "350", seeds = "20", kind = "pair", response = "gaussian", rows = "2000", share = "0.1"] =
  process.argv.slice(2);
let found = 0;
let alarms = 0;
let cpu = 0;
for (let seed = 1; seed <= Number(seeds); seed++) {
  const made = design({
    rows: Number(rows),
    columns: Number(columns),
    seed,
    kind: kind as Kind,
    response: response as Response,
    share: Number(share),
  });
  const table = arrayTable({ ...Object.fromEntries(made.columns.map((x, j) => [`x${j}`, x])), y: made.y });
  const before = process.cpuUsage();
  const result = await fitTable(
    table,
    { target: "y", family: response as Response, seed },
    { kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)), pool: async (store) => localPool(store), threads: 1 },
  );
  const { user, system } = process.cpuUsage(before);
  cpu += (user + system) / 1e6;
  const selected = result.variables.filter((v) => v.selected).map(({ name }) => name);
  const all = made.truth.every((j) => selected.includes(`x${j}`)) && selected.length === made.truth.length;
  if (all) found += 1;
  if (!result.verdict?.startsWith("No problems found.")) alarms += 1;
  console.log(
    `${seed}  ${all ? "found" : `selected ${selected.length}: ${selected.slice(0, 5).join(" ")}`}  ${((user + system) / 1e6).toFixed(2)} s  ${JSON.stringify(result.timing, (_, v) => (typeof v === "number" ? Number(v.toFixed(2)) : v))}  ${JSON.stringify(result.certificate)}  ${result.verdict}`,
  );
}
console.log(`${kind} ${response} ${rows} × ${columns}: found ${found} of ${seeds}, a word of doubt in ${alarms}, ${(cpu / Number(seeds)).toFixed(2)} s of CPU a fit`);
