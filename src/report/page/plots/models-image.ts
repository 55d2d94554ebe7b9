/** The most probable models beside each other, and the variables that they hold. */

import * as Plot from "@observablehq/plot";
import type { VariableSummary } from "../../../selection/answer/result.js";
import type { StoredRun } from "../../stored-run.js";
import type { Marked } from "../sets.js";
import { type Canvas, type Drawing, FAINT, NEGATIVE, PAPER, POSITIVE, plot } from "./canvas.js";
import { nameColumn } from "./names.js";
import { percentTick } from "./ticks.js";

export type ModelList = NonNullable<StoredRun["models"]>;

const MAX_ROWS = 20;

/** Variables that some of the models hold and others do not; and those that all hold, which need no picture. */
export function sortedByUse(
  { names, models }: ModelList,
  variables: readonly VariableSummary[],
): { readonly differing: readonly VariableSummary[]; readonly common: readonly VariableSummary[] } {
  const used = new Map<string, number>();
  for (const model of models)
    for (const j of model.variables) used.set(names[j], (used.get(names[j]) ?? 0) + 1);
  const times = ({ name }: VariableSummary): number => used.get(name) ?? 0;
  return {
    differing: variables.filter((v) => times(v) > 0 && times(v) < models.length),
    common: variables.filter((v) => times(v) === models.length),
  };
}

export interface ModelsShown {
  readonly models: ModelList;
  readonly rows: readonly VariableSummary[];
  readonly marked: Marked;
}

/** The variables that differ most between models: a probability near one half says most. */
export function mostDiffering(differing: readonly VariableSummary[]): readonly VariableSummary[] {
  const doubt = ({ pip }: VariableSummary): number => Math.min(pip, 1 - pip);
  const kept = new Set([...differing].sort((a, b) => doubt(b) - doubt(a)).slice(0, MAX_ROWS));
  return differing.filter((variable) => kept.has(variable));
}

interface Cell {
  readonly i: number;
  readonly x1: number;
  x2: number;
  readonly colour: string;
}

/** Models from left to right, as wide as they are probable; coloured where a variable is in, by the sign of its effect. */
export function modelsImage(canvas: Canvas, { models: list, rows, marked }: ModelsShown): Drawing {
  const { names, models } = list;
  const cells: Cell[] = [];
  const borders: number[] = [];
  let covered = 0;
  // Neighbours merge into one rectangle: the picture is the same, the file a tenth of the size.
  const open = rows.map((): Cell | undefined => undefined);
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
  const column = nameColumn(
    canvas,
    rows.map(({ name }) => name),
    marked,
  );
  return plot(canvas, "The most probable models and the variables in which they differ", {
    height: 56 + 22 * rows.length,
    marginLeft: column.marginLeft,
    marginRight: 20,
    marginBottom: 40,
    x: {
      domain: [0, Math.min(1, covered)],
      ticks: canvas.width / 120,
      tickFormat: percentTick,
      label: "cumulative probability of the models",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { ...column.y, padding: 0.12 } as Plot.ScaleOptions,
    marks: [
      ...column.marks,
      Plot.barX(rows, { x1: 0, x2: covered, y: (_, i) => i, fill: FAINT, fillOpacity: 0.35 }),
      Plot.barX(cells, { x1: "x1", x2: "x2", y: "i", fill: "colour" }),
      Plot.ruleX(borders, { stroke: PAPER, strokeWidth: 1 }),
    ],
  });
}
