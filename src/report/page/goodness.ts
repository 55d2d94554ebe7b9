/** How good the predictions are: what was observed against what was predicted. */

import * as Plot from "@observablehq/plot";
import { calibration } from "../../diagnostics/calibration.js";
import { familyNamed } from "../../families/register.js";
import type { PredictedRows } from "../../selection/answer/fitted.js";
import type { StoredRun } from "../stored-run.js";
import { count } from "../text/numbers.js";
import { scoreLines } from "../text/prediction.js";
import type { Result } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { type Drawers, figure, worded } from "./parts.js";
import { type Canvas, type Drawing, FAINT, plot, QUIET, STRONG } from "./plots/canvas.js";

export function goodnessSection({ result, predicted }: StoredRun, drawers: Drawers): Markup | undefined {
  const { holdout, scores } = result;
  if (!holdout && !scores) return undefined;
  const kinds = holdout
    ? { "model average": holdout.average, "median model": holdout.median }
    : { "": scores! };
  const [first] = Object.values(kinds);
  return html`<section>
<h2>How good it is</h2>
<p>${
    holdout
      ? `Predictions for ${count(holdout.rows, "row")} that were held out.`
      : worded(
          "The most probable model on the rows that it was fitted to; rows that are held out (--holdout 0.2) would be predicted a little less well.",
        )
  }</p>
<table class="plain"><thead><tr><th scope="col"></th>${Object.keys(kinds).map((kind) => html`<th scope="col">${kind}</th>`)}</tr></thead><tbody>
${scoreLines(first, ...Object.values(kinds).slice(1)).map(
  ([label, ...cells]) =>
    html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>
${predicted && predicted.observed.length > 1 && pictures(result, predicted, drawers)}
</section>`;
}

function pictures({ family, target }: Result, rows: PredictedRows, drawers: Drawers): Markup {
  if (familyNamed(family).target.classes) {
    return html`${figure(
      drawers,
      (canvas) => calibrationPlot(canvas, rows),
      html`Calibration: of the rows with about this predicted probability, how many were of the class. On the line is perfect; larger dots stand for more rows.`,
    )}
${figure(
  drawers,
  (canvas) => rocPlot(canvas, rows),
  html`ROC curve: the share of one class that is found against the share of the other that is taken for it, as the threshold falls. The line is what guessing would do.`,
)}`;
  }
  return html`${figure(
    drawers,
    (canvas) => observedPlot(canvas, rows),
    html`Observed against predicted <bdi>${target}</bdi>; on the line is perfect.`,
  )}
${figure(
  drawers,
  (canvas) => residualPlot(canvas, rows),
  html`What is left, against what was predicted: no trend and an even spread are as it should be.`,
)}`;
}

const HEIGHT = 320;
const MARGINS = { marginLeft: 52, marginBottom: 40, marginRight: 16 };
const axis = (label: string): Plot.ScaleOptions => ({
  label,
  labelAnchor: "center",
  labelArrow: "none",
  nice: true,
});

function points({ observed, predicted }: PredictedRows): { x: number; y: number }[] {
  return predicted.map((x, i) => ({ x, y: observed[i] }));
}

function observedPlot(canvas: Canvas, rows: PredictedRows): Drawing {
  const all = points(rows);
  const ends = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
  return plot(canvas, "Observed against predicted", {
    height: HEIGHT,
    ...MARGINS,
    x: axis("predicted"),
    y: axis("observed"),
    marks: [
      Plot.dot(all, { x: "x", y: "y", r: 2, fill: STRONG, fillOpacity: 0.45 }),
      Plot.line(ends, { x: (d) => d, y: (d) => d, stroke: QUIET, strokeDasharray: "4 3" }),
    ],
  });
}

function residualPlot(canvas: Canvas, rows: PredictedRows): Drawing {
  const all = points(rows).map(({ x, y }) => ({ x, y: y - x }));
  return plot(canvas, "Residuals against predicted values", {
    height: 220,
    ...MARGINS,
    x: axis("predicted"),
    y: axis("observed less predicted"),
    marks: [
      Plot.ruleY([0], { stroke: QUIET, strokeDasharray: "4 3" }),
      Plot.dot(all, { x: "x", y: "y", r: 2, fill: STRONG, fillOpacity: 0.45 }),
    ],
  });
}

const SHARE = { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: String } as const;
const diagonal = [
  { x: 0, y: 0 },
  { x: 1, y: 1 },
];

function calibrationPlot(canvas: Canvas, { observed, predicted }: PredictedRows): Drawing {
  const { bins } = calibration(observed, predicted);
  return plot(canvas, "Calibration of predicted probabilities", {
    height: HEIGHT,
    ...MARGINS,
    x: { ...axis("predicted probability"), ...SHARE },
    y: { ...axis("share observed"), ...SHARE },
    r: { range: [2, 12] },
    marks: [
      Plot.line(diagonal, { x: "x", y: "y", stroke: QUIET, strokeDasharray: "4 3" }),
      Plot.line(bins, { x: "predicted", y: "observed", stroke: FAINT }),
      Plot.dot(bins, { x: "predicted", y: "observed", r: "rows", fill: STRONG }),
    ],
  });
}

function rocPlot(canvas: Canvas, rows: PredictedRows): Drawing {
  const curve = rocCurve(rows);
  return plot(canvas, "ROC curve", {
    height: HEIGHT,
    ...MARGINS,
    x: { ...axis("share of the others taken for the class"), ...SHARE },
    y: { ...axis("share of the class found"), ...SHARE },
    marks: [
      Plot.line(diagonal, { x: "x", y: "y", stroke: QUIET, strokeDasharray: "4 3" }),
      Plot.line(curve, { x: "x", y: "y", stroke: STRONG, strokeWidth: 2 }),
    ],
  });
}

/** Rows with equal predictions come together: a slanted piece, not a stair that their order would shape. */
export function rocCurve({ observed, predicted }: PredictedRows): { x: number; y: number }[] {
  const order = Array.from(predicted.keys()).sort((a, b) => predicted[b] - predicted[a]);
  const ones = observed.reduce((sum, y) => sum + y, 0);
  const zeros = observed.length - ones;
  const curve = [{ x: 0, y: 0 }];
  let [found, wrong] = [0, 0];
  order.forEach((i, rank) => {
    if (observed[i] === 1) found += 1;
    else wrong += 1;
    const next = order[rank + 1];
    if (next !== undefined && predicted[next] === predicted[i]) return;
    curve.push({ x: wrong / Math.max(1, zeros), y: found / Math.max(1, ones) });
  });
  return curve;
}
