/** The plots of a report, by Observable Plot. Pure: the document is an argument, the colours are those of the page. */

import * as Plot from "@observablehq/plot";
import type { VariableSummary } from "../../selection/answer/result.js";
import type { StoredRun } from "../stored-run.js";
import { displayWidth, shortened, shortenedApart } from "../text/display-width.js";
import { percent, probability } from "../text/numbers.js";
import {
  type Canvas,
  type Drawing,
  FAINT,
  NEGATIVE,
  PAPER,
  POSITIVE,
  plot,
  QUIET,
  STRONG,
} from "./canvas.js";
import { labelLayout } from "./label-layout.js";
import { printable } from "./markup.js";

/** Mean width of a character of a label. */
const CHARACTER = 6.6;
const NAME_CELLS = 18;

function shortName(name: string, cells = NAME_CELLS): string {
  return shortened(printable(name), cells);
}

function leftMargin(names: readonly string[]): number {
  return 14 + CHARACTER * Math.max(3, ...names.map((name) => displayWidth(shortName(name))));
}

/** Names may repeat: positions are the scale, names only its labels. */
function nameAxis(names: readonly string[]): Plot.ScaleOptions {
  const shown = shortenedApart(names.map(printable), NAME_CELLS);
  return {
    type: "band",
    domain: names.map((_, i) => i),
    tickFormat: (i: number) => shown[i],
    label: null,
    tickSize: 0,
  } as Plot.ScaleOptions;
}

/** Few variables as bars, many as points in the order of the data, with the names of the most probable. */
export function inclusionPlot(
  canvas: Canvas,
  variables: readonly VariableSummary[],
  columns: readonly string[],
): Drawing {
  return variables.length <= FEW ? inclusionBars(canvas, variables) : manhattan(canvas, variables, columns);
}

const FEW = 25;
const QUARTERS = { ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: String, label: null };
/** More points than this only make the file larger. */
export const MAX_POINTS = 2000;

function inclusionBars(canvas: Canvas, variables: readonly VariableSummary[]): Drawing {
  const names = variables.map(({ name }) => name);
  const colour = (v: VariableSummary): string => (v.selected ? STRONG : QUIET);
  return plot(canvas, "Inclusion probability of every variable", {
    height: 44 + 22 * variables.length,
    marginLeft: leftMargin(names),
    marginRight: 48,
    marginBottom: 30,
    x: { domain: [0, 1], ...QUARTERS },
    y: nameAxis(names),
    marks: [
      Plot.ruleX([0.5], { stroke: FAINT, strokeDasharray: "3 3" }),
      Plot.ruleY(variables, { x1: 0, x2: (v) => v.pip, y: (_, i) => i, stroke: colour, strokeWidth: 5 }),
      Plot.dot(variables, { x: "pip", y: (_, i) => i, r: 5, fill: colour }),
      Plot.text(variables, {
        x: "pip",
        y: (_, i) => i,
        text: (v) => probability(v.pip),
        dx: 10,
        textAnchor: "start",
        fill: "currentColor",
      }),
    ],
  });
}

function manhattan(
  canvas: Canvas,
  variables: readonly VariableSummary[],
  columns: readonly string[],
): Drawing {
  const position = new Map(columns.map((name, i) => [name, i + 1]));
  const points = variables.slice(0, MAX_POINTS).map((v, i) => ({ ...v, at: position.get(v.name) ?? i + 1 }));
  const count = Math.max(columns.length, variables.length);
  const [marginLeft, marginRight] = [36, 12];
  const inner = canvas.width - marginLeft - marginRight;
  const named = points
    .filter(({ pip, selected }) => selected || pip > 0.1)
    .slice(0, 24)
    .map((v) => ({ ...v, label: shortName(v.name, 14) }));
  const centres = labelLayout(
    named.map(({ at, label }) => ({ at: (at / count) * inner, width: CHARACTER * displayWidth(label) })),
    inner,
  );
  const labels = named.flatMap((v, i) => {
    const centre = centres[i];
    return centre === undefined ? [] : [{ ...v, labelAt: (centre / inner) * count }];
  });
  const TOP = 1.16;
  const colour = (v: VariableSummary): string => (v.selected ? STRONG : QUIET);
  return plot(canvas, "Inclusion probability of every variable, in the order of the data", {
    height: canvas.width < 500 ? 240 : 300,
    marginLeft,
    marginRight,
    marginTop: 26,
    marginBottom: 40,
    x: { domain: [0, count], label: "column of the data", labelAnchor: "center", labelArrow: "none" },
    y: { domain: [0, TOP], ...QUARTERS },
    marks: [
      Plot.ruleY([0.5], { stroke: FAINT, strokeDasharray: "3 3" }),
      Plot.ruleY([0], { stroke: FAINT }),
      Plot.link(labels, { x1: "at", y1: "pip", x2: "labelAt", y2: TOP, stroke: FAINT }),
      Plot.dot(points, { x: "at", y: "pip", r: (v) => (v.selected ? 4.5 : 2), fill: colour }),
      Plot.text(labels, {
        x: "labelAt",
        y: TOP,
        dy: -8,
        text: "label",
        fill: "currentColor",
        fontWeight: 600,
      }),
    ],
    r: { type: "identity" },
  });
}

