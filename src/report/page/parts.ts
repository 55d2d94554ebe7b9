/** What the sections of a page share. */

import { type Exactness, exactness, type Result } from "../text/sentences.js";
import type { Canvas, Drawing } from "./canvas.js";
import { html, type Markup, trusted } from "./markup.js";

export interface Drawers {
  readonly document: Document;
}

/** Text in a drawing must stay readable on a phone, so there is a drawing for either width. */
const WIDE = 704;
const NARROW = 350;

export function figure(
  { document }: Drawers,
  draw: (canvas: Canvas) => Drawing | undefined,
  caption: Markup,
): Markup | undefined {
  const [wide, narrow] = [WIDE, NARROW].map((width) => draw({ document, width }));
  if (!wide || !narrow) return undefined;
  return html`<figure>
<div class="wide">${svgOf(wide)}</div>
<div class="narrow">${svgOf(narrow)}</div>
<figcaption>${caption}</figcaption>
</figure>`;
}

/** A drawing as markup: its texts were escaped when it was serialised. */
function svgOf(drawing: Drawing): Markup {
  drawing.setAttribute("role", "img");
  return trusted(drawing.outerHTML);
}

export function kindOf(result: Result): Exactness {
  return exactness(result);
}

/** Says of the numbers beside it how far they can be relied on. */
export function tag({ kind }: Exactness): Markup {
  const text = { exact: "exact", estimated: "estimated", approximate: "approximate" }[kind];
  return html`<span class="kind ${kind}">${text}</span>`;
}
