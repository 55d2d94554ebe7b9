/** The posterior of one number from its draws: a hill where it is not zero, a bar where it is. */

import * as Plot from "@observablehq/plot";
import { quantile } from "../../../diagnostics/chains.js";
import { probability } from "../../text/numbers.js";
import { printable } from "../markup.js";
import { type Canvas, type Drawing, NEGATIVE, PAPER, POSITIVE, plot, QUIET } from "./canvas.js";
import { ticksAlong } from "./ticks.js";

export interface Density {
  readonly name: string;
  readonly values: ArrayLike<number>;
  /** What a draw counts; all the same unless told. */
  readonly weights?: ArrayLike<number> | undefined;
  /** The probability that it is not zero: the height of the hill. Without it there is no bar. */
  readonly pip?: number | undefined;
  /** Whether it cannot be below zero, as standard deviations cannot. */
  readonly positive?: boolean;
}

const POINTS = 72;
/** Fewer draws than this make no hill. */
const FEWEST = 30;

export interface Hill {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A kernel density estimate (Silverman's rule) of the draws that are not zero, its top at 1. */
export function hill({
  values,
  weights,
  positive = false,
}: Pick<Density, "values" | "weights" | "positive">): Hill | undefined {
  const kept = Array.from(values, (value, i) => ({ value, weight: weights?.[i] ?? 1 })).filter(
    ({ value, weight }) => value !== 0 && weight > 0,
  );
  if (kept.length < FEWEST) return undefined;
  const sorted = Float64Array.from(kept, ({ value }) => value).sort();
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  const mean = kept.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
  const variance = kept.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0) / total;
  const quartiles = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  const spread = Math.min(Math.sqrt(variance), quartiles > 0 ? quartiles : Number.POSITIVE_INFINITY);
  const width = 0.9 * spread * kept.length ** -0.2;
  if (!(width > 0)) return undefined;
  const [low, to] = [quantile(sorted, 0.002) - 3 * width, quantile(sorted, 0.998) + 3 * width];
  const from = positive ? Math.max(0, low) : low;
  const x = Array.from({ length: POINTS }, (_, i) => from + ((to - from) * i) / (POINTS - 1));
  const kernel = (distance: number): number => Math.exp(-0.5 * (distance / width) ** 2);
  // What would lie beyond an edge is reflected at it.
  const y = x.map((at) =>
    kept.reduce(
      (sum, { value, weight }) => sum + weight * (kernel(at - value) + (positive ? kernel(at + value) : 0)),
      0,
    ),
  );
  const top = Math.max(...y);
  return { x, y: y.map((value) => value / top) };
}

/** A number that is surely there needs no zero in its picture. */
const SURE = 0.995;
/** Pixels of its number. */
const NUMBER = 48;

export function densityPlot(canvas: Canvas, density: Density): Drawing | undefined {
  const found = hill(density);
  if (!found) return undefined;
  const { pip, name } = density;
  const points = found.x.map((x, i) => ({ x, y: (pip ?? 1) * found.y[i] }));
  const middle = found.x[found.y.indexOf(1)];
  const spike = pip !== undefined && pip < SURE ? [{ x: 0, y: 1 - pip }] : [];
  const ends = [...found.x, ...spike.map(({ x }) => x)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const ticks = ticksAlong({ low, high, pixels: canvas.width - 18 });
  // The number of the bar stands on the side where the hill is not, if there is room for it.
  const [before, after] = [-low, high].map((room) => (room / (high - low)) * canvas.width > NUMBER);
  const aside = middle < 0 ? (after ? "start" : "end") : before ? "end" : "start";
  const colour = middle < 0 ? NEGATIVE : POSITIVE;
  return plot(canvas, `Posterior density of ${printable(name)}`, {
    height: 104,
    marginLeft: 6,
    marginRight: 12,
    marginTop: 16,
    marginBottom: 22,
    x: { domain: [low, high], ...ticks, label: null, tickSize: 3 },
    y: { domain: [0, 1], axis: null },
    marks: [
      Plot.areaY(points, { x: "x", y: "y", fill: colour, fillOpacity: 0.3 }),
      Plot.lineY(points, { x: "x", y: "y", stroke: colour, strokeWidth: 1.4 }),
      Plot.ruleY([0], { stroke: QUIET }),
      Plot.ruleX(spike, { x: "x", y1: 0, y2: "y", stroke: "currentColor", strokeWidth: 4 }),
      Plot.text(spike, {
        x: "x",
        y: "y",
        text: ({ y }) => probability(y),
        dy: -7,
        dx: aside === "end" ? -3 : 3,
        textAnchor: aside,
        fill: "currentColor",
        stroke: PAPER,
        strokeWidth: 3,
      }),
    ],
  });
}
