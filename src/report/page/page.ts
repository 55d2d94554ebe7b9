/** A run as one page that needs nothing else: no scripts, no fonts, no network. Pure. */

import { familyNamed } from "../../families/register.js";
import type { VariableSummary } from "../../selection/answer/result.js";
import type { StoredRun } from "../stored-run.js";
import { count, effect, list, percent, probability, smallProbability, whole } from "../text/numbers.js";
import {
  beyondSentence,
  capital,
  certificateSentence,
  conclusion,
  discoverySentence,
  exactness,
  judgement,
  type Result,
  selectedOnce,
  sizeSentence,
  steinSentence,
  substituteSentences,
} from "../text/sentences.js";
import { chainVerdict, convergence } from "./convergence.js";
import { goodnessSection } from "./goodness.js";
import { html, type Markup, trusted } from "./markup.js";
import { methodSection, settingsSection } from "./method.js";
import { missingSection } from "./missing.js";
import { type Drawers, figure, kindOf, tag } from "./parts.js";
import { comparable, effectsPlot, inclusionPlot, MAX_POINTS, modelsImage, sizePlot } from "./plots.js";
import { priorSection } from "./prior.js";
import { pageStyle } from "./style.js";
import { type Trace, tracePlot } from "./trace-plot.js";

export function htmlReport(run: StoredRun, document: Document): string {
  const { result } = run;
  const drawers: Drawers = { document };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${conclusion(result, 3)} Sparrow</title>
<link rel="icon" href="data:,">
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
${opening(run)}
${inclusionSection(run, drawers)}
${effectsSection(result, drawers)}
${goodnessSection(run, drawers)}
${modelsSection(run, drawers)}
${togetherSection(result)}
${sizeSection(result, drawers)}
${priorSection(result)}
${missingSection(result)}
${convergenceSection(run, drawers)}
${settingsSection(run)}
${methodSection(result)}
<footer>Sparrow ${run.record.version} · seed ${run.record.seed} · data checksum <span class="mono">${run.record.data.checksum}</span></footer>
</main>
</body>
</html>
`;
  return page.text;
}

const NAMED = 30;

function opening(run: StoredRun): Markup {
  const { result, record } = run;
  const judged = result.verdict ?? chainVerdict(run);
  const { verdict, notes } = judgement({ ...result, ...(judged !== undefined && { verdict: judged }) });
  const selected = result.variables.filter((variable) => variable.selected);
  const doubt = !verdict.startsWith("No problems");
  const worth = exactness(result);
  const [first, ...rest] = verdict.split(/(?<=\.) /);
  const counted = selectedOnce(result).length;
  const headline =
    selected.length === 0
      ? html`No variable is selected for <bdi>${result.target}</bdi>`
      : html`${whole(counted)} of ${count(result.columns, "variable")} ${counted === 1 ? "is" : "are"} selected for <bdi>${result.target}</bdi>`;
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · <bdi>${record.data.name.split(/[\\/]/).pop()}</bdi> · ${count(result.rows, "row")} · ${result.family} target</p>
<h1>${headline}</h1>
${
  selected.length > 0 &&
  html`<ul class="names" aria-label="Selected variables">${selected
    .slice(0, NAMED)
    .map(
      (v) => html`<li><bdi>${v.name}</bdi><small>${probability(v.pip)}</small></li>`,
    )}${selected.length > NAMED && html`<li><small>and ${whole(selected.length - NAMED)} more</small></li>`}</ul>`
}
</header>
<div class="verdict${doubt ? " doubt" : ""}" role="status">
${first && html`<p><strong>${first}</strong> ${rest.join(" ")}</p>`}
${selected.length === 0 && html`<p>${conclusion(result)}</p>`}
<p>${certificateSentence(result)} ${beyondSentence(result)}</p>
<p>${tag(worth)} ${capital(worth.sentence)}</p>
</div>
${notes.map((note) => html`<p class="note">Note: ${note}</p>`)}`;
}

function inclusionSection({ result, record }: StoredRun, drawers: Drawers): Markup {
  const { variables } = result;
  const shown = variables.slice(0, MAX_POINTS);
  const hidden = variables.length - shown.length;
  return html`<section>
<h2>Which variables matter ${tag(kindOf(result))}</h2>
<p>The probability that a variable is in the model, given the data. Above one half it is selected.</p>
${figure(
  drawers,
  (canvas) => inclusionPlot(canvas, variables, record.data.columns),
  html`${hidden > 0 && html`The ${whole(hidden)} variables that are not drawn lie below ${smallProbability(shown[shown.length - 1].pip)}. `}${outsideNote(result)}`,
)}
</section>`;
}

