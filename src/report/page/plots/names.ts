/** Names beside the rows of a plot: in full where there is room, cut so that no two become alike where there is not. */

import * as Plot from "@observablehq/plot";
import { shortenedApart } from "../../text/display-width.js";
import { printable } from "../markup.js";
import type { Marked } from "../sets.js";
import type { Canvas } from "./canvas.js";
import { labelWidth } from "./label-width.js";

export interface NameColumn {
  readonly marginLeft: number;
  readonly y: Plot.ScaleOptions;
  readonly marks: Plot.Markish[];
}

const NOBODY: Marked = new Map();
/** Names may take this share of a drawing, and a cell of them about so many pixels. */
const SHARE = 0.34;
const CELL = 7.4;
/** Room for the letter of a set. */
const LETTER = 15;

/** Names may repeat: positions are the scale, names only its labels. */
export function nameColumn(canvas: Canvas, names: readonly string[], marked: Marked = NOBODY): NameColumn {
  const all = [...names, ...(canvas.among ?? [])].map(printable);
  const shown = shortenedApart(all, Math.floor((SHARE * canvas.width) / CELL)).slice(0, names.length);
  const letters = names.flatMap((name, i) => {
    const mark = marked.get(name);
    return mark ? [{ i, ...mark }] : [];
  });
  const room = letters.length > 0 ? LETTER : 0;
  const domain = names.map((_, i) => i);
  return {
    marginLeft: 16 + room + Math.max(20, ...shown.map((name) => labelWidth(name))),
    y: { type: "band", domain, axis: null },
    marks: [
      Plot.axisY(domain, {
        tickFormat: (i: number) => shown[i],
        tickSize: 0,
        tickPadding: 8 + room,
        label: null,
        title: (i: number) => printable(names[i]),
      }),
      Plot.text(letters, {
        y: "i",
        text: "letter",
        fill: "colour",
        fontWeight: 700,
        frameAnchor: "left",
        textAnchor: "end",
        dx: -6,
      }),
    ],
  };
}
