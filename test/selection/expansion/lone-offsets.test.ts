import { describe, expect, test } from "vitest";
import { screenColumns, screenFrom } from "../../../src/selection/data/screen.js";
import { quadraticStatistics } from "../../../src/selection/expansion/expansion.js";
import { loneOffsets } from "../../../src/selection/expansion/lone-offsets.js";
import { expansionAt, type ModeSettings, modeOf } from "../../../src/selection/expansion/mode.js";
import { Evidence } from "../../../src/selection/posterior/evidence.js";
import { scaled, unscaled } from "../../../src/store/batch/scaling.js";
import { localPool } from "../../../src/workers/pool.js";
import { scratchOf, smallStore } from "../../small-store.js";

const ROWS = 2000;
const V = 0.25;
const ONES = 12;

/** One indicator with twelve ones, so many of them events; of the other rows one in forty is. */
async function setWith(events: number) {
  const x = Float64Array.from({ length: ROWS }, (_, i) => (i % 160 === 7 && i < 160 * ONES ? 1 : 0));
  let left = events;
  const y = Float64Array.from(x, (one, i) => (one === 1 ? (left-- > 0 ? 1 : 0) : i % 40 === 3 ? 1 : 0));
  const store = await smallStore({ x, y }, 256);
  const screen = screenFrom([screenColumns(store, scratchOf(store), { first: 0, last: 2 })], ROWS);
  const scaling = scaled({
    ...{ ...screen, shift: store.shift, centred: true, standard: true, standardTarget: false },
  });
  const settings: ModeSettings = {
    ...{ store, pool: localPool(store), family: "binomial", slabVariance: V, hasIntercept: true },
    scaling: { ...scaling, target: unscaled(store.shift).target },
    ...{ tallest: () => scaling.slope[0], density: () => 0.006 },
  };
  return { x, y, settings, slope: scaling.slope[0] };
}

/** log p(y | in) − log p(y | out) by sums over a grid of the level a and the effect b, N(0, V·slope²). */
function truth(x: Float64Array, y: Float64Array, slope: number): number {
  const count = (one: number, event: number) =>
    x.reduce((n, u, i) => n + (u === one && y[i] === event ? 1 : 0), 0);
  const [n00, n01, n10, n11] = [count(0, 0), count(0, 1), count(1, 0), count(1, 1)];
  const logs = (eta: number, no: number, yes: number) =>
    -yes * Math.log1p(Math.exp(-eta)) - no * (eta + Math.log1p(Math.exp(-eta)));
  const sd = Math.sqrt(V) * slope;
  let [inside, out] = [0, 0];
  for (let a = -5; a < -2.5; a += 0.01) {
    const rest = logs(a, n00, n01) - logs(-3.6, n00, n01);
    out += Math.exp(rest + logs(a, n10, n11));
    for (let b = -6 * sd; b < 6 * sd; b += sd / 100) {
      const density = Math.exp(-0.5 * (b / sd) ** 2) / Math.sqrt(2 * Math.PI) / 100;
      inside += density * Math.exp(rest + logs(a + b, n10, n11));
    }
  }
  return Math.log(inside / out);
}

describe("what an expansion misjudges about a rare column by itself", () => {
  test.each([
    [0, 0.1],
    [1, 0.1],
    [3, 0.1],
    // With a fifth of all events in the column the level of the others moves, too, which is not by itself.
    [9, 1.2],
    [12, 1.2],
  ])("is made good, from where the column is out: %i events in twelve", async (events, left) => {
    const { x, y, settings, slope } = await setWith(events);
    const rate = y.reduce((sum, v) => sum + v, 0) / ROWS;
    const start = { columns: [], theta: new Float64Array(0), intercept: Math.log(rate / (1 - rate)) };
    const search = await modeOf(settings, start);
    if (!search.found) throw new Error("no mode");
    const point = { columns: [0], theta: Float64Array.of(0), intercept: search.mode.point.intercept };
    const expansion = await expansionAt(settings, point);
    const { statistics } = quadraticStatistics(expansion, ROWS, true);
    const slab = { kind: "independent", scale: V } as const;
    const expected = new Evidence(statistics, slab, 1).gainOfAdding(0);
    const [offset] = await loneOffsets(settings, { expansion, statistics, members: [], slab });
    const right = truth(x, y, slope);
    expect(Math.abs(expected - right)).toBeGreaterThan(3 * left);
    expect(Math.abs(expected + offset - right)).toBeLessThan(left);
  });

  test.each([3, 9])("and from where it is in: %i events in twelve", async (events) => {
    const { x, y, settings, slope } = await setWith(events);
    const search = await modeOf(settings, { columns: [0], theta: Float64Array.of(0), intercept: -3.6 });
    if (!search.found) throw new Error("no mode");
    const expansion = search.mode;
    const { statistics } = quadraticStatistics(expansion, ROWS, true);
    const slab = { kind: "independent", scale: V } as const;
    const expected = new Evidence(statistics, slab, 1).gainOfAdding(0);
    const [offset] = await loneOffsets(settings, { expansion, statistics, members: [0], slab });
    expect(Math.abs(expected + offset - truth(x, y, slope))).toBeLessThan(0.1);
  });

  /** Levels of the other rows: what is known at one is of use at the next, and may be of none. */
  test.each([0, 3, 9, 12])("wherever it was looked at before: %i events in twelve", async (events) => {
    const { settings } = await setWith(events);
    const slab = { kind: "independent", scale: V } as const;
    const known = new Map();
    for (const intercept of [-3.6, -3.5, -3, -3.55, 1, -3.6]) {
      const point = { columns: [0], theta: Float64Array.of(0), intercept };
      const expansion = await expansionAt(settings, point);
      const { statistics } = quadraticStatistics(expansion, ROWS, true);
      const place = { expansion, statistics, members: [], slab };
      const [fresh] = await loneOffsets(settings, place);
      const [again] = await loneOffsets(settings, place, known);
      // Beside tables of hundreds of knots either is off by 0.06 at most.
      expect(Math.abs(again - fresh)).toBeLessThan(0.12);
    }
  });
});