/** Variables outside the candidates have probabilities of another kind; the page says so. */
function outsideNote({ certificate, columns }: Result): string {
  if (!certificate || certificate.candidates >= columns) return "";
  return `The ${whole(columns - certificate.candidates)} variables outside the ${count(certificate.candidates, "candidate")} have approximate probabilities, conditional on the most probable models.`;
}

const MAX_EFFECTS = 25;
const MIN_EFFECT_PIP = 0.05;

function effectsSection(result: Result, drawers: Drawers): Markup {
  const shown = result.variables
    .filter(({ pip, selected }) => selected || pip >= MIN_EFFECT_PIP)
    .slice(0, MAX_EFFECTS);
  const listed = shown.length > 0 ? shown : result.variables.slice(0, 5);
  const scale = comparable(shown)
    ? "All share one scale, in the units of the data."
    : "Their units differ too much for one scale, so each line has its own; the table has the numbers.";
  return html`<section>
<h2>How much they matter ${tag(kindOf(result))}</h2>
<p>The change of ${unitOf(result)} for one unit of the variable, averaged over models.</p>
${
  shown.length > 0 &&
  figure(
    drawers,
    (canvas) => effectsPlot(canvas, shown),
    html`Dot: the effect if the variable is in (<span class="key" style="background:var(--positive)"></span>positive, <span class="key" style="background:var(--negative)"></span>negative). Line: 95% interval of the effect, its mass at zero included. Ring at zero <span class="key ring"></span>: the larger, the more probable is no effect at all. ${scale}`,
  )
}
${effectsTable(result, listed)}
</section>`;
}

function unitOf({ family, target }: Result): Markup {
  const name = html`<bdi>${target}</bdi>`;
  return html`${familyNamed(family).words.effectOn}${name}`;
}

