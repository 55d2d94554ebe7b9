/** How good the predictions are: what was observed against what was predicted. */

import * as Plot from "@observablehq/plot";
import { familyNamed } from "../../families/register.js";
import type { PredictedRows } from "../../selection/answer/fitted.js";
import type { StoredRun } from "../stored-run.js";
import { count, whole } from "../text/numbers.js";
import { scoreLines, worseThanConstant } from "../text/prediction.js";
import type { Result } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { type Drawers, figure, worded } from "./parts.js";
import { type Canvas, type Drawing, FAINT, plot, QUIET, STRONG } from "./plots/canvas.js";
import { ticksAlong } from "./plots/ticks.js";

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
          worseThanConstant(result) ??
            `The ${result.preset === "paper" ? "median" : "most probable"} model on the rows that it was fitted to; rows that are held out (--holdout 0.2) would be predicted a little less well.`,
        )
  }</p>
<table class="plain"><thead><tr><th scope="col"></th>${Object.keys(kinds).map((kind) => html`<th scope="col">${kind}</th>`)}</tr></thead><tbody>
${scoreLines(first, ...Object.values(kinds).slice(1)).map(
  ([label, ...cells]) =>
    html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>
${predicted && pictured(result, predicted, drawers)}
</section>`;
}

/** Predictions that are all the same make no picture. */
function pictured(result: Result, rows: PredictedRows, drawers: Drawers): Markup | undefined {
  const drawn = rows.observed.length;
  if (drawn < 2) return undefined;
  if (rows.predicted.every((value) => value === rows.predicted[0])) {
    return html`<p>All rows are predicted alike: nothing that was measured tells them apart.</p>`;
  }
  const all = result.holdout?.rows ?? result.rows;
  return html`${pictures(result, rows, drawers)}
${drawn < all && html`<p class="note">The pictures are of ${whole(drawn)} of the rows, the numbers of more.</p>`}`;
}

function pictures({ family, target }: Result, rows: PredictedRows, drawers: Drawers): Markup {
  if (familyNamed(family).target.classes) {
    return html`${figure(
      drawers,
      (canvas) => calibrationPlot(canvas, rows),
      html`Calibration: of the rows with about this predicted probability, how many were of the class. On the line is perfect; every dot stands for as many rows.`,
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
const MARGINS = { marginLeft: 58, marginBottom: 40, marginRight: 16 };
const axis = (label: string): Plot.ScaleOptions => ({
  label,
  labelAnchor: "center",
  labelArrow: "none",
});

/** An axis that holds all of the values, with as many numbers as have room. */
function axisOf(label: string, values: readonly number[], pixels: number): Plot.ScaleOptions {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const pad = 0.03 * (most - least) || 0.5;
  const [low, high] = [least - pad, most + pad];
  return { ...axis(label), domain: [low, high], ...ticksAlong({ low, high, pixels }) };
}

function points({ observed, predicted }: PredictedRows): { x: number; y: number }[] {
  return predicted.map((x, i) => ({ x, y: observed[i] }));
}

interface Scatter {
  readonly label: string;
  readonly yLabel: string;
  readonly height: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Where points would lie if predictions were perfect. */
  line(x: number): number;
}

function scatter(canvas: Canvas, { label, yLabel, height, points: all, line }: Scatter): Drawing {
  const xs = all.map(({ x }) => x);
  const ends = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const heights = [...all.map(({ y }) => y), ...ends.map(line)];
  return plot(canvas, label, {
    height,
    ...MARGINS,
    x: axisOf("predicted", xs, canvas.width - MARGINS.marginLeft - MARGINS.marginRight),
    // Labels of this axis lie above each other, where they need half the room.
    y: axisOf(yLabel, heights, 2 * height),
    marks: [
      Plot.line(ends, { x: (d) => d, y: line, stroke: QUIET, strokeDasharray: "4 3" }),
      Plot.dot(all, { x: "x", y: "y", r: 2, fill: STRONG, fillOpacity: 0.45 }),
    ],
  });
}

function observedPlot(canvas: Canvas, rows: PredictedRows): Drawing {
  return scatter(canvas, {
    label: "Observed against predicted",
    yLabel: "observed",
    height: HEIGHT,
    points: points(rows),
    line: (x) => x,
  });
}

function residualPlot(canvas: Canvas, rows: PredictedRows): Drawing {
  return scatter(canvas, {
    label: "Residuals against predicted values",
    yLabel: "observed less predicted",
    height: 220,
    points: points(rows).map(({ x, y }) => ({ x, y: y - x })),
    line: () => 0,
  });
}

const SHARE = { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: String } as const;
const diagonal = [
  { x: 0, y: 0 },
  { x: 1, y: 1 },
];

/** Rows in a group, and groups, at most. */
const [FEWEST, GROUPS] = [20, 10];

/** Groups of equally many rows, by what was predicted: where a class is rare, bins of equal width would hold a row each. */
function groupsOf(observed: ArrayLike<number>, predicted: ArrayLike<number>) {
  const order = Array.from({ length: predicted.length }, (_, i) => i).sort(
    (a, b) => predicted[a] - predicted[b],
  );
  const count = Math.max(1, Math.min(GROUPS, Math.floor(order.length / FEWEST)));
  return Array.from({ length: count }, (_, g) => {
    const rows = order.slice((g * order.length) / count, ((g + 1) * order.length) / count);
    const mean = (of: ArrayLike<number>): number => rows.reduce((sum, i) => sum + of[i], 0) / rows.length;
    return { predicted: mean(predicted), observed: mean(observed) };
  });
}

function calibrationPlot(canvas: Canvas, { observed, predicted }: PredictedRows): Drawing {
  const bins = groupsOf(observed, predicted);
  const most = bins.reduce((so, bin) => Math.max(so, bin.predicted, bin.observed), 0.01);
  const high = Math.min(1, 1.25 * most);
  const inner = canvas.width - MARGINS.marginLeft - MARGINS.marginRight;
  const shares = { domain: [0, high], ...ticksAlong({ low: 0, high, pixels: inner }) };
  return plot(canvas, "Calibration of predicted probabilities", {
    height: HEIGHT,
    ...MARGINS,
    x: { ...axis("predicted probability"), ...shares },
    y: { ...axis("share observed"), ...shares },
    marks: [
      Plot.line([0, high], { x: (d) => d, y: (d) => d, stroke: QUIET, strokeDasharray: "4 3" }),
      Plot.line(bins, { x: "predicted", y: "observed", stroke: FAINT }),
      Plot.dot(bins, { x: "predicted", y: "observed", r: 5, fill: STRONG }),
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
