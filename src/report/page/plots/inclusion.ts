/** The inclusion probability of every variable. Pure: the document is an argument, the colours are those of the page. */

import * as Plot from "@observablehq/plot";
import type { VariableSummary } from "../../../selection/answer/result.js";
import { shortenedApart } from "../../text/display-width.js";
import { probability } from "../../text/numbers.js";
import { printable } from "../markup.js";
import type { Marked } from "../sets.js";
import { type Canvas, type Drawing, FAINT, plot, QUIET, STRONG } from "./canvas.js";
import { labelLayout } from "./label-layout.js";
import { labelWidth } from "./label-width.js";
import { nameColumn } from "./names.js";

export interface Inclusion {
  readonly variables: readonly VariableSummary[];
  /** Names in the order of the data. */
  readonly columns: readonly string[];
  readonly marked: Marked;
}

/** Few variables as bars, many as points in the order of the data, with the names of the most probable. */
export function inclusionPlot(canvas: Canvas, inclusion: Inclusion): Drawing {
  return inclusion.variables.length <= FEW ? bars(canvas, inclusion) : manhattan(canvas, inclusion);
}

const FEW = 25;
const QUARTERS = { ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: String, label: null };
/** More points than this only make the file larger. */
export const MAX_POINTS = 2000;

/** That of its set, or by whether it is selected. */
const colourIn =
  (marked: Marked) =>
  (v: VariableSummary): string =>
    marked.get(v.name)?.colour ?? (v.selected ? STRONG : QUIET);

function bars(canvas: Canvas, { variables, marked }: Inclusion): Drawing {
  const names = nameColumn(
    canvas,
    variables.map(({ name }) => name),
    marked,
  );
  const colour = colourIn(marked);
  return plot(canvas, "Inclusion probability of every variable", {
    height: 44 + 22 * variables.length,
    marginLeft: names.marginLeft,
    marginRight: 58,
    marginBottom: 30,
    x: { domain: [0, 1], ...QUARTERS },
    y: names.y,
    marks: [
      ...names.marks,
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

const NAMED = 24;
const LABEL_CELLS = 16;

function manhattan(canvas: Canvas, { variables, columns, marked }: Inclusion): Drawing {
  const position = new Map(columns.map((name, i) => [name, i + 1]));
  const points = variables.slice(0, MAX_POINTS).map((v, i) => ({ ...v, at: position.get(v.name) ?? i + 1 }));
  const count = Math.max(columns.length, variables.length);
  const [marginLeft, marginRight] = [36, 12];
  const inner = canvas.width - marginLeft - marginRight;
  const worth = points.filter(({ pip, selected }) => selected || pip > 0.1).slice(0, NAMED);
  const short = shortenedApart(
    worth.map(({ name }) => printable(name)),
    LABEL_CELLS,
  );
  const centres = labelLayout(
    worth.map(({ at }, i) => ({ at: (at / count) * inner, width: labelWidth(short[i], true) })),
    inner,
    8,
  );
  const labels = worth.flatMap((v, i) => {
    const centre = centres[i];
    return centre === undefined ? [] : [{ ...v, label: short[i], labelAt: (centre / inner) * count }];
  });
  const TOP = 1.16;
  const colour = colourIn(marked);
  return plot(canvas, "Inclusion probability of every variable, in the order of the data", {
    height: canvas.width < 500 ? 240 : 300,
    marginLeft,
    marginRight,
    marginTop: 26,
    marginBottom: 40,
    x: {
      domain: [0, count],
      ticks: canvas.width / 80,
      label: "column of the data",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { domain: [0, TOP], ...QUARTERS },
    r: { type: "identity" },
    marks: [
      Plot.ruleY([0.5], { stroke: FAINT, strokeDasharray: "3 3" }),
      Plot.ruleY([0], { stroke: FAINT }),
      Plot.link(labels, { x1: "at", y1: "pip", x2: "labelAt", y2: TOP, stroke: FAINT }),
      Plot.dot(points, {
        x: "at",
        y: "pip",
        r: (v) => (v.selected ? 4.5 : marked.has(v.name) ? 3.5 : 2),
        fill: colour,
      }),
      Plot.text(labels, {
        x: "labelAt",
        y: TOP,
        dy: -8,
        text: "label",
        fill: (v) => marked.get(v.name)?.colour ?? "currentColor",
        fontWeight: 600,
      }),
    ],
  });
}
