/**
 * How good are the starts of chains? `node --import tsx bench/clusters/starts.ts MOST FROM TO`: for the designs of these
 * numbers with two clusters or more and MOST rows at most, two starts each beside the mode next to the true labels. A
 * line for each design of which a start is lower by 5 or more in the log of its mass, and at the end how many there are.
 */

import { exactClusters } from "../../src/clustering/chains/cluster-chain.js";
import { ofGroups } from "../../src/clustering/exact/mixture-exact.js";
import { mixtureMode, mixtureRefined } from "../../src/clustering/exact/mixture-mode.js";
import type { Mode } from "../../src/clustering/exact/mode.js";
import { resolution } from "../../src/clustering/exact/resolution.js";
import { standardised } from "../../src/clustering/standardised.js";
import { Rng } from "../../src/math/rng.js";
import { design } from "./designs.js";

const [most, from, to] = process.argv.slice(2).map(Number);
/** A mode that is lower by this has 1% of the mass of the other. */
const LOWER = 5;
const tally = { designs: 0, starts: 0, lower: 0, bothLower: 0, cpu: 0 };

function ended(steps: Generator<undefined, Mode, void>): Mode {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

for (let seed = from; seed < to; seed++) {
  const { rows, columns, count, correlation, labels, values: raw } = design(seed);
  if (count < 2 || rows > most) continue;
  const { values } = standardised(raw, columns);
  const all = { rows, columns, weight: 1, values };
  const floor = [...resolution(values, columns)];
  const exact = exactClusters({ columns, components: count, covariance: "full", floor });
  const truth = ended(mixtureRefined(exact, all, ofGroups(exact, all, labels)));
  const before = process.cpuUsage();
  const gaps = [0, 1].map(
    (c) => truth.value - ended(mixtureMode(Rng.seeded(2 * seed + c), exact, all)).value,
  );
  const { user, system } = process.cpuUsage(before);
  const lower = gaps.filter((gap) => gap > LOWER).length;
  tally.designs += 1;
  tally.starts += gaps.length;
  tally.lower += lower;
  tally.bothLower += lower === gaps.length ? 1 : 0;
  tally.cpu += (user + system) / 1e6;
  if (lower > 0) console.log(JSON.stringify({ seed, rows, columns, count, correlation, gaps }));
}
console.log(JSON.stringify(tally));
