/** How much variables matter: on one scale to compare them, in the units of the data to use them. */

import { LOG_WEIGHT } from "../../draws/posterior-draws.js";
import { familyNamed } from "../../families/register.js";
import type { VariableSummary } from "../../selection/answer/result.js";
import type { StoredRun } from "../stored-run.js";
import { shortenedApart } from "../text/display-width.js";
import { probability } from "../text/numbers.js";
import type { Result } from "../text/sentences.js";
import { html, type Markup, trusted } from "./markup.js";
import { type Drawers, figure, figures, kindOf, minus, range, type Small, tableFor, tag } from "./parts.js";
import { densityPlot } from "./plots/density.js";
import { comparable, effectsPlot } from "./plots/effects.js";
import { badge, type Marked, named } from "./sets.js";

const MAX_EFFECTS = 25;
const MIN_EFFECT_PIP = 0.05;
/** Densities that are drawn. */
const MAX_DENSITIES = 12;
/** Of their names, which are in full in the table. */
const TITLE_CELLS = 44;

export function effectsSection(run: StoredRun, marked: Marked, drawers: Drawers): Markup {
  const { result, record } = run;
  const shown = result.variables
    .filter(({ pip, selected }) => selected || pip >= MIN_EFFECT_PIP)
    .slice(0, MAX_EFFECTS);
  const listed = shown.length > 0 ? shown : result.variables.slice(0, 5);
  const deviations = deviationsOf(record.data);
  const sds = deviations && listed.map(({ name }) => deviations.get(name));
  // What is no column, as an intercept among the variables is, has no standard deviation to rise by.
  const drawn = deviations ? shown.filter(({ name }) => deviations.has(name)) : shown;
  const units = drawn.map(({ name }) => deviations?.get(name) ?? 1);
  const effects = { variables: drawn, units, marked };
  const known = deviations !== undefined;
  const shared = known || comparable(effects);
  return html`<section>
<h2>How much they matter ${tag(kindOf(result))}</h2>
<p>The change of ${unitOf(result)} ${known ? "when a variable rises by one standard deviation, so that effects can be compared" : "for one unit of the variable"}; averaged over models.</p>
${
  drawn.length > 0 &&
  figure(
    drawers,
    (canvas) => effectsPlot(canvas, effects, shared),
    html`Dot: the effect if the variable is in (<span class="key" style="background:var(--positive)"></span>positive, <span class="key" style="background:var(--negative)"></span>negative). Line: 95% interval of the effect, its mass at zero included. Ring at zero <span class="key ring"></span>: the larger, the more probable is no effect at all. ${scaleWords(known, shared)}`,
  )
}
<h3>In the units of the data</h3>
${effectsTable(result, listed, sds, marked)}
${densities(run, listed, marked, drawers)}
</section>`;
}

function scaleWords(known: boolean, shared: boolean): string {
  if (known) return "The table below is in the units of the data.";
  return shared
    ? "All share one scale, in the units of the data."
    : "Their units differ too much for one scale, so each line has its own; the table has the numbers.";
}

/** Standard deviations of the variables, where the run recorded them. */
function deviationsOf({ columns, sd }: StoredRun["record"]["data"]): Map<string, number> | undefined {
  return sd && new Map(columns.map((name, j) => [name, sd[j]]));
}

function unitOf({ family, target }: Result): Markup {
  return html`${familyNamed(family).words.effectOn}<bdi>${target}</bdi>`;
}

function effectsTable(
  { intercept, noiseVariance }: Result,
  variables: readonly VariableSummary[],
  sds: readonly (number | undefined)[] | undefined,
  marked: Marked,
): Markup {
  const errors = variables.some(({ pipError }) => pipError >= 0.0005);
  const other = (name: string, of: { mean: number; lower: number; upper: number }): Markup =>
    html`<tr><td><i>${name}</i></td><td></td><td>${minus(of.mean)}</td><td>${range(of)}</td>${sds && trusted('<td class="roomy"></td>')}<td class="roomy"></td></tr>`;
  const names = variables.map(({ name }) => name);
  return html`<div class="scroll">${tableFor(names, 3)}
<thead><tr><th scope="col">variable</th><th scope="col">probability</th><th scope="col">effect</th><th scope="col">95% interval</th>${sds && html`<th scope="col" class="roomy">one sd</th>`}<th scope="col" class="roomy">sign sure</th></tr></thead>
<tbody>
${variables.map(
  (
    v,
    i,
  ) => html`<tr${v.selected && trusted(' class="selected"')}><td>${named(v.name, marked)}</td><td>${probability(v.pip)}${errors && v.pipError >= 0.0005 && html` <span class="range">± ${v.pipError.toFixed(3)}</span>`}</td><td>${minus(v.mean)}</td><td>${range(v)}</td>${sds && html`<td class="roomy">${sds[i] === undefined ? "" : minus(sds[i])}</td>`}<td class="roomy">${probability(v.signProbability)}</td></tr>
`,
)}
${intercept && other("intercept", intercept)}
${noiseVariance && other("noise variance", noiseVariance)}
</tbody></table></div>
<p class="note">Effect: the change for one unit of the variable, averaged over models, those without it included.${sds && html`<span class="roomy"> One sd: the standard deviation of the variable.</span>`}</p>
<details><summary>Effects given that a variable is in</summary><div class="scroll">${tableFor(names, 2)}
<thead><tr><th scope="col">variable</th><th scope="col">effect if in</th><th scope="col">95% interval if in</th></tr></thead>
<tbody>
${variables.map(
  (v) =>
    html`<tr><td>${named(v.name, marked)}</td><td>${minus(v.meanIfIncluded)}</td><td>${range({ lower: v.lowerIfIncluded, upper: v.upperIfIncluded })}</td></tr>
`,
)}</tbody></table></div></details>`;
}

/** The posterior of each coefficient, from the draws of the run. */
function densities(
  { draws }: StoredRun,
  variables: readonly VariableSummary[],
  marked: Marked,
  drawers: Drawers,
): Markup | undefined {
  if (!draws) return undefined;
  const column = (name: string): Float64Array | undefined => draws.columns[draws.names.indexOf(name)];
  const weights = column(LOG_WEIGHT)?.map(Math.exp);
  const shown = variables.slice(0, MAX_DENSITIES);
  const titles = shortenedApart(
    shown.map(({ name }) => name),
    TITLE_CELLS,
  );
  const all = shown.flatMap(({ name, pip }, i): Small[] => {
    const values = column(`b_${name}`);
    return values
      ? [
          {
            title: html`${badge(marked.get(name))}<bdi>${titles[i]}</bdi>`,
            draw: (canvas) => densityPlot(canvas, { name, values, weights, pip }),
          },
        ]
      : [];
  });
  return figures(
    drawers,
    all,
    html`What is known of each effect, in the units of the data. The hill is as high as the variable is probable, and shows where its effect lies if it is in; the bar at zero is as high as no effect is probable, with its number.`,
  );
}
