/** What the sections of every page share. */

import { displayWidth } from "../text/display-width.js";
import { effect } from "../text/numbers.js";
import { type Exactness, exactness, type Result } from "../text/sentences.js";
import { html, type Markup, trusted } from "./markup.js";
import type { Canvas, Drawing } from "./plots/canvas.js";

export interface Drawers {
  readonly document: Document;
  /** Names on the page, so that none is cut to what another one is cut to. */
  readonly among?: readonly string[];
}

/** Text in a drawing must stay readable on a phone, so there is a drawing for either width. */
const WIDE = 704;
const NARROW = 350;

export function figure(
  drawers: Drawers,
  draw: (canvas: Canvas) => Drawing | undefined,
  caption: Markup,
): Markup | undefined {
  const [wide, narrow] = [WIDE, NARROW].map((width) => draw({ ...drawers, width }));
  if (!wide || !narrow) return undefined;
  return html`<figure>
<div class="wide">${svgOf(wide)}</div>
<div class="narrow">${svgOf(narrow)}</div>
<figcaption>${caption}</figcaption>
</figure>`;
}

/** One of many small drawings, with what is written above it. */
export interface Small {
  readonly title: Markup;
  draw(canvas: Canvas): Drawing | undefined;
}

/** Drawings in a row, and their width in pixels, so that they fill the column. */
const GRIDS = [
  { kind: "wide", columns: 3, width: 222 },
  { kind: "narrow", columns: 2, width: 169 },
] as const;

/** Small drawings in a grid, three in a row, or two where the window is narrow. */
export function figures(drawers: Drawers, all: readonly Small[], caption: Markup): Markup | undefined {
  const grids = GRIDS.map(({ kind, columns, width }) => {
    const cells = all.flatMap(({ title, draw }) => {
      const drawing = draw({ ...drawers, width });
      return drawing ? [html`<div class="cell"><p>${title}</p>${svgOf(drawing)}</div>`] : [];
    });
    return cells.length > 0 && html`<div class="${kind}"><div class="grid of${columns}">${cells}</div></div>`;
  });
  if (!grids[0]) return undefined;
  return html`<figure>
${grids}
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

/** The verdict in its box: its first sentence stands out; `more` are the paragraphs below it. */
export function verdictBox(verdict: string, more: readonly (Markup | undefined | false)[] = []): Markup {
  const doubt = !verdict.startsWith("No problems");
  const [first, ...rest] = verdict.split(/(?<=\.) /);
  return html`<div class="verdict${doubt ? " doubt" : ""}" role="status">
${first && html`<p><strong>${worded(first)}</strong> ${worded(rest.join(" "))}</p>`}
${more.filter((part) => part !== undefined && part !== false)}
</div>`;
}

export function notesBelow(notes: readonly string[]): Markup[] {
  return notes.map((note) => html`<p class="note">Note: ${worded(note)}</p>`);
}

/** A sentence whose options (`--holdout 0.2`) are not torn apart at the end of a line. */
export function worded(sentence: string): Markup {
  const parts = sentence.split(/((?<![\w-])--[a-z][a-z-]*(?: (?:[\d.]+(?![\w.])|impute|drop|mean|error))?)/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<span class="flag">${part}</span>` : part))}`;
}

/** Names from this width on have a line of their own where the window is narrow. */
const LONG = 6;
/** More cells than this do not fit beside each other there; their table is moved sideways instead. */
const MOST_CELLS = 5;

/** The tag of a table whose rows begin with these names, and have so many cells beside them in a narrow window. */
export function tableFor(names: readonly string[], cells: number): Markup {
  return cells <= MOST_CELLS && names.some((name) => displayWidth(name) > LONG)
    ? html`<table class="stacked" style="--cells:${cells}">`
    : html`<table>`;
}

/** A table with a head; the first cell of a row, a name, says what the row is of. */
export function tableOf(
  head: readonly (string | Markup)[],
  rows: readonly (readonly [string, ...(string | Markup | undefined)[]])[],
): Markup {
  const names = rows.map(([name]) => name);
  return html`<div class="scroll">${tableFor(names, head.length - 1)}<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>
${rows.map(
  ([
    name,
    ...cells
  ]) => html`<tr><td><bdi>${name}</bdi></td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></div>`;
}

/** A number with a true minus sign. */
export function minus(value: number): string {
  return effect(value).replaceAll("-", "−");
}

export function range({ lower, upper }: { readonly lower: number; readonly upper: number }): Markup {
  return html`<span class="range">${minus(lower)} to</span> <span class="range">${minus(upper)}</span>`;
}
