/** A comparison of methods as one page that needs nothing else: no scripts, no fonts, no network. Pure. */

import { familyNamed } from "../../families/register.js";
import type { CompareResult, MethodResult } from "../../peers/comparison.js";
import { ranked } from "../text/comparison.js";
import { count, megabytes, whole } from "../text/numbers.js";
import { html, type Markup } from "./markup.js";
import { type Drawers, figure, minus, notesBelow, tableOf, verdictBox } from "./parts.js";
import { selectionsPlot } from "./plots/selections.js";
import { pageHtml } from "./shell.js";

/** Variables in the picture, and in the table of coefficients. */
const DRAWN = 40;
const SHOWN = 200;

export function comparisonHtml(comparison: CompareResult, document: Document): string {
  const { methods, family, target, seed, holdoutRows, notes = [] } = comparison;
  const errorName = familyNamed(family).words.error;
  return pageHtml({
    title: `${count(methods.length, "method")} for ${target} · Sparrow`,
    opening: html`${opening(comparison)}
${notesBelow(notes)}`,
    sections: [
      html`<section>
<h2>How they did</h2>
${methodTable(comparison, errorName)}
<p class="note">Agreement is the mean Jaccard index of a selection with those of the other methods.${
        holdoutRows > 0 &&
        ` The ${errorName} is on ${whole(holdoutRows)} rows that were left out of a second fit; all else is from all rows.`
      } Memory is what the process grew by.</p>
</section>`,
      html`<section>
<h2>What they select</h2>
${coefficients(comparison, { document })}
</section>`,
      html`<section>
<h2>What they are</h2>
<table class="plain"><tbody>${methods.map(({ method, explanation }) => html`<tr><th scope="row">${method}</th><td>${explanation}</td></tr>`)}</tbody></table>
</section>`,
    ],
    footer: html`Sparrow · seed ${seed}`,
  });
}

function opening({ methods, family, rows, columns, target }: CompareResult): Markup {
  const failed = methods.filter(({ failure }) => failure !== undefined);
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · ${count(rows, "row")} · ${count(columns, "column")} · ${family} target</p>
<h1>${count(methods.length, "method")} for <bdi>${target}</bdi> side by side</h1>
</header>
${failed.map(({ method, failure }) => verdictBox(`${method} failed. ${failure}`))}`;
}

function methodTable({ methods, nullError }: CompareResult, errorName: string): Markup {
  const error = (value: number | undefined) => (value === undefined ? "" : minus(value));
  const row = (result: MethodResult): [string, ...(string | undefined)[]] =>
    result.failure !== undefined
      ? [result.method, "failed", "", "", "", ""]
      : [
          result.method,
          whole(result.selected?.length ?? 0),
          result.agreement?.toFixed(2),
          error(result.holdoutError),
          result.seconds?.toPrecision(2),
          result.memory === undefined ? "" : megabytes(result.memory),
        ];
  return tableOf(
    ["method", "selected", "agreement", errorName, "seconds", "memory"],
    [
      ...methods.map(row),
      ...(nullError === undefined ? [] : [["(constant)", "0", "", error(nullError), "", ""] as const]),
    ],
  );
}

function coefficients({ methods }: CompareResult, drawers: Drawers): Markup {
  const done = methods.filter(({ selected }) => selected !== undefined);
  const names = ranked(done);
  if (names.length === 0) return html`<p>No method selects a variable.</p>`;
  const values = done.map(
    ({ selected = [] }) => new Map(selected.map(({ name, coefficient }) => [name, coefficient])),
  );
  const variables = names.map((name) => ({ name, coefficients: values.map((of) => of.get(name)) }));
  const shown = variables.slice(0, DRAWN);
  return html`<p>The variables that most methods select come first.</p>
${figure(
  drawers,
  (canvas) => selectionsPlot(canvas, { methods: done.map(({ method }) => method), variables: shown }),
  html`A dot where a method selects a variable, the larger the larger its coefficient beside those of the other methods (<span class="key" style="background:var(--positive)"></span>positive, <span class="key" style="background:var(--negative)"></span>negative).${names.length > DRAWN && ` The first ${whole(DRAWN)} of ${whole(names.length)} variables.`}`,
)}
<h3>Coefficients in the units of the data</h3>
${tableOf(
  ["variable", ...done.map(({ method }) => method)],
  variables
    .slice(0, SHOWN)
    .map(({ name, coefficients: of }) => [
      name,
      ...of.map((value) => (value === undefined ? "·" : minus(value))),
    ]),
)}
${names.length > SHOWN && html`<p class="note">And ${whole(names.length - SHOWN)} more.</p>`}`;
}
