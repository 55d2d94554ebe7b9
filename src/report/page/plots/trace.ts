/** A quantity along the iterations of each chain. */

import * as Plot from "@observablehq/plot";
import { printable } from "../markup.js";
import { type Canvas, chainColour, type Drawing, FAINT, plot } from "./canvas.js";

export interface Trace {
  readonly label: string;
  /** One list per chain. */
  readonly chains: readonly ArrayLike<number>[];
  /** Iterations from one value to the next. */
  readonly every: number;
  readonly burnIn?: number;
  /** What is counted along the axis; iterations unless told. */
  readonly along?: string;
}

/** Points per line: more than there are pixels would not be seen. */
const TRACE_POINTS = 400;

export function tracePlot(
  canvas: Canvas,
  { label, chains, every, burnIn = 0, along = "iteration" }: Trace,
): Drawing {
  const points = chains.flatMap((values, chain) => {
    const step = Math.max(1, Math.ceil(values.length / TRACE_POINTS));
    return Array.from({ length: Math.ceil(values.length / step) }, (_, i) => ({
      chain,
      t: (i * step + 1) * every,
      value: values[i * step],
    }));
  });
  const last = points.reduce((most, { t }) => Math.max(most, t), 1);
  return plot(canvas, `Trace of ${printable(label)}`, {
    height: 180,
    marginLeft: 48,
    marginRight: 12,
    marginBottom: 38,
    x: {
      domain: [0, last],
      ticks: canvas.width / 110,
      label: along,
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { ticks: 4, label: null, nice: true },
    marks: [
      burnIn > 0
        ? Plot.rectX([0], { x1: 0, x2: Math.min(burnIn, last), fill: FAINT, fillOpacity: 0.4 })
        : null,
      Plot.line(points, {
        x: "t",
        y: "value",
        z: "chain",
        strokeWidth: 1.1,
        strokeOpacity: 0.85,
        stroke: ({ chain }: { chain: number }) => chainColour(chain),
      }),
    ],
  });
}