/** Whether effects can share one axis: their sizes differ by less than this factor. */
const COMPARABLE = 25;

export function comparable(variables: readonly VariableSummary[]): boolean {
  const sizes = variables.map(extent).filter((size) => size > 0);
  return sizes.length === 0 || Math.max(...sizes) < COMPARABLE * Math.min(...sizes);
}

function extent({ lower, upper, meanIfIncluded }: VariableSummary): number {
  return Math.max(Math.abs(lower), Math.abs(upper), Math.abs(meanIfIncluded));
}

/** For each variable the effect if it is in, the 95% interval, and the probability of no effect as a disc at zero. */
export function effectsPlot(canvas: Canvas, variables: readonly VariableSummary[]): Drawing {
  const names = variables.map(({ name }) => name);
  const shared = comparable(variables);
  const rows = variables.map((v, i) => {
    const unit = shared ? 1 : extent(v) || 1;
    return {
      i,
      pip: v.pip,
      lower: v.lower / unit,
      upper: v.upper / unit,
      effect: v.meanIfIncluded / unit,
      colour: v.meanIfIncluded < 0 ? NEGATIVE : POSITIVE,
    };
  });
  const most = shared ? Math.max(1e-300, ...variables.map(extent)) : 1;
  const low = rows.some(({ lower, effect }) => Math.min(lower, effect) < 0) ? -1.08 * most : -0.12 * most;
  const high = rows.some(({ upper, effect }) => Math.max(upper, effect) > 0) ? 1.08 * most : 0.12 * most;
  return plot(canvas, "Effects with 95% intervals", {
    height: 44 + 26 * variables.length,
    marginLeft: leftMargin(names),
    marginRight: 14,
    marginBottom: 30,
    x: {
      domain: [low, high],
      label: null,
      ...(shared ? {} : { ticks: [0], tickFormat: String }),
      tickSize: 0,
    },
    y: nameAxis(names),
    r: { type: "identity" },
    marks: [
      Plot.ruleX([0], { stroke: QUIET }),
      Plot.ruleY(rows, {
        x1: "lower",
        x2: "upper",
        y: "i",
        stroke: "colour",
        strokeWidth: 3,
        strokeOpacity: 0.45,
      }),
      Plot.dot(rows, {
        x: 0,
        y: "i",
        r: ({ pip }) => 8 * Math.sqrt(1 - pip),
        fill: PAPER,
        stroke: QUIET,
        strokeWidth: 1.5,
      }),
      Plot.dot(rows, { x: "effect", y: "i", r: 5, fill: "colour", fillOpacity: (v) => 0.25 + 0.75 * v.pip }),
    ],
  });
}

type ModelList = NonNullable<StoredRun["models"]>;
const MAX_IMAGE_ROWS = 20;

/** Models from left to right, as wide as they are probable; coloured where a variable is in, by the sign of its effect. */
export function modelsImage(
  canvas: Canvas,
  { names, models }: ModelList,
  variables: readonly VariableSummary[],
): Drawing | undefined {
  const used = new Set(models.flatMap((model) => model.variables.map((j) => names[j])));
  const rows = variables.filter(({ name }) => used.has(name)).slice(0, MAX_IMAGE_ROWS);
  if (rows.length === 0) return undefined;
  const cells: { i: number; x1: number; x2: number; colour: string }[] = [];
  const borders: number[] = [];
  let covered = 0;
  // Neighbours merge into one rectangle: the picture is the same, the file a tenth of the size.
  const open = rows.map((): { i: number; x1: number; x2: number; colour: string } | undefined => undefined);
  for (const model of models) {
    const members = new Set(model.variables.map((j) => names[j]));
    const end = covered + model.probability;
    rows.forEach(({ name, meanIfIncluded }, i) => {
      const last = open[i];
      if (!members.has(name)) open[i] = undefined;
      else if (last) last.x2 = end;
      else {
        open[i] = { i, x1: covered, x2: end, colour: meanIfIncluded < 0 ? NEGATIVE : POSITIVE };
        cells.push(open[i]!);
      }
    });
    covered = end;
    if (model.probability > 0.01) borders.push(covered);
  }
  const shownNames = rows.map(({ name }) => name);
  return plot(canvas, "The most probable models and the variables that they hold", {
    height: 56 + 22 * rows.length,
    marginLeft: leftMargin(shownNames),
    marginRight: 16,
    marginBottom: 40,
    x: {
      domain: [0, 1],
      ticks: [0, 0.25, 0.5, 0.75, 1],
      tickFormat: percent,
      label: "cumulative probability of the models",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { ...nameAxis(shownNames), padding: 0.12 } as Plot.ScaleOptions,
    marks: [
      Plot.barX(rows, { x1: 0, x2: 1, y: (_, i) => i, fill: FAINT, fillOpacity: 0.35 }),
      Plot.barX(cells, { x1: "x1", x2: "x2", y: "i", fill: "colour" }),
      Plot.ruleX(borders, { stroke: PAPER, strokeWidth: 1 }),
    ],
  });
}

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
      tickFormat: percent,
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
