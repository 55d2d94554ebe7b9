/**
 * How well the intervals of a group standard deviation cover, and where its median lies: simulated groups with a random
 * intercept, fitted with the defaults of `mixed`. One line a cell; `node --import tsx bench/mixed/coverage.ts [sets
 * [groups [rows]]]`; rows are as in `5,50` (all groups alike) or `5-50` (every group its own number, anything in between).
 *
 * Columns: share of the 95% intervals that cover the truth; (median − truth) over the posterior sd, averaged; the
 * posterior median and upper end, averaged, over the noise; the share of runs with a clean verdict; CPU seconds a fit.
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fitMixed } from "../../src/mixed/fit.js";
import { addRow, emptyCrossProducts } from "../../src/mixed/model/crossproducts.js";

const SPREADS = [0, 0.05, 0.1, 0.2, 0.5, 1];
const GROUPS = (process.argv[3] ?? "30,100,1000").split(",").map(Number);
const ROWS = (process.argv[4] ?? "5,50").split(",").map((range) => range.split("-").map(Number));
const sets = Number(process.argv[2] ?? 100);

function simulated(rng: Rng, groups: number, [least, most = least]: readonly number[], spread: number) {
  const names = Array.from({ length: groups }, (_, i) => String(i));
  const data = emptyCrossProducts(["(intercept)", "x"], "y", names);
  for (let i = 0; i < groups; i++) {
    const effect = spread * normal(rng);
    const rows = least === most ? least : least + Math.floor((most - least + 1) * rng.uniform());
    for (let r = 0; r < rows; r++) {
      const x = normal(rng);
      addRow(data, i, [1, x, 1 + 0.5 * x + effect + normal(rng)]);
    }
  }
  return data;
}

console.log("groups  rows  sd/noise  covered   bias  median   upper  clean  sec");
for (const groups of GROUPS) {
  for (const rows of ROWS) {
    for (const spread of SPREADS) {
      let [covered, bias, median, upper, clean] = [0, 0, 0, 0, 0];
      const from = process.cpuUsage();
      for (let set = 0; set < sets; set++) {
        const rng = Rng.seeded(1000 * set + groups + rows[0]).split(Math.round(100 * spread));
        const data = simulated(rng, groups, rows, spread);
        const { result } = await fitMixed(data, { target: "y", group: "g", fixed: ["x"], seed: set + 1 });
        const [sd] = result.random.sd;
        covered += Number(sd.lower <= spread && spread <= sd.upper);
        bias += (sd.median - spread) / sd.sd;
        median += sd.median;
        upper += sd.upper;
        clean += Number(result.verdict.startsWith("No problems"));
      }
      const { user } = process.cpuUsage(from);
      const line = [covered, bias, median, upper, clean].map((sum) => (sum / sets).toFixed(3).padStart(7));
      console.log(
        `${groups}`.padStart(6),
        rows.join("-").padStart(5),
        `${spread}`.padStart(9),
        ...line,
        (user / 1e6 / sets).toFixed(2),
      );
    }
  }
}
