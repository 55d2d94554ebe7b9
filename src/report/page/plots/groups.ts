/** Effects of groups in their order, each with its name and interval. */

import * as Plot from "@observablehq/plot";
import { printable } from "../markup.js";
import { type Canvas, type Drawing, NEGATIVE, POSITIVE, plot, QUIET } from "./canvas.js";
import { nameColumn } from "./names.js";
import { ticksAlong } from "./ticks.js";

export interface GroupEffect {
  readonly name: string;
  readonly mean: number;
  readonly sd: number;
}

/** Groups that are drawn: the lowest, the highest, and others at even distances between. */
const ENDS = 12;
const SHOWN = 40;

export function groupsShown(effects: readonly GroupEffect[]): GroupEffect[] {
  const order = [...effects].sort((a, b) => b.mean - a.mean);
  if (order.length <= SHOWN) return order;
  const inner = order.slice(ENDS, -ENDS);
  const between = SHOWN - 2 * ENDS;
  const middle = Array.from(
    { length: between },
    (_, k) => inner[Math.floor(((k + 0.5) * inner.length) / between)],
  );
  return [...order.slice(0, ENDS), ...middle, ...order.slice(-ENDS)];
}

export function groupsPlot(canvas: Canvas, label: string, shown: readonly GroupEffect[]): Drawing {
  const names = nameColumn(
    canvas,
    shown.map(({ name }) => name),
  );
  const rows = shown.map(({ mean, sd }, i) => ({
    i,
    mean,
    lower: mean - 1.96 * sd,
    upper: mean + 1.96 * sd,
    colour: mean < 0 ? NEGATIVE : POSITIVE,
  }));
  const least = Math.min(0, ...rows.map(({ lower }) => lower));
  const most = Math.max(0, ...rows.map(({ upper }) => upper));
  const pad = 0.04 * (most - least) || 1;
  const [low, high] = [least - pad, most + pad];
  const pixels = canvas.width - names.marginLeft - 14;
  return plot(canvas, `Effects of groups on ${printable(label)}`, {
    height: 44 + 18 * rows.length,
    marginLeft: names.marginLeft,
    marginRight: 14,
    marginBottom: 30,
    x: { domain: [low, high], ...ticksAlong({ low, high, pixels }), label: null, tickSize: 3 },
    y: names.y,
    marks: [
      ...names.marks,
      Plot.ruleX([0], { stroke: QUIET }),
      Plot.ruleY(rows, {
        x1: "lower",
        x2: "upper",
        y: "i",
        stroke: "colour",
        strokeWidth: 3,
        strokeOpacity: 0.4,
      }),
      Plot.dot(rows, { x: "mean", y: "i", r: 3.5, fill: "colour" }),
    ],
  });
}
