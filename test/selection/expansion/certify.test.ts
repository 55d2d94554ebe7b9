import { describe, expect, test } from "vitest";
import { normal } from "../../../src/math/normal.js";
import { Rng } from "../../../src/math/rng.js";
import { JOIN } from "../../../src/selection/certify/belonging.js";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { certifyExpanded } from "../../../src/selection/expansion/certify.js";
import { quadraticStatistics } from "../../../src/selection/expansion/expansion.js";
import { expansionAt, modeOf } from "../../../src/selection/expansion/mode.js";
import { Evidence, subsetStatistics } from "../../../src/selection/posterior/evidence.js";
import { scaled, unscaled } from "../../../src/store/batch/scaling.js";
import { localPool } from "../../../src/workers/pool.js";
import { scratchOf, smallStore } from "../../small-store.js";

describe.each([
  ["binomial", true],
  ["binomial", false],
  ["poisson", true],
] as const)("the certificate's pass for a %s target (intercept: %s)", (family, hasIntercept) => {
  test("gives outsiders the odds that they would have as candidates of the same expansion", async () => {
    const rng = Rng.seeded(13);
    const rows = 300;
    const random = (shift = 0) => Float64Array.from({ length: rows }, () => shift + normal(rng));
    const columns: Record<string, Float64Array> = {
      a: random(),
      b: random(40),
      c: random(),
      d: random(-3),
      e: random(),
    };
    columns.c = columns.c.map((v, i) => v + 0.7 * columns.a[i]);
    columns.y = columns.a.map((v, i) => {
      const eta = 0.6 * v - 0.4 * (columns.b[i] - 40) + 0.25 * columns.d[i];
      return family === "binomial"
        ? Number(rng.uniform() < 1 / (1 + Math.exp(-eta)))
        : Math.round(Math.exp(0.4 * eta) * 2 * rng.uniform());
    });
    const store = await smallStore(columns, 70);
    const screen = screenFrom([screenColumns(store, scratchOf(store), { first: 0, last: 6 })], rows);
    const settings = {
      ...screen,
      shift: store.shift,
      centred: hasIntercept,
      standard: true,
      standardTarget: false,
    };
    const scaling = { ...scaled(settings), target: unscaled(store.shift).target };
    const [v, logPriorOfAdding] = [0.5, -1.3];
    const mode = {
      store,
      pool: localPool(store),
      family,
      scaling,
      slabVariance: v,
      hasIntercept,
      tallest: () => 4,
      density: () => 1,
    };
    const judgesOn = [0, 1];
    const search = await modeOf(mode, { columns: judgesOn, theta: new Float64Array(2), intercept: 0 });
    if (!search.found) throw new Error("no mode");
    const { point } = search.mode;

    const all = [0, 1, 2, 3, 4];
    const theta = Float64Array.from(all, (j) => (j < 2 ? point.theta[j] : 0));
    const expansion = await expansionAt(mode, { columns: all, theta, intercept: point.intercept });
    const { statistics, centre } = quadraticStatistics(expansion, rows, hasIntercept);
    const slab = { kind: "independent", scale: v } as const;
    const direct = new Evidence(statistics, slab, 1);
    direct.rebuild(judgesOn);

    const certify = (logPriorOfAdding: number) =>
      certifyExpanded(store, scratchOf(store), {
        family,
        judges: {
          columns: judgesOn,
          statistics: subsetStatistics(statistics, judgesOn),
          noiseVariance: 1,
          slabKind: "independent",
          scales: [v],
          covered: 1,
          scaling,
          sums: [0, 0],
          models: [
            {
              members: [0, 1],
              scales: [{ slab, share: 1, memberGain: 0 }],
              weight: 1,
              logPriorOfAdding,
              logPriorOfLeaving: 0,
              leaving: [],
              withNeighbours: true,
            },
          ],
        },
        point,
        hasIntercept,
        response: hasIntercept ? centre.intercept : 0,
        centres: centre.means.slice(0, 2),
        spare: { columns: [3], centres: centre.means.slice(3, 4) },
        first: 2,
        last: 5,
        outside: Uint8Array.of(1, 1, 1),
        means: screen.mean.slice(2, 5),
        known: { judges: [undefined, undefined], rest: undefined },
      });
    const certified = certify(logPriorOfAdding);
    // Sums with a column that judges nobody yet are those of the expansion.
    const { products, total } = certified.fresh!.judges[2];
    for (let j = 2; j < 5; j++) {
      const product = scaling.slope[j] * products[j - 2] + scaling.offset[j] * total;
      expect(product / statistics.gram[j * 5 + 3]).toBeCloseTo(1, 4);
    }
    // Those that are to stay outside are added up, the prior apart.
    const { pip, factors } = certify(-7);
    const thin = [2, 3, 4].filter((j) => pip[j - 2] <= JOIN).map((j) => Math.exp(direct.gainOfAdding(j)));
    expect(thin.length).toBeGreaterThan(0);
    expect(factors[0] / thin.reduce((sum, factor) => sum + factor, 0)).toBeCloseTo(1, 3);
    for (const j of [2, 3, 4]) {
      const odds = Math.exp(direct.gainOfAdding(j) + logPriorOfAdding);
      expect(Math.abs(certified.pip[j - 2] - odds / (1 + odds))).toBeLessThan(2e-4);
    }
  });
});
