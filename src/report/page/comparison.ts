/** A comparison of methods as one page that needs nothing else: no scripts, no fonts, no network. Pure. */

import { familyNamed } from "../../families/register.js";
import type { CompareResult, MethodResult } from "../../peers/comparison.js";
import { ranked } from "../text/comparison.js";
import { count, effect, whole } from "../text/numbers.js";
import { html, type Markup, trusted } from "./markup.js";
import { pageStyle } from "./style.js";

/** Variables in the table of coefficients. */
const SHOWN = 200;

export function comparisonHtml(comparison: CompareResult): string {
  const { methods, family, rows, columns, target, seed, holdoutRows } = comparison;
  const failed = methods.filter(({ failure }) => failure !== undefined);
  const errorName = familyNamed(family).words.error;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${count(methods.length, "method")} for ${target} · Sparrow</title>
<link rel="icon" href="data:,">
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
<header>
<p class="about"><span class="brand">Sparrow</span> · ${count(rows, "row")} · ${count(columns, "column")} · ${family} target</p>
<h1>${count(methods.length, "method")} for <bdi>${target}</bdi> side by side</h1>
</header>
${failed.map(
  ({ method, failure }) =>
    html`<div class="verdict doubt"><p><strong>${method} failed.</strong> ${failure}</p></div>`,
)}
<section>
<h2>How they did</h2>
${methodTable(comparison, errorName)}
<p class="note">Agreement is the mean Jaccard index of a selection with those of the other methods.${
    holdoutRows > 0 &&
    ` The ${errorName} is on ${whole(holdoutRows)} rows that were left out of a second fit; all else is from all rows.`
  } Memory is what the process grew by.</p>
</section>
<section>
<h2>What they select</h2>
${coefficientTable(comparison)}
</section>
<section>
<h2>What they are</h2>
<table class="plain">${methods.map(({ method, explanation }) => html`<tr><th scope="row">${method}</th><td>${explanation}</td></tr>`)}</table>
</section>
<footer>Sparrow · seed ${seed}</footer>
</main>
</body>
</html>
`.text;
}

function methodTable({ methods, nullError }: CompareResult, errorName: string): Markup {
  const error = (value: number | undefined) => (value === undefined ? "" : effect(value));
  const row = (result: MethodResult): Markup =>
    result.failure !== undefined
      ? html`<tr><td>${result.method}</td><td>failed</td><td></td><td></td><td></td><td></td></tr>`
      : html`<tr><td>${result.method}</td><td>${whole(result.selected?.length ?? 0)}</td><td>${result.agreement?.toFixed(2)}</td><td>${error(result.holdoutError)}</td><td>${result.seconds?.toPrecision(2)}</td><td>${result.memory !== undefined && `${whole(result.memory / 2 ** 20)} MB`}</td></tr>`;
  return html`<div class="scroll"><table>
<tr><th>method</th><th>selected</th><th>agreement</th><th>${errorName}</th><th>seconds</th><th>memory</th></tr>
${methods.map(row)}
${nullError !== undefined && html`<tr><td>(constant)</td><td>0</td><td></td><td>${error(nullError)}</td><td></td><td></td></tr>`}
</table></div>`;
}

function coefficientTable({ methods }: CompareResult): Markup {
  const done = methods.filter(({ selected }) => selected !== undefined);
  const names = ranked(done);
  if (names.length === 0) return html`<p>No method selects a variable.</p>`;
  const values = done.map(
    ({ selected = [] }) => new Map(selected.map(({ name, coefficient }) => [name, coefficient])),
  );
  const cell = (value: number | undefined) => html`<td>${value === undefined ? "·" : effect(value)}</td>`;
  return html`<p>Coefficients in the units of the data; the variables that most methods select come first.</p>
<div class="scroll"><table>
<tr><th>variable</th>${done.map(({ method }) => html`<th>${method}</th>`)}</tr>
${names.slice(0, SHOWN).map((name) => html`<tr><td><bdi>${name}</bdi></td>${values.map((of) => cell(of.get(name)))}</tr>`)}
</table></div>
${names.length > SHOWN && html`<p class="note">And ${whole(names.length - SHOWN)} more.</p>`}`;
}
