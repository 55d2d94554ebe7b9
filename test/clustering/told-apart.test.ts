import { describe, expect, it } from "vitest";
import { overlapWords, toldApart } from "../../src/clustering/told-apart.js";
import { clusters, hiddenStates } from "../../src/index.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";

/** Rows of one column about each centre in turn. */
function about(centres: readonly number[], rows: number): Float64Array {
  const rng = Rng.seeded(3);
  return Float64Array.from({ length: rows }, (_, i) => centres[i % centres.length] + normal(rng));
}

describe("whether the data tell clusters apart", () => {
  it("counts draws with an empty cluster, and averages before it asks which is most probable", () => {
    // Three rows and two draws: in the first draw cluster 2 has nothing, in the other it has the second row.
    const claims = [Float64Array.of(1, 0, 1, 0, 1, 0), Float64Array.of(0.9, 0.1, 0, 1, 0.8, 0.2)];
    const draws = {
      chains: [[Float64Array.of(0)], [Float64Array.of(1)]],
      weights: Float64Array.of(0.25, 0.75),
    };
    const told = toldApart({ count: 2, claims: ([d]) => claims[d] }, draws, 1);
    expect(told.empty).toBeCloseTo(0.25, 12);
    expect(told.fewer).toBe(1);
    // The second row is more probably in cluster 2.
    expect(told.certainty).toBeCloseTo((0.25 + 0.75 * 0.9 + 0.75 + 0.25 + 0.75 * 0.8) / 3, 12);
  });

  it("takes a row that stands for many for as many", () => {
    const draws = { chains: [[Float64Array.of(0)]], weights: Float64Array.of(1) };
    const claims = () => Float64Array.of(0.995, 0.005);
    expect(toldApart({ count: 2, claims }, draws, 100).empty).toBe(1);
    expect(toldApart({ count: 2, claims }, draws, 1000).empty).toBe(0);
  });

  it("says a number to try, as the command line spells it in its own words", () => {
    const { concerns } = overlapWords({ certainty: 1, empty: 1, fewer: 2 }, 5, "state");
    expect(concerns[0]).toMatch(
      /^In all of the draws 2 of the 5 states hold no step: the data speak for fewer\./,
    );
    expect(overlapWords({ certainty: 0.95, empty: 0.01, fewer: 1 }, 5, "state")).toEqual({
      concerns: [],
      remark: "",
    });
  });
});

it("more clusters than the rows have are a problem, whatever the chains agree on", async () => {
  const options = { columns: 5, components: 2, iterations: 400 };
  const { verdict, diagnostics } = await clusters(about([0], 1000), options);
  expect(diagnostics.empty).toBeGreaterThan(0.05);
  expect(verdict).toMatch(
    /one of the 2 clusters holds no row: the data (may )?speak for fewer\. Try components: 1/,
  );
});

it("clusters far apart are told apart, and clusters that overlap are said to", async () => {
  const far = await clusters(about([0, 8], 200), { columns: 1, components: 2 });
  expect(far.verdict).toBe("No problems found.");
  expect(far.diagnostics.certainty).toBeGreaterThan(0.999);
  expect(far.diagnostics.empty).toBe(0);
  const near = await clusters(about([0, 2.2], 600), { columns: 1, components: 2, iterations: 300 });
  expect(near.verdict).toContain("The clusters overlap: the most probable one of a row is its own");
  expect(near.diagnostics.certainty).toBeLessThan(0.9);
});

it("a state in which no step is spent is said, too", async () => {
  const noise = about([0], 1200);
  const values = noise.map((value, i) => (Math.floor(i / 80) % 2) * 8 + value);
  const emission = { kind: "gaussian", columns: 4 } as const;
  const { diagnostics, verdict } = await hiddenStates(values, { states: 3, emission, iterations: 400 });
  expect(diagnostics.empty).toBeGreaterThan(0.1);
  expect(verdict).toMatch(/no step: the data (may )?speak for fewer\. Try states: 2/);
});
