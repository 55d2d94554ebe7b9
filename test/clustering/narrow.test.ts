import { describe, expect, it } from "vitest";
import { narrowWords } from "../../src/clustering/narrow.js";
import { clusters, hiddenStates } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

const rng = Rng.seeded(6);
/** Two groups far apart, in two columns. */
const apart = Array.from({ length: 200 }, (_, i) => [8 * (i % 2) + normal(rng), normal(rng)]);
const rows = (of: (row: number[]) => number[]): Float64Array => Float64Array.from(apart.flatMap(of));
const whole = rows(([a, b]) => [Math.round(a), Math.round(b)]);
const coded = rows(([a, b]) => [a, Number(b > 0)]);

describe("clusters on values that repeat", () => {
  it("are a problem of the verdict, by their number and the column", async () => {
    const { diagnostics } = await clusters(coded, { columns: 2, components: 4, iterations: 300 });
    expect(diagnostics.warnings.join("\n")).toMatch(
      /Clusters 1, 2, 3 and 4 are narrower in column 2 than its values are apart: a value that repeats makes a cluster/,
    );
    const emission = { kind: "gaussian", columns: 1 } as const;
    const states = await hiddenStates(
      coded.filter((_, i) => i % 2 === 1),
      { states: 2, emission, iterations: 300 },
    );
    expect(states.verdict).toMatch(
      /States 1 and 2 are narrower in column 1 than its values are apart: .* Ask for fewer\./,
    );
  });

  it("are none where rounded values spread over several steps", async () => {
    const { verdict } = await clusters(whole, { columns: 2, components: 2 });
    expect(verdict).toBe("No problems found.");
  });
});

it("one cluster is told as one, with the column's name and the option that leaves it out", () => {
  const [sentence] = narrowWords([{ column: 1, clusters: [2], alone: false }], "cluster", [
    "size",
    "kind of",
  ]);
  expect(sentence).toMatch(/^Cluster 3 is narrower in "kind of" than its values are apart: .*exclude/);
});

it("clusters that are a million of their widths apart keep them", async () => {
  const noise = Float64Array.from({ length: 100 }, () => normal(rng));
  const variance = noise.reduce((sum, e) => sum + e * e, 0) / noise.length;
  const far = Float64Array.from({ length: 300 }, (_, i) => 1e6 * (i % 3) + noise[Math.floor(i / 3)]);
  const { clusters: found, verdict } = await clusters(far, { columns: 1, components: 3 });
  expect(verdict).toBe("No problems found.");
  for (const { covariance } of found) {
    expect(covariance[0][0].lower).toBeLessThan(variance);
    expect(covariance[0][0].upper).toBeGreaterThan(variance);
  }
});
