/** The end of a page: data, settings, the method in a paragraph, how to cite it. */

import type { StoredRun } from "../stored-run.js";
import { count, whole } from "../text/numbers.js";
import { dataNotes, type Result, searchSentences } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { worded } from "./parts.js";

export function settingsSection({ result, record, timing }: StoredRun): Markup {
  const searched = searchSentences(result);
  const { chosen: _, ...settings } = record.settings;
  const seconds = Object.values(timing ?? {}).reduce((sum, value) => sum + value, 0);
  return html`<section>
<h2>Data and settings</h2>
<p>${count(record.data.rows, "row")} and ${count(record.data.columns.length, "variable")} from <bdi>${record.data.name}</bdi>${seconds > 0 && `, fitted in ${seconds < 10 ? seconds.toPrecision(2) : whole(seconds)} s`}.</p>
${dataNotes(result).map((note) => html`<p>${worded(note)}</p>`)}
${searched.length > 0 && html`<p>Search: ${searched.join(" ")}</p>`}
${settingsTable({ seed: record.seed, ...settings, ...given(record.options) })}
</section>`;
}

export function settingsTable(settings: Readonly<Record<string, unknown>>): Markup {
  return html`<details><summary>Every setting, given or chosen</summary>
<table class="plain"><tbody>
${Object.entries(settings).map(
  ([name, value]) => html`<tr><th scope="row">${spaced(name)}</th><td>${settingText(value)}</td></tr>
`,
)}</tbody></table></details>`;
}

/** What was asked for and does not show among the settings that were used. */
function given({ always, exclude, target }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { target, ...(always !== undefined && { always }), ...(exclude !== undefined && { exclude }) };
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function settingText(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) ? whole(value) : String(Number(value.toPrecision(4)));
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, of]) => `${spaced(name)} ${settingText(of)}`)
        .join(", ")
    : String(value);
}

export function methodSection(result: Result): Markup {
  return html`<section>
<h2>Method</h2>
${result.preset === "paper" ? paperMethod : defaultMethod(result)}
<h2>How to cite</h2>
<p>Song, Q., Sun, Y., Ye, M. and Liang, F. (2020). Extended stochastic gradient Markov chain Monte Carlo for large-scale Bayesian variable selection. <i>Biometrika</i> 107(4), 997–1004.</p>
<details><summary>BibTeX</summary><pre>${BIBTEX}</pre></details>
</section>`;
}

const paperMethod = html`<p>Extended stochastic gradient Langevin dynamics (Song, Sun, Ye and Liang 2020, Algorithm 1): each iteration draws a mini-batch of rows, moves through models by reversible jumps given the current coefficients, and moves the coefficients by a Langevin step along the gradient averaged over those models. Inclusion probabilities are the shares of the models visited after burn-in. The noise of a mini-batch lets variables in for a moment, so small probabilities and the model size are too large; the default of Sparrow corrects for this.</p>`;

function defaultMethod({ settings }: Result): Markup {
  const slab = slabWords(settings);
  const prior =
    settings.modelPrior === "inclusion"
      ? `each variable is in with prior probability ${Number(Number(settings.priorInclusion ?? 0).toPrecision(3))}`
      : `the prior over models is ${MODEL_PRIORS[settings.modelPrior ?? "uniform"]}`;
  const likelihood =
    settings.likelihood === "exact"
      ? "the coefficients (and the noise variance, if unknown) integrated out exactly"
      : "the coefficients integrated out by a second-order expansion of the likelihood at the mode of the median model";
  return html`<p>Bayesian variable selection with a spike at zero: a variable is either out of the model, its effect exactly zero, or in. Coefficients that are in have ${slab}; ${prior}. Where there are many variables, mini-batch chains (extended stochastic gradient Langevin dynamics, Song, Sun, Ye and Liang 2020) propose candidates. The posterior over all models of the candidates is then computed from all rows, with ${likelihood}. A last pass over all the data gives every variable outside the candidates its conditional probability of belonging; whatever belongs joins the candidates, until nothing does, and what models may hold of the others goes into their weights.</p>`;
}

const MODEL_PRIORS = {
  inclusion: "that of independent inclusions",
  "beta-binomial": "beta-binomial, so that the share of variables that belong is learned from the data",
  uniform: "uniform",
};

const SCALE_PRIORS = {
  "hyper-g-n": "the hyper-g/n prior of Liang, Paulo, Molina, Clyde and Berger (2008)",
  "hyper-g": "the hyper-g prior of Liang, Paulo, Molina, Clyde and Berger (2008)",
  "zellner-siow": "the prior of Zellner and Siow (1980)",
};

function slabWords({ slab, g, slabVariance, scalePrior, noiseVariance, scale }: Result["settings"]): string {
  const learned = (what: string): string =>
    scalePrior ? `, which has ${SCALE_PRIORS[scalePrior]} and is ${what} at its most probable` : "";
  if (slab === "zellner") {
    return scalePrior ? `Zellner’s prior with a g${learned(`${shown(g)}`)}` : `Zellner’s prior with g = ${g}`;
  }
  const units = scale === "standard" ? ", on columns in standard units" : "";
  if (typeof slabVariance !== "number") return `independent normal priors${units}`;
  const times = noiseVariance === "unknown" ? " times the noise variance" : "";
  return scalePrior
    ? `independent normal priors${units} with a variance${learned(`${shown(slabVariance)}${times}`)}`
    : `independent normal priors with variance ${slabVariance}${times}${units}`;
}

const shown = (value: number | undefined): string => String(Number((value ?? 0).toPrecision(3)));

const BIBTEX = `@article{song2020extended,
  author  = {Song, Qifan and Sun, Yan and Ye, Mao and Liang, Faming},
  title   = {Extended stochastic gradient {Markov} chain {Monte Carlo} for
             large-scale {Bayesian} variable selection},
  journal = {Biometrika},
  volume  = {107},
  number  = {4},
  pages   = {997--1004},
  year    = {2020}
}`;
