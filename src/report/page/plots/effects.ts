/** Effects on one scale, each with its interval and what it may well be: nothing. */

import * as Plot from "@observablehq/plot";
import type { VariableSummary } from "../../../selection/answer/result.js";
import type { Marked } from "../sets.js";
import { type Canvas, type Drawing, NEGATIVE, PAPER, POSITIVE, plot, QUIET } from "./canvas.js";
import { nameColumn } from "./names.js";
import { ticksAlong } from "./ticks.js";

export interface Effects {
  readonly variables: readonly VariableSummary[];
  /** What effects are multiplied by, one number a variable: its standard deviation, or 1. */
  readonly units: readonly number[];
  readonly marked: Marked;
}

/** Whether effects can share one axis: their sizes differ by less than this factor. */
const COMPARABLE = 25;

export function comparable({ variables, units }: Pick<Effects, "variables" | "units">): boolean {
  const sizes = variables.map((v, i) => units[i] * extent(v)).filter((size) => size > 0);
  return sizes.length === 0 || Math.max(...sizes) < COMPARABLE * Math.min(...sizes);
}

function extent({ lower, upper, meanIfIncluded }: VariableSummary): number {
  return Math.max(Math.abs(lower), Math.abs(upper), Math.abs(meanIfIncluded));
}

/**
 * For each variable the effect if it is in, the 95% interval, and the probability of no effect as a disc at zero. Where
 * they cannot share a scale, each has its own.
 */
export function effectsPlot(canvas: Canvas, { variables, units, marked }: Effects, shared: boolean): Drawing {
  const names = nameColumn(
    canvas,
    variables.map(({ name }) => name),
    marked,
  );
  const rows = variables.map((v, i) => {
    const unit = shared ? units[i] : 1 / (extent(v) || 1);
    return {
      i,
      pip: v.pip,
      lower: v.lower * unit,
      upper: v.upper * unit,
      effect: v.meanIfIncluded * unit,
      colour: v.meanIfIncluded < 0 ? NEGATIVE : POSITIVE,
    };
  });
  const most = Math.max(
    1e-300,
    ...rows.flatMap(({ lower, upper, effect }) => [lower, upper, effect].map(Math.abs)),
  );
  const low = Math.min(-0.12 * most, ...rows.map(({ lower, effect }) => 1.08 * Math.min(lower, effect)));
  const high = Math.max(0.12 * most, ...rows.map(({ upper, effect }) => 1.08 * Math.max(upper, effect)));
  const pixels = canvas.width - names.marginLeft - 14;
  return plot(canvas, "Effects with 95% intervals", {
    height: 44 + 26 * variables.length,
    marginLeft: names.marginLeft,
    marginRight: 14,
    marginBottom: 30,
    x: {
      domain: [low, high],
      label: null,
      tickSize: 0,
      ...(shared ? ticksAlong({ low, high, pixels }) : { ticks: [0], tickFormat: String }),
    },
    y: names.y,
    r: { type: "identity" },
    marks: [
      ...names.marks,
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
