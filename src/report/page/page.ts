/** A run as one page that needs nothing else: no scripts, no fonts, no network. Pure. */

import type { StoredRun } from "../stored-run.js";
import { count, probability, smallProbability, whole } from "../text/numbers.js";
import {
  beyondSentence,
  capital,
  certificateSentence,
  conclusion,
  exactness,
  judgement,
  type Result,
  selectedOnce,
} from "../text/sentences.js";
import { convergenceSection } from "./chains.js";
import { chainVerdict } from "./convergence.js";
import { effectsSection } from "./effects.js";
import { goodnessSection } from "./goodness.js";
import { html, type Markup } from "./markup.js";
import { methodSection, settingsSection } from "./method.js";
import { missingSection } from "./missing.js";
import { modelsSection, sizeSection, togetherSection } from "./models.js";
import { type Drawers, figure, kindOf, notesBelow, tag, verdictBox, worded } from "./parts.js";
import { inclusionPlot, MAX_POINTS } from "./plots/inclusion.js";
import { priorSection } from "./prior.js";
import { badge, type Marked, setMarks } from "./sets.js";
import { pageHtml, recordFooter } from "./shell.js";

export function htmlReport(run: StoredRun, document: Document): string {
  const { result } = run;
  const among = result.variables.slice(0, MAX_POINTS).map(({ name }) => name);
  const drawers: Drawers = { document, among };
  const marked = setMarks(result);
  return pageHtml({
    title: `${conclusion(result, 3)} Sparrow`,
    opening: opening(run, marked),
    sections: [
      inclusionSection(run, marked, drawers),
      effectsSection(run, marked, drawers),
      goodnessSection(run, drawers),
      modelsSection(run, marked, drawers),
      togetherSection(result, marked),
      sizeSection(result, drawers),
      priorSection(result),
      missingSection(result),
      convergenceSection(run, drawers),
      settingsSection(run),
      methodSection(result),
    ],
    footer: recordFooter(run.record),
  });
}

const NAMED = 30;

function opening(run: StoredRun, marked: Marked): Markup {
  const { result, record } = run;
  const judged = result.verdict ?? chainVerdict(run);
  const { verdict, notes } = judgement({ ...result, ...(judged !== undefined && { verdict: judged }) });
  const selected = result.variables.filter((variable) => variable.selected);
  const worth = exactness(result);
  const counted = selectedOnce(result).length;
  const headline =
    selected.length === 0
      ? html`No variable is selected for <bdi>${result.target}</bdi>`
      : html`${whole(counted)} of ${count(result.columns, "variable")} ${counted === 1 ? "is" : "are"} selected for <bdi>${result.target}</bdi>`;
  const checked = [certificateSentence(result), beyondSentence(result)].filter((text) => text !== undefined);
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · <bdi>${record.data.name.split(/[\\/]/).pop()}</bdi> · ${count(result.rows, "row")} · ${result.family} target</p>
<h1>${headline}</h1>
${
  selected.length > 0 &&
  html`<ul class="names" aria-label="Selected variables">${selected
    .slice(0, NAMED)
    .map(
      (v) =>
        html`<li>${badge(marked.get(v.name))}<bdi>${v.name}</bdi><small>${probability(v.pip)}</small></li>`,
    )}${selected.length > NAMED && html`<li><small>and ${whole(selected.length - NAMED)} more</small></li>`}</ul>`
}
</header>
${verdictBox(verdict, [
  selected.length === 0 && html`<p>${conclusion(result)}</p>`,
  checked.length > 0 && html`<p>${worded(checked.join(" "))}</p>`,
  html`<p>${tag(worth)} ${capital(worth.sentence)}</p>`,
])}
${notesBelow(notes)}`;
}

function inclusionSection({ result, record }: StoredRun, marked: Marked, drawers: Drawers): Markup {
  const { variables } = result;
  const shown = variables.slice(0, MAX_POINTS);
  const hidden = variables.length - shown.length;
  return html`<section>
<h2>Which variables matter ${tag(kindOf(result))}</h2>
<p>The probability that a variable is in the model, given the data. Above one half it is selected.</p>
${figure(
  drawers,
  (canvas) => inclusionPlot(canvas, { variables, columns: record.data.columns, marked }),
  html`${marked.size > 0 && "Variables of one letter and colour are substitutes: at least one of them belongs. "}${hidden > 0 && html`The ${whole(hidden)} variables that are not drawn lie below ${smallProbability(shown[shown.length - 1].pip)}. `}${outsideNote(result)}`,
)}
</section>`;
}

/** Variables outside the candidates have probabilities of another kind; the page says so. */
function outsideNote({ certificate, columns }: Result): string {
  if (!certificate || certificate.candidates >= columns) return "";
  return `The ${whole(columns - certificate.candidates)} variables outside the ${count(certificate.candidates, "candidate")} have approximate probabilities, conditional on the most probable models.`;
}
