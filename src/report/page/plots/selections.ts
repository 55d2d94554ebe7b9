/** What several methods select, side by side: a dot where a method selects a variable, as large as its coefficient. */

import * as Plot from "@observablehq/plot";
import { type Canvas, type Drawing, FAINT, NEGATIVE, POSITIVE, plot } from "./canvas.js";
import { labelWidth } from "./label-width.js";
import { nameColumn } from "./names.js";

export interface Selections {
  readonly methods: readonly string[];
  readonly variables: readonly {
    readonly name: string;
    /** One a method; absent where it does not select the variable. */
    readonly coefficients: readonly (number | undefined)[];
  }[];
}

export function selectionsPlot(canvas: Canvas, { methods, variables }: Selections): Drawing {
  const names = nameColumn(
    canvas,
    variables.map(({ name }) => name),
  );
  const dots = variables.flatMap(({ coefficients }, i) => {
    const most = Math.max(...coefficients.map((value) => Math.abs(value ?? 0)));
    return coefficients.flatMap((value, m) =>
      value === undefined
        ? []
        : [
            {
              i,
              m,
              r: 2.5 + 5.5 * (most > 0 ? Math.abs(value) / most : 0),
              colour: value < 0 ? NEGATIVE : POSITIVE,
            },
          ],
    );
  });
  // Names of methods that would run into each other stand on end.
  const widest = Math.max(...methods.map((name) => labelWidth(name)));
  const upright = widest + 8 < (canvas.width - names.marginLeft - 20) / methods.length;
  return plot(canvas, "What each method selects", {
    height: 30 + 22 * variables.length + (upright ? 20 : widest),
    marginLeft: names.marginLeft,
    marginRight: 20,
    marginTop: 10 + (upright ? 20 : widest),
    marginBottom: 10,
    x: { type: "band", domain: methods.map((_, m) => m), axis: null },
    y: names.y,
    r: { type: "identity" },
    marks: [
      ...names.marks,
      Plot.axisX(
        methods.map((_, m) => m),
        {
          anchor: "top",
          tickSize: 0,
          label: null,
          tickFormat: (m: number) => methods[m],
          ...(!upright && { tickRotate: -90 }),
        },
      ),
      Plot.ruleY(
        variables.map((_, i) => i),
        { y: (i: number) => i, stroke: FAINT },
      ),
      Plot.dot(dots, { x: "m", y: "i", r: "r", fill: "colour" }),
    ],
  });
}
