/** How the chains went: numbers, traces and ranks of what they say least surely. */

import type { StoredRun } from "../stored-run.js";
import { count, whole } from "../text/numbers.js";
import { steinSentence } from "../text/sentences.js";
import { type Convergence, convergence } from "./convergence.js";
import { html, type Markup } from "./markup.js";
import { type Drawers, figure, figures, minus, tableOf } from "./parts.js";
import { ranksPlot } from "./plots/ranks.js";
import { type Trace, tracePlot } from "./plots/trace.js";

const TRACES = 3;
const RANKS = 6;

export function convergenceSection(run: StoredRun, drawers: Drawers): Markup {
  const { result, record, search } = run;
  const { rhat, ess } = result.diagnostics;
  const rows = record.draws === "chains" && run.draws ? convergence(run.draws) : [];
  const searched: readonly Trace[] = search
    ? [
        {
          label: "model size in the search",
          chains: search.sizes,
          every: search.thin,
          burnIn: search.burnIn,
        },
      ]
    : [];
  const stein = steinSentence(result);
  const words =
    record.draws === "independent"
      ? html`<p>${rhat === undefined ? "The draws in this run are independent draws from the posterior over models, so there is nothing in them that could fail to converge." : `The draws in this run are independent draws of coefficients given models. The models were sampled by chains: R-hat of the model size is ${rhat.toFixed(3)}${ess === undefined ? "" : `, with ${whole(ess)} effective draws`}; below 1.01 the chains agree.`}${search && " The search below only proposes candidates; its wandering does not enter the results."}</p>`
      : html`<p>The numbers come from ${count(run.search?.sizes.length ?? 1, "chain")} of mini-batch steps. R-hat should be below 1.01 and the effective sample sizes above 100 for each chain.</p>`;
  return html`<section>
<h2>Convergence</h2>
${words}
${stein && html`<p>${stein}</p>`}
${convergenceTable(rows)}
${searched.map((trace) => traceFigure(trace, drawers))}
${chainPictures(rows.slice(1), drawers)}
</section>`;
}

export function convergenceTable(rows: readonly Convergence[]): Markup | undefined {
  if (rows.length === 0) return undefined;
  return tableOf(
    ["quantity", "mean", "R-hat", "bulk ESS", "tail ESS"],
    rows.map(({ name, mean, rhat, bulk, tail }) => [
      name,
      minus(mean),
      rhat === undefined ? "–" : rhat.toFixed(3),
      bulk === undefined ? "–" : whole(bulk),
      tail === undefined ? "–" : whole(tail),
    ]),
  );
}

function traceFigure(trace: Trace, drawers: Drawers): Markup | undefined {
  return figure(
    drawers,
    (canvas) => tracePlot(canvas, trace),
    html`<bdi>${trace.label}</bdi>, one line per chain${trace.burnIn ? "; the shaded start was discarded" : ""}.`,
  );
}

/** Traces of what agrees least, and ranks where there are chains to compare. */
export function chainPictures(rows: readonly Convergence[], drawers: Drawers): Markup {
  const least = [...rows].sort((a, b) => (b.rhat ?? 0) - (a.rhat ?? 0));
  const compared = least
    .filter(({ chains, rhat }) => chains.length > 1 && rhat !== undefined)
    .slice(0, RANKS);
  return html`${least
    .slice(0, TRACES)
    .map(({ name, chains }) =>
      traceFigure({ label: name, chains, every: 1, along: "draw that was kept" }, drawers),
    )}
${
  compared.length > 0 &&
  figures(
    drawers,
    compared.map(({ name, chains }) => ({
      title: html`<bdi>${name}</bdi>`,
      draw: (canvas) => ranksPlot(canvas, name, chains),
    })),
    html`Ranks of each chain’s draws among those of all, in twentieths. Chains that agree have all ranks equally often: every line stays near 1.`,
  )
}`;
}
