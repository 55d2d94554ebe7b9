/**
 * Suppressor pairs and triples, by seeds:
 *
 *     npx tsx bench/hidden/pairs.ts COLUMNS [SEEDS [KIND [RESPONSE [ROWS [SHARE]]]]]
 */

import { design, type Kind, type Response } from "./designs.js";
import { fitArrays } from "./fit.js";

const [columns = "350", seeds = "20", kind = "pair", response = "gaussian", rows = "2000", share = "0.1"] =
  process.argv.slice(2);
let found = 0;
let doubts = 0;
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
  const { result, seconds } = await fitArrays(made, response as Response, seed);
  cpu += seconds;
  const selected = result.variables.filter((v) => v.selected).map(({ name }) => name);
  const all = made.truth.every((j) => selected.includes(`x${j}`)) && selected.length === made.truth.length;
  if (all) found += 1;
  if (!result.verdict?.startsWith("No problems found.")) doubts += 1;
  const what = all ? "found" : `selected ${selected.length}: ${selected.slice(0, 5).join(" ")}`;
  console.log(`${seed}  ${what}  ${seconds.toFixed(2)} s  ${result.verdict}`);
}
console.log(
  `${kind} ${response} ${rows} × ${columns}: found ${found} of ${seeds}, a word of doubt in ${doubts}, ${(cpu / Number(seeds)).toFixed(2)} s of CPU a fit`,
);
