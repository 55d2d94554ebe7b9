/** Which models are likely, which variables go together, and how many there are. */

import type { StoredRun } from "../stored-run.js";
import { count, list, percent, probability, whole } from "../text/numbers.js";
import { discoverySentence, type Result, sizeSentence, substituteSentences } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { type Drawers, figure, kindOf, tag } from "./parts.js";
import { type ModelList, modelsImage, mostDiffering, sortedByUse } from "./plots/models-image.js";
import { sizePlot } from "./plots/sizes.js";
import { badge, type Marked, named } from "./sets.js";

const MODELS_LISTED = 10;
const NAMED = 20;

export function modelsSection(
  { result, models: stored }: StoredRun,
  marked: Marked,
  drawers: Drawers,
): Markup | undefined {
  const { models = [] } = result;
  if (models.length === 0) return undefined;
  const image = stored ?? listed(models);
  const covered = image.models.reduce((sum, model) => sum + model.probability, 0);
  return html`<section>
<h2>Which models are likely ${tag(kindOf(result))}</h2>
<p>The most probable model has ${percent(models[0].probability)} of the probability; ${image.models.length === 1 ? "nothing else comes near." : `the ${whole(image.models.length)} shown have ${percent(covered)}.`}</p>
${picture(result, image, marked, drawers)}
<details><summary>The most probable models in words</summary>
<div class="scroll"><table><thead><tr><th scope="col">variables</th><th scope="col">probability</th></tr></thead><tbody>
${models.slice(0, MODELS_LISTED).map(
  (model) =>
    html`<tr><td>${model.variables.length === 0 ? html`<i>none</i>` : html`<bdi>${list(model.variables, NAMED)}</bdi>`}</td><td>${probability(model.probability)}</td></tr>
`,
)}</tbody></table></div></details>
</section>`;
}

function listed(models: NonNullable<Result["models"]>): ModelList {
  const names = [...new Set(models.flatMap(({ variables }) => variables))];
  const at = new Map(names.map((name, i) => [name, i]));
  return {
    exact: false,
    names,
    models: models.map(({ variables, probability: p }) => ({
      variables: variables.map((name) => at.get(name)!),
      probability: p,
    })),
  };
}

/** What all models agree on is said; the picture is of what they differ in. */
function picture(
  { variables }: Result,
  models: ModelList,
  marked: Marked,
  drawers: Drawers,
): Markup | undefined {
  if (models.models.length < 2) return undefined;
  const { differing, common } = sortedByUse(models, variables);
  const rows = mostDiffering(differing);
  if (rows.length === 0) return undefined;
  const agreed =
    common.length > 0 &&
    html`<p>All of them hold <bdi>${list(
      common.map(({ name }) => name),
      NAMED,
    )}</bdi>; the picture shows ${differing.length > rows.length ? `the ${whole(rows.length)} variables in which they differ most` : "where they differ"}.</p>`;
  return html`${agreed}
${figure(
  drawers,
  (canvas) => modelsImage(canvas, { models, rows, marked }),
  html`Each column is a model, as wide as it is probable. Colour marks the variables in it: <span class="key square" style="background:var(--positive)"></span>positive, <span class="key square" style="background:var(--negative)"></span>negative effect.${differing.length > rows.length && ` ${count(differing.length - rows.length, "variable")} in which the models hardly differ ${differing.length - rows.length === 1 ? "is" : "are"} not drawn.`}`,
)}`;
}

const PAIRS = 28;

export function togetherSection(result: Result, marked: Marked): Markup | undefined {
  const substitutes = substituteSentences(result);
  const sets = (result.credibleSets ?? []).filter(({ variables }) => variables.length > 1);
  const discovery = discoverySentence(result);
  const pip = new Map(result.variables.map((v) => [v.name, v.pip]));
  const pairs = (result.pairs ?? []).slice(0, PAIRS);
  if (substitutes.length === 0 && !discovery && pairs.length === 0) return undefined;
  return html`<section>
<h2>Variables taken together ${tag(kindOf(result))}</h2>
${substitutes.map((sentence, i) => html`<p class="member">${badge(marked.get(sets[i].variables[0]))}<span>${sentence}</span></p>`)}
${discovery && html`<p>${discovery}</p>`}
${
  pairs.length > 0 &&
  html`<details><summary>How often two variables are in the same model</summary>
<p class="note">“If independent” is the product of the two probabilities: far less together means that they replace each other.</p>
<div class="scroll"><table><thead><tr><th scope="col">pair</th><th scope="col">together</th><th scope="col">if independent</th></tr></thead><tbody>
${pairs.map(
  ({ variables: [a, b], probability: both }) =>
    html`<tr><td>${named(a, marked)} and ${named(b, marked)}</td><td>${probability(both)}</td><td>${probability((pip.get(a) ?? 0) * (pip.get(b) ?? 0))}</td></tr>
`,
)}</tbody></table></div></details>`
}
</section>`;
}

export function sizeSection(result: Result, drawers: Drawers): Markup {
  const { prior = [], posterior = [] } = result.modelSize;
  return html`<section>
<h2>How large the model is ${tag(kindOf(result))}</h2>
<p>${sizeSentence(result)}</p>
${
  posterior.length > 0 &&
  figure(
    drawers,
    (canvas) => sizePlot(canvas, prior, posterior),
    html`<span class="key square" style="background:var(--strong)"></span>after the data, <span class="key square" style="background:var(--faint)"></span>before. Variables that are always in are not counted.`,
  )
}
</section>`;
}
