/**
 * Clusters and hidden states on correlated columns, beside EM that starts at the truth:
 * `node --import tsx bench/clusters/recovery.ts clusters|states FROM TO`. A line of JSON for each design, and at the end
 * how often the adjusted Rand index is within 0.02 (`close`), how often it is not and the verdict says that the data do
 * not tell so many apart or warns of something else (`said`) or says nothing (`silent`), and how often the verdict was
 * clean. Correlations 0 to 0.99, 100 to 10⁵ rows, 2 to 10 columns, 1 to 6 clusters, chosen by the design's number.
 */

import { clusters, hiddenStates } from "../../src/index.js";
import { adjustedRand, design, emFromTruth } from "./designs.js";

const kind = process.argv[2] === "states" ? "states" : "clusters";
const [from, to] = [Number(process.argv[3] ?? 0), Number(process.argv[4] ?? 100)];
const tally = { done: 0, close: 0, said: 0, silent: 0, clean: 0, failed: 0 };

/** Rows that are compared: enough for an index to three digits. */
const COMPARED = 20_000;

for (let seed = from; seed < to; seed++) {
  const data = design(seed, kind === "states" ? 0.05 : undefined);
  const { rows, columns, count, correlation, values, labels } = data;
  const before = process.cpuUsage();
  tally.done += 1;
  try {
    const some = values.subarray(0, Math.min(rows, COMPARED) * columns);
    const found = await fitted();
    const { user, system } = process.cpuUsage(before);
    const ours = labelsOf(found.at(some), count);
    const compared = labels.subarray(0, ours.length);
    const index = adjustedRand(ours, compared);
    const best = adjustedRand(emFromTruth(data, kind === "states").subarray(0, ours.length), compared);
    const isClean = found.verdict === "No problems found.";
    tally[index >= best - 0.02 ? "close" : isClean ? "silent" : "said"] += 1;
    if (isClean) tally.clean += 1;
    const seconds = Number(((user + system) / 1e6).toFixed(1));
    const { iterations, rhat, certainty, empty } = found.diagnostics;
    console.log(
      JSON.stringify({
        seed,
        rows,
        columns,
        count,
        correlation,
        index,
        best,
        seconds,
        iterations,
        rhat,
        certainty,
        empty,
        method: found.method,
        verdict: found.verdict,
      }),
    );
  } catch (error) {
    tally.failed += 1;
    console.log(JSON.stringify({ seed, rows, columns, count, correlation, error: String(error) }));
  }

  async function fitted() {
    if (kind === "clusters") {
      const fit = await clusters(values, { columns, components: count });
      return { ...fit, at: fit.membership };
    }
    const fit = await hiddenStates(values, { states: count, emission: { kind: "gaussian", columns } });
    return { ...fit, at: fit.probabilities };
  }
}
console.log(JSON.stringify(tally));

function labelsOf(probabilities: Float64Array, count: number): Uint16Array {
  return Uint16Array.from({ length: probabilities.length / count }, (_, i) => {
    let best = 0;
    for (let k = 1; k < count; k++)
      if (probabilities[i * count + k] > probabilities[i * count + best]) best = k;
    return best;
  });
}
