/** What was assumed before the data, and how far the answer rests on it. */

import { probability } from "../text/numbers.js";
import { priorSentence, type Result } from "../text/sentences.js";
import { html, type Markup } from "./markup.js";
import { tableFor } from "./parts.js";

const LISTED = 20;

type Listed = NonNullable<Result["prior"]>["variables"][number];

const others = (v: Listed): Markup[] =>
  [v.halfOdds, v.twiceOdds, v.halfScale, v.twiceScale].map(
    (p) => html`<td>${p === undefined ? "–" : probability(p)}</td>`,
  );

export function priorSection(result: Result): Markup | undefined {
  const { prior } = result;
  if (!prior) return undefined;
  const listed = prior.variables.slice(0, LISTED);
  return html`<section>
<h2>What the prior decides</h2>
<p>${priorSentence(result)}</p>
${
  listed.length > 0 &&
  html`<details><summary>Probabilities under other priors</summary>
<div class="scroll">${tableFor(
    listed.map(({ name }) => name),
    5,
  )}<thead><tr><th scope="col">variable</th><th scope="col">probability</th><th scope="col">half the odds</th><th scope="col">twice the odds</th><th scope="col">half the scale</th><th scope="col">twice the scale</th></tr></thead><tbody>
${listed.map(
  (v) =>
    html`<tr><td><bdi>${v.name}</bdi>${v.flips && " ?"}</td><td>${probability(v.pip)}</td>${others(v)}</tr>
`,
)}</tbody></table></div>
<p class="note">A question mark stands where another prior would change what is selected.</p></details>`
}
</section>`;
}
