/**
 * How often the overall check raises an alarm where no column means anything:
 *
 *     npx tsx bench/hidden/noise.ts [SETS]
 */

import { type DesignSettings, design } from "./designs.js";
import { fitArrays } from "./fit.js";

const [sets = 70] = process.argv.slice(2).map(Number);
type Shape = Pick<DesignSettings, "rows" | "columns" | "common" | "response">;
const shapes: readonly Shape[] = [
  { rows: 200, columns: 50 },
  { rows: 1000, columns: 350 },
  { rows: 100, columns: 400 },
  { rows: 71, columns: 1000, common: 0.5 },
  { rows: 500, columns: 600, common: 0.3 },
  { rows: 500, columns: 350, response: "binomial" },
  { rows: 300, columns: 350, response: "poisson", common: 0.3 },
];
let alarms = 0;
let words = 0;
for (const shape of shapes) {
  const p: number[] = [];
  let selected = 0;
  let own = 0;
  for (let seed = 1; seed <= sets; seed++) {
    const { result } = await fitArrays(
      design({ ...shape, seed: 1000 + seed, kind: "noise" }),
      shape.response,
      seed,
    );
    // Without an end of its rounds there is no overall check, and a word of doubt.
    const { overall } = result.certificate!;
    if (overall) p.push(overall.pValue);
    if (overall?.somethingLeft) own += 1;
    if (!result.verdict!.startsWith("No problems found.")) words += 1;
    selected += result.variables.filter((v) => v.selected).length;
  }
  alarms += own;
  const below = (level: number): string => (p.filter((value) => value < level).length / p.length).toFixed(3);
  console.log(
    `${JSON.stringify(shape)}: ${own} alarms in ${sets}; p below 0.5, 0.1, 0.05, 0.01: ${[0.5, 0.1, 0.05, 0.01].map(below).join(" ")}; selected ${selected}`,
  );
}
console.log(`${alarms} false alarms in ${sets * shapes.length} sets; a word of doubt in ${words}`);
