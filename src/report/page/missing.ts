/** Missing values in a report: how many, how they were filled, and what dropping their rows would change. */

import { asFlag, type Spelling } from "../../wording.js";
import { count, interval, list, percent, probability, whole } from "../text/numbers.js";
import type { Result } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { tableFor, worded } from "./parts.js";

const COLUMNS_NAMED = 6;

/** `spelling` is how options are named; a report is of the command line unless told. */
export function missingSentences(result: Result, spelling: Spelling = asFlag): string[] {
  const { missing, rows } = result;
  if (!missing) return [];
  const { entries, share, columns, completeRows, enoughRows, dropping, hidden } = missing;
  const named = columns.map((column) => `${column.name} (${whole(column.missing)})`);
  const kept = `Dropping incomplete rows instead (${spelling("missing", "drop")}) would keep ${whole(completeRows)} of ${whole(rows)}`;
  return [
    `${count(entries, "value")}, ${percent(share)} of all, ${entries === 1 ? "is" : "are"} missing in ${list(named, COLUMNS_NAMED)}, and ${entries === 1 ? "was" : "were"} imputed: drawn along with the model from ${lawOf(result)} (${spelling("missing", "impute")}).`,
    ...(hidden
      ? [
          `Of ${count(hidden.entries, "known value")} that ${hidden.entries === 1 ? "was" : "were"} hidden and filled alike, ${percent(hidden.within)} lay in their 95% ranges.`,
        ]
      : []),
    dropping
      ? `${kept} and ${difference(result)}.`
      : `${kept}${enoughRows ? "" : ", too few to compare with"}.`,
  ];
}

function lawOf({ missing, columns }: Result): string {
  const { model, lawOf: size } = missing!;
  const of =
    size < columns ? `${count(size, "variable")}, the candidates and their nearest,` : "the predictors";
  const joint = `a joint Gaussian of ${of} and the target`;
  if (model === "joint gaussian") return joint;
  return model === "linear discriminants"
    ? `their levels, weighed as linear discriminants do by all other values in the row`
    : `${joint}, categories from their levels as linear discriminants weigh them`;
}

function difference({ missing, variables }: Result): string {
  const { dropping } = missing!;
  const now = variables.filter(({ selected }) => selected).map(({ name }) => name);
  const then = dropping!.variables.filter(({ selected }) => selected).map(({ name }) => name);
  const lost = now.filter((name) => !then.includes(name));
  const gained = then.filter((name) => !now.includes(name));
  if (lost.length + gained.length === 0) return "select the same variables";
  const parts = [
    ...(gained.length > 0 ? [`select ${list(gained, COLUMNS_NAMED)} besides`] : []),
    ...(lost.length > 0 ? [`not select ${list(lost, COLUMNS_NAMED)}`] : []),
  ];
  return parts.join(", but ");
}

export function missingSection(result: Result): Markup | undefined {
  const { missing, variables } = result;
  if (!missing) return undefined;
  const imputed = new Map(variables.map((variable) => [variable.name, variable]));
  const compared = missing.dropping?.variables ?? [];
  return html`<section>
<h2>Missing values</h2>
${missingSentences(result).map((sentence) => html`<p>${worded(sentence)}</p>`)}
${
  compared.length > 0 &&
  html`<div class="scroll">${tableFor(
    compared.map(({ name }) => name),
    4,
  )}<thead><tr><th scope="col">variable</th><th scope="col">imputed</th><th scope="col">95% interval</th><th scope="col">rows dropped</th><th scope="col">95% interval</th></tr></thead><tbody>
${compared.map((then) => {
  const now = imputed.get(then.name);
  return html`<tr><td><bdi>${then.name}</bdi></td><td>${now && probability(now.pip)}</td><td>${now && signed(now)}</td><td>${probability(then.pip)}</td><td>${signed(then)}</td></tr>
`;
})}</tbody></table></div>`
}
</section>`;
}

function signed({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  return interval(lower, upper).replaceAll("-", "−");
}
