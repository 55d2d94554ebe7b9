/**
 * What the default priors promise on simulated data:
 * - intervals of effects cover the truth about 95 times in 100 at any signal-to-noise ratio,
 * - pure noise selects nothing.
 *
 *     npm run build && node --import tsx bench/priors/checks.ts coverage|noise [SETS]
 */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { fit } from "../../src/node.js";

const [what, count] = process.argv.slice(2);
if (what === "noise") await noise(Number(count ?? 40));
else await coverage(Number(count ?? 200));

/** Three effects of random sizes among ten columns of 200 rows; the ratio is that of the variances. */
async function coverage(sets: number): Promise<void> {
  console.log("| signal to noise | given that they are in | mass at zero included | all coefficients |");
  console.log("|---:|---:|---:|---:|");
  for (const ratio of [0.1, 1, 10, 100, 1000, 10_000]) {
    let [covered, ifIn, effects, all] = [0, 0, 0, 0];
    for (let set = 1; set <= sets; set++) {
      const { data, beta } = regression(Rng.seeded(7919 * set + Math.round(ratio)), ratio);
      const { variables } = await fit(data, { target: "y", threads: 1 });
      for (const { name, lower, upper, lowerIfIncluded, upperIfIncluded } of variables) {
        const truth = beta[Number(name.slice(1))];
        const holds = lower <= truth && truth <= upper;
        all += Number(holds);
        if (truth === 0) continue;
        effects += 1;
        covered += Number(holds);
        ifIn += Number(lowerIfIncluded <= truth && truth <= upperIfIncluded);
      }
    }
    const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)}% of ${of}`;
    console.log(
      `| ${ratio} | ${share(ifIn, effects)} | ${share(covered, effects)} | ${share(all, 10 * sets)} |`,
    );
  }
}

function regression(rng: Rng, ratio: number) {
  const beta = Array.from({ length: 10 }, (_, j) => (j < 3 ? normal(rng) : 0));
  const columns = beta.map(() => Array.from({ length: 200 }, () => normal(rng)));
  const signal = columns[0].map((_, i) => beta.reduce((sum, b, j) => sum + b * columns[j][i], 0));
  const sd = Math.sqrt(beta.reduce((sum, b) => sum + b * b, 0) / ratio);
  const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
  return { data: { ...named, y: signal.map((value) => value + sd * normal(rng)) }, beta };
}

async function noise(sets: number): Promise<void> {
  let [selecting, size] = [0, 0];
  for (let set = 1; set <= sets; set++) {
    const rng = Rng.seeded(1000 + set);
    const column = () => Array.from({ length: 50 }, () => normal(rng));
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, j) => [`x${j}`, column()]));
    const { variables, modelSize } = await fit({ ...data, y: column() }, { target: "y" });
    selecting += Number(variables.some(({ selected }) => selected));
    size += modelSize.mean / sets;
  }
  console.log(
    `Pure noise, 50 × 1,000: ${selecting} of ${sets} sets select something; mean size ${size.toFixed(3)}.`,
  );
}