function effectsTable({ intercept, noiseVariance }: Result, variables: readonly VariableSummary[]): Markup {
  const errors = variables.some(({ pipError }) => pipError >= 0.0005);
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">variable</th><th scope="col">probability</th><th scope="col">effect</th><th scope="col">95% interval</th><th scope="col" class="roomy">sign sure</th></tr></thead>
<tbody>
${variables.map(
  (
    v,
  ) => html`<tr${v.selected && trusted(' class="selected"')}><td><bdi>${v.name}</bdi></td><td>${probability(v.pip)}${errors && v.pipError >= 0.0005 && html` ± ${v.pipError.toFixed(3)}`}</td><td>${minus(v.mean)}</td><td>${range(v)}</td><td class="roomy">${probability(v.signProbability)}</td></tr>
`,
)}
${intercept && html`<tr><td><i>intercept</i></td><td></td><td>${minus(intercept.mean)}</td><td>${range(intercept)}</td><td class="roomy"></td></tr>`}
${noiseVariance && html`<tr><td><i>noise variance</i></td><td></td><td>${minus(noiseVariance.mean)}</td><td>${range(noiseVariance)}</td><td class="roomy"></td></tr>`}
</tbody></table></div>
<details><summary>Effects given that a variable is in</summary><div class="scroll"><table>
<thead><tr><th scope="col">variable</th><th scope="col">effect if in</th><th scope="col">95% interval if in</th></tr></thead>
<tbody>
${variables.map(
  (v) =>
    html`<tr><td><bdi>${v.name}</bdi></td><td>${minus(v.meanIfIncluded)}</td><td>${range({ lower: v.lowerIfIncluded, upper: v.upperIfIncluded })}</td></tr>
`,
)}</tbody></table></div></details>`;
}

function minus(value: number): string {
  return effect(value).replaceAll("-", "−");
}

function range({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  return `${minus(lower)} to ${minus(upper)}`;
}

const MODELS_LISTED = 10;

function modelsSection({ result, models: stored }: StoredRun, drawers: Drawers): Markup | undefined {
  const { models = [] } = result;
  if (models.length === 0) return undefined;
  const names = [...new Set(models.flatMap(({ variables }) => variables))];
  const at = new Map(names.map((name, i) => [name, i]));
  const image = stored ?? {
    exact: false,
    names,
    models: models.map(({ variables, probability: p }) => ({
      variables: variables.map((name) => at.get(name)!),
      probability: p,
    })),
  };
  const covered = image.models.reduce((sum, model) => sum + model.probability, 0);
  return html`<section>
<h2>Which models are likely ${tag(kindOf(result))}</h2>
<p>The most probable model has ${percent(models[0].probability)} of the probability; ${image.models.length === 1 ? "nothing else comes near." : html`the ${whole(image.models.length)} shown have ${percent(covered)}.`}</p>
${figure(
  drawers,
  (canvas) => modelsImage(canvas, image, result.variables),
  html`Each column is a model, as wide as it is probable. Colour marks the variables in it: <span class="key square" style="background:var(--positive)"></span>positive, <span class="key square" style="background:var(--negative)"></span>negative effect.`,
)}
<details><summary>The most probable models in words</summary>
<table><thead><tr><th scope="col">variables</th><th scope="col">probability</th></tr></thead><tbody>
${models.slice(0, MODELS_LISTED).map(
  (model) =>
    html`<tr><td>${model.variables.length === 0 ? html`<i>none</i>` : html`<bdi>${list(model.variables, 20)}</bdi>`}</td><td>${probability(model.probability)}</td></tr>
`,
)}</tbody></table></details>
</section>`;
}

function togetherSection(result: Result): Markup | undefined {
  const substitutes = substituteSentences(result);
  const discovery = discoverySentence(result);
  const pip = new Map(result.variables.map((v) => [v.name, v.pip]));
  const pairs = (result.pairs ?? []).slice(0, 28);
  if (substitutes.length === 0 && !discovery && pairs.length === 0) return undefined;
  return html`<section>
<h2>Variables taken together ${tag(kindOf(result))}</h2>
${substitutes.map((sentence) => html`<p>${sentence}</p>`)}
${discovery && html`<p>${discovery}</p>`}
${
  pairs.length > 0 &&
  html`<details><summary>How often two variables are in the same model</summary>
<p class="note">“If independent” is the product of the two probabilities: far less together means that they replace each other.</p>
<table><thead><tr><th scope="col">pair</th><th scope="col">together</th><th scope="col">if independent</th></tr></thead><tbody>
${pairs.map(
  ({ variables: [a, b], probability: both }) =>
    html`<tr><td><bdi>${a}</bdi> and <bdi>${b}</bdi></td><td>${probability(both)}</td><td>${probability((pip.get(a) ?? 0) * (pip.get(b) ?? 0))}</td></tr>
`,
)}</tbody></table></details>`
}
</section>`;
}

function sizeSection(result: Result, drawers: Drawers): Markup {
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

function convergenceSection(run: StoredRun, drawers: Drawers): Markup {
  const { result, record, search } = run;
  const { rhat, ess } = result.diagnostics;
  const rows = record.draws === "chains" && run.draws ? convergence(run.draws) : [];
  const traces: Trace[] = [
    ...(search
      ? [
          {
            label: "model size in the search",
            chains: search.sizes,
            every: search.thin,
            burnIn: search.burnIn,
          },
        ]
      : []),
    ...rows.slice(1, 4).map(({ name, chains }) => ({ label: name, chains, every: 1 })),
  ];
  const stein = steinSentence(result);
  const words =
    record.draws === "independent"
      ? html`<p>${rhat === undefined ? "The draws in this run are independent draws from the posterior over models, so there is nothing in them that could fail to converge." : html`The draws in this run are independent draws of coefficients given models. The models were sampled by chains: R-hat of the model size is ${rhat.toFixed(3)}${ess === undefined ? "" : `, with ${whole(ess)} effective draws`}; below 1.01 the chains agree.`}${search && " The search below only proposes candidates; its wandering does not enter the results."}</p>`
      : html`<p>The numbers come from ${count(run.search?.sizes.length ?? 1, "chain")} of mini-batch steps. R-hat should be below 1.01 and the effective sample sizes above 100 for each chain.</p>`;
  return html`<section>
<h2>Convergence</h2>
${words}
${stein && html`<p>${stein}</p>`}
${
  rows.length > 0 &&
  html`<table><thead><tr><th scope="col">quantity</th><th scope="col">mean</th><th scope="col">R-hat</th><th scope="col">bulk ESS</th><th scope="col" class="roomy">tail ESS</th></tr></thead><tbody>
${rows.map(
  ({ name, mean, rhat: r, bulk, tail }) =>
    html`<tr><td><bdi>${name}</bdi></td><td>${minus(mean)}</td><td>${r === undefined ? "–" : r.toFixed(3)}</td><td>${bulk === undefined ? "–" : whole(bulk)}</td><td class="roomy">${tail === undefined ? "–" : whole(tail)}</td></tr>
`,
)}</tbody></table>`
}
${traces.map((trace) => figure(drawers, (canvas) => tracePlot(canvas, trace), html`<bdi>${trace.label}</bdi>, one line per chain${trace.burnIn ? "; the shaded start was discarded" : ""}.`))}
</section>`;
}
