/** Clusters or hidden states as one page that needs nothing else: verdict, choice of the number, tables, paths. Pure. */

import { DRAW_INDEX, type DrawTable } from "../../draws/posterior-draws.js";
import type { StoredGrouping } from "../stored-run.js";
import { comparisonRows, type GroupingSummary, meansTable, movesTable, titleOf } from "../text/clusters.js";
import { count, effect, list, whole } from "../text/numbers.js";
import { judgement } from "../text/sentences.js";
import { linePlot, type Panel } from "./line-plot.js";
import { html, type Markup, trusted } from "./markup.js";
import { pageStyle } from "./style.js";

const PATH_POINTS = 400;

export function groupingHtml({ result, record, draws }: StoredGrouping): string {
  const noun = result.model === "clusters" ? "cluster" : "state";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${count(result.components, noun)} of ${record.data.name.split(/[\\/]/).pop()} · Sparrow</title>
<link rel="icon" href="data:,">
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
${opening({ result, record })}
${choice(result)}
<section>
<h2>The ${noun}s</h2>
${table(meansTable(result))}
<p class="note">Shares, means and 95% intervals in the units of the data; sd is the standard deviation inside a ${noun}. Where every row belongs is in ${noun}s.csv.</p>
</section>
${
  result.model === "states" &&
  html`<section>
<h2>Moves between states</h2>
${table(movesTable(result))}
</section>`
}
${correlations(result)}
<section>
<h2>Sample paths</h2>
<figure>${trusted(linePlot(paths(draws)))}</figure>
</section>
<footer>Sparrow ${record.version} · seed ${record.seed} · data checksum <span class="mono">${record.data.checksum}</span></footer>
</main>
</body>
</html>
`.text;
}

function opening({ result, record }: Pick<StoredGrouping, "result" | "record">): Markup {
  const { rhat, essBulk, essTail } = result.diagnostics;
  const { verdict, notes } = judgement(result);
  const [first, ...rest] = verdict.split(/(?<=\.) /);
  const doubt = result.partial || !verdict.startsWith("No problems");
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · <bdi>${record.data.name.split(/[\\/]/).pop()}</bdi> · <bdi>${list(result.columns, 6)}</bdi></p>
<h1>${titleOf(result)}</h1>
</header>
<div class="verdict${doubt ? " doubt" : ""}" role="status">
${result.partial && html`<p><strong>Partial.</strong> The run was stopped before its end; the numbers are what was sampled so far.</p>`}
<p><strong>${first}</strong> ${rest.join(" ")}</p>
${
  rhat !== undefined &&
  essBulk !== undefined &&
  essTail !== undefined &&
  html`<p>R-hat at most ${rhat.toFixed(3)}; at least ${whole(Math.min(essBulk, essTail))} effective draws.</p>`
}
</div>
${[...notes, ...(result.notes ?? [])].map((note) => html`<p class="note">Note: ${note}</p>`)}`;
}

function choice(result: GroupingSummary): Markup | undefined {
  const { comparison } = result;
  if (!comparison) return undefined;
  const numbers = comparison.scores.map((score) => ("components" in score ? score.components : score.states));
  const panel = (title: string, y: readonly number[]): Panel => ({
    title,
    xLabel: "number",
    yLabel: "",
    series: [{ name: title, x: numbers, y }],
  });
  const plots = [
    panel(
      "BIC (smaller is better)",
      comparison.scores.map(({ bic }) => bic),
    ),
    panel(
      "log density of rows left out",
      comparison.scores.map(({ score }) => score.mean),
    ),
  ];
  return html`<section>
<h2>How many?</h2>
<p>${comparison.reason}</p>
${comparison.failures.map(({ failure, ...of }) => html`<p class="note">${String(Object.values(of)[0])}: ${failure}</p>`)}
${table(comparisonRows(result))}
${numbers.length > 1 && html`<figure>${trusted(linePlot(plots))}</figure>`}
</section>`;
}

function correlations(result: GroupingSummary): Markup | undefined {
  const blocks = result.model === "clusters" ? result.clusters : result.states;
  const noun = result.model === "clusters" ? "cluster" : "state";
  const { columns, covariance } = result;
  if (columns.length < 2 || (covariance !== "full" && covariance !== "tied")) return undefined;
  const shown = covariance === "tied" ? blocks.slice(0, 1) : blocks;
  return html`<section>
<h2>Correlations inside ${covariance === "tied" ? `every ${noun}` : `the ${noun}s`}</h2>
${shown.map(({ covariance: matrix }, k) => {
  const rows = columns.map((name, i) => [
    name,
    ...columns
      .slice(0, i + 1)
      .map((_, j) =>
        effect(Number((matrix![i][j].mean / Math.sqrt(matrix![i][i].mean * matrix![j][j].mean)).toFixed(3))),
      ),
  ]);
  return html`<h3>${covariance === "tied" ? "" : `${noun} ${k + 1}`}</h3>${table([["", ...columns], ...rows])}`;
})}
<p class="note">Of the posterior mean of each covariance.</p>
</section>`;
}

function table([head, ...rows]: readonly (readonly string[])[]): Markup {
  return html`<div class="scroll"><table>
<tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>\n`)}</table></div>`;
}

/** Of the first two quantities, a line for every chain. */
function paths({ names, columns }: DrawTable): Panel[] {
  const [chain] = columns;
  return names.slice(DRAW_INDEX.length, DRAW_INDEX.length + 2).map((name, j) => {
    const values = columns[DRAW_INDEX.length + j];
    const chains = [...new Set(chain)].map((c) => values.filter((_, i) => chain[i] === c));
    const every = Math.max(1, Math.ceil(chains[0].length / PATH_POINTS));
    return {
      title: name,
      xLabel: "kept draw",
      yLabel: "",
      series: chains.map((kept, c) => {
        const x = Array.from(kept.keys()).filter((t) => t % every === 0);
        return { name: `chain ${c + 1}`, x, y: x.map((t) => kept[t]) };
      }),
    };
  });
}
