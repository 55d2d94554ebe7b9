/**
 * `fit` on the designs, beside reversible jumps (truth.json):
 *
 *     node --import tsx bench/few-rows/run.ts [part of a name] [file for the probabilities that were found]
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitRegression, variable } from "../../test/selection/fit-arrays.js";
import { DESIGNS, makeDesign } from "./designs.js";
import type { StoredTruth } from "./problem.js";

const place = join(import.meta.dirname, "truth.json");
const truths: Record<string, StoredTruth> = existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
const [, , asked = "", out] = process.argv;
const kept: Record<string, { pip: number[]; pipError: number[] }> = {};
console.log("| design | size, truth | size, fit | probability off by | stated | CPU s | verdict |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const design of DESIGNS.filter(({ name }) => name.includes(asked))) {
  const truth = truths[design.name];
  const data = makeDesign(design);
  const before = process.cpuUsage();
  const result = await fitRegression(data, { family: design.family });
  const { user, system } = process.cpuUsage(before);
  const found = data.columns.map((_, j) => variable(result, `x${j}`));
  kept[design.name] = { pip: found.map(({ pip }) => pip), pipError: found.map(({ pipError }) => pipError) };
  if (out) writeFileSync(out, JSON.stringify(kept));
  const off = found.map(({ pip }, j) => (truth ? Math.abs(pip - truth.pip[j]) : 0));
  const worst = off.indexOf(Math.max(...off));
  const cells = [
    design.name,
    truth ? `${truth.size.toFixed(2)} ± ${truth.sizeError.toFixed(2)}` : "?",
    result.modelSize.mean.toFixed(2),
    truth
      ? `${off[worst].toFixed(3)} (truth ${truth.pip[worst].toFixed(3)} ± ${truth.pipError[worst].toFixed(3)})`
      : "?",
    Math.max(...found.map(({ pipError }) => pipError)).toFixed(3),
    ((user + system) / 1e6).toFixed(1),
    (result.verdict ?? "").replace(/\|/g, "/").slice(0, 160),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
