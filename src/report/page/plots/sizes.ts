/** How many variables are in the model, before and after the data. */

import * as Plot from "@observablehq/plot";
import { type Canvas, type Drawing, FAINT, plot, QUIET, STRONG } from "./canvas.js";
import { percentTick } from "./ticks.js";

/** The model size before (grey) and after the data. */
export function sizePlot(
  canvas: Canvas,
  prior: readonly number[],
  posterior: readonly number[],
): Drawing | undefined {
  const worth = (p: number | undefined): boolean => (p ?? 0) > 0.002;
  const sizes = Array.from({ length: Math.max(prior.length, posterior.length) }, (_, k) => k).filter(
    (k) => worth(prior[k]) || worth(posterior[k]),
  );
  if (sizes.length === 0) return undefined;
  const last = Math.max(...sizes);
  const range = Array.from({ length: last - Math.min(...sizes) + 1 }, (_, i) => Math.min(...sizes) + i);
  const bars = range.map((k) => ({ k, prior: prior[k] ?? 0, posterior: posterior[k] ?? 0 }));
  const sparse = Math.ceil(bars.length / Math.max(4, canvas.width / 36));
  return plot(canvas, "Probability of each model size, before and after the data", {
    height: 240,
    marginLeft: 40,
    marginRight: 8,
    marginBottom: 40,
    x: {
      type: "band",
      padding: 0.15,
      domain: range,
      tickSize: 0,
      tickFormat: (k: number) => (k % sparse === 0 ? String(k) : ""),
      label: "variables in the model",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: {
      domain: [0, Math.max(...bars.flatMap((b) => [b.prior, b.posterior]))],
      ticks: 4,
      label: null,
      tickFormat: percentTick,
    },
    marks: [
      Plot.barY(bars, { x: "k", y: "prior", fill: FAINT }),
      Plot.barY(bars, {
        x: "k",
        y: "posterior",
        fill: STRONG,
        inset: 0,
        insetLeft: 3,
        insetRight: 3,
        fillOpacity: 0.85,
      }),
      Plot.ruleY([0], { stroke: QUIET }),
    ],
  });
}
