/**
 * The hard problems as a table: how far probabilities and means are off, what the verdict says, and the time of the
 * processor. Those of tier 2 (up to 20,000 columns, 100,000 rows) are run here alone.
 *
 *     node --import tsx bench/hard.ts [1 | 2 | part of a name]
 */

import { judged } from "../test/hard/judged.js";
import { PROBLEMS } from "../test/hard/problems.js";

const asked = process.argv[2] ?? "2";
const byTier = asked === "1" || asked === "2";
const chosen = PROBLEMS.filter(({ name, tier }) => (byTier ? String(tier) === asked : name.includes(asked)));
let wrong = 0;
console.log("| problem | probability off by | mean off by (sd) | verdict | passed | CPU s |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const problem of chosen) {
  const before = process.cpuUsage();
  const { probability, mean, doubted, passed, verdict } = await judged(problem);
  const { user, system } = process.cpuUsage(before);
  const cells = [
    problem.name,
    `${probability.error.toFixed(3)} (${probability.of})`,
    `${mean.error.toFixed(2)} (${mean.of})`,
    doubted ? verdict.replace(/\|/g, "/").slice(0, 90) : "No problems found",
    passed ? "yes" : "NO",
    ((user + system) / 1e6).toFixed(1),
  ];
  if (!passed) wrong += 1;
  console.log(`| ${cells.join(" | ")} |`);
}
console.log(`${chosen.length - wrong} of ${chosen.length} passed`);
