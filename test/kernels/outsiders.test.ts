import { describe, expect, it } from "vitest";
import { type Mixtures, referenceJudging } from "../../src/kernels/outsiders.js";
import { wasmJudging } from "../../src/kernels/wasm-outsiders.js";
import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { Evidence } from "../../src/selection/posterior/evidence.js";
import type { FixedSlab } from "../../src/selection/posterior/slab.js";
import { statisticsOf } from "../selection/problems.js";

const INSIDE = 7;
const OUTSIDE = 41;

/** Columns that share a factor: the first of them candidates, others outside, one of these a sum of two candidates. */
function problem(rng: Rng, rows: number) {
  const columns = Array.from({ length: INSIDE + OUTSIDE }, () => new Array<number>(rows));
  const y = Array.from({ length: rows }, (_, i) => {
    const common = normal(rng);
    for (const column of columns) column[i] = 0.6 * common + normal(rng);
    columns[INSIDE][i] = columns[0][i] + columns[1][i];
    columns[INSIDE + 1][i] = columns[2][i] + 0.1 * normal(rng);
    return columns[0][i] - 0.6 * columns[2][i] + 0.15 * columns[3][i] + normal(rng);
  });
  return { columns, y };
}

const SLABS: FixedSlab[] = [
  { kind: "independent", scale: 0.5 },
  { kind: "zellner", scale: 300 },
];
const CASES = SLABS.flatMap((slab) =>
  [undefined, 1.3].flatMap((noise) => [8, 60, 20_000].map((rows) => ({ slab, noise, rows }))),
);

describe.each(CASES)("columns outside, $slab.kind, noise $noise, $rows rows", ({ slab, noise, rows }) => {
  it("are judged by the kernel as by its readable form", () => {
    const rng = Rng.seeded(rows);
    const data = problem(rng, rows);
    const all = statisticsOf(data, true);
    const inside = statisticsOf({ columns: data.columns.slice(0, INSIDE), y: data.y }, true);
    const partsOf = (members: number[], leaving: number[], slabs: FixedSlab[]) =>
      slabs.map((at, s) => {
        const evidence = new Evidence(inside, at, noise);
        evidence.rebuild(members);
        return { share: s === 0 ? 0.7 : 0.3, terms: evidence.outsiders(-3.2, 1.1, leaving) };
      });
    const wider = { ...slab, scale: 4 * slab.scale };
    const judges = [
      partsOf([0, 2], [0, 2], [slab, wider]),
      partsOf([], [], [slab]),
      partsOf([2, 0, 5, 3, 1], [5, 0], [slab]),
    ];
    for (const count of [OUTSIDE, 12, 1]) {
      const outside = Array.from({ length: count }, (_, i) => INSIDE + i);
      const pick = (of: (j: number) => number): Float64Array => Float64Array.from(outside, of);
      const columns = {
        count,
        cross: Array.from({ length: INSIDE }, (_, c) => pick((j) => all.gram[j * all.size + c])),
        own: pick((j) => all.gram[j * all.size + j]),
        target: pick((j) => all.cross[j]),
      };
      const told: { judge: number; said: Mixtures }[][] = [referenceJudging, wasmJudging].map((judging) => {
        const heard: { judge: number; said: Mixtures }[] = [];
        judging(judges)(columns, (judge, said) => {
          const copies = Object.entries(said).map(([name, values]) => [name, values.slice()]);
          heard.push({ judge, said: Object.fromEntries(copies) as Mixtures });
        });
        return heard;
      });
      expect(told[1].map(({ judge }) => judge)).toEqual([0, 1, 2]);
      told[0].forEach(({ said }, m) => {
        const by = told[1][m].said;
        const scale = Math.max(...said.mean.map(Math.abs));
        for (let i = 0; i < count; i++) {
          const near = (value: number, wanted: number, tolerance: number): void =>
            expect(Math.abs(value - wanted)).toBeLessThanOrEqual(tolerance);
          // Logarithms of a column's share of what is left are off by 1e-16, and stand before half of the rows.
          const off = 1e-9 * said.weight[i];
          near(by.weight[i], said.weight[i], off);
          near(by.mean[i], said.mean[i], 1e-9 * scale);
          near(by.square[i], said.square[i], 1e-9 * said.square[i]);
          near(by.positive[i], said.positive[i], 3 * off);
          near(by.exchange[i], said.exchange[i], 3 * off);
          near(by.score[i], said.score[i], 1e-9 * (1 + Math.abs(said.score[i])));
        }
      });
    }
  });
});
