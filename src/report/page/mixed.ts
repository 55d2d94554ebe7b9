/** A mixed model as one page that needs nothing else: the verdict, tables, sample paths and the effects of groups. Pure. */

import { DRAW_INDEX, type DrawTable } from "../../draws/posterior-draws.js";
import type { GroupEffects } from "../../mixed/group-effects.js";
import type { GroupCovariance, MixedTerm } from "../../mixed/result.js";
import type { PosteriorSummary } from "../../mixed/summary.js";
import type { StoredMixed } from "../stored-run.js";
import { count, whole } from "../text/numbers.js";
import { judgement } from "../text/sentences.js";
import { linePlot, type Panel } from "./line-plot.js";
import { html, type Markup, trusted } from "./markup.js";
import { pageStyle } from "./style.js";

/** Groups shown of each random effect: evenly spaced in the order of the effect, so that the ends are there. */
const SHOWN = 60;
const PATH_POINTS = 400;

export function mixedHtml({ result, record, draws, groups }: StoredMixed): string {
  const { target, group, random } = result;
  const p = result.fixed.length;
  const terms = result.terms ?? [{ ...random, group, groups: result.groups }];
  const variance = terms.flatMap((term) =>
    term.sd.map((e, j) => ({
      ...squared(term, j),
      name: terms.length > 1 ? `${e.name} by ${term.group}` : e.name,
    })),
  );
  const noises = result.noiseVariance ? [{ name: "(noise)", ...result.noiseVariance }] : [];
  const variancePaths = [
    ...noises.map(() => path("noise variance", draws, p)),
    path(`variance of ${random.names[0]}`, draws, p + noises.length),
  ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${target} by ${group} · Sparrow</title>
<link rel="icon" href="data:,">
<style>${trusted(pageStyle)}</style>
</head>
<body>
<main>
${opening({ result, record })}
<section>
<h2>Fixed effects</h2>
${table(result.fixed)}
</section>
<section>
<h2>Variance components</h2>
${table([...variance, ...noises])}
${result.logLikelihood !== undefined && html`<p class="note">Log likelihood ${result.logLikelihood.toFixed(2)} at the means, with the random effects integrated out.</p>`}
${result.prior !== undefined && html`<p class="note">Prior: ${result.prior}</p>`}
</section>
${
  terms.some(({ correlations }) => correlations.length > 0) &&
  html`<section>
<h2>Correlations of the random effects</h2>
${table(terms.flatMap(({ correlations }) => correlations.map((c) => ({ ...c, name: c.names.join(" and ") }))))}
</section>`
}
<section>
<h2>Effects of groups</h2>
<p class="note">Deviation of a group from the fixed effect, with 95% intervals.</p>
${[groups, ...(groups.others ?? [])].map((effects, t) => groupFigures(terms[t], effects, t))}
</section>
<section>
<h2>Sample paths</h2>
<figure>${trusted(linePlot(result.fixed.slice(0, 2).map(({ name }, j) => path(name, draws, j))))}</figure>
<figure>${trusted(linePlot(variancePaths))}</figure>
</section>
<footer>Sparrow ${record.version} · seed ${record.seed} · data checksum <span class="mono">${record.data.checksum}</span></footer>
</main>
</body>
</html>
`;
  return page.text;
}

function opening({ result, record }: Pick<StoredMixed, "result" | "record">): Markup {
  const { rhat, ess } = result.diagnostics;
  const { verdict, notes } = judgement(result);
  const [first, ...rest] = verdict.split(/(?<=\.) /);
  const doubt = result.partial || !verdict.startsWith("No problems");
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · <bdi>${record.data.name.split(/[\\/]/).pop()}</bdi> · ${count(result.rows, "row")} in ${count(result.groups, "group")} · ${result.method}</p>
<h1><bdi>${result.target}</bdi> by <bdi>${result.group}</bdi></h1>
</header>
<div class="verdict${doubt ? " doubt" : ""}" role="status">
${result.partial && html`<p><strong>Partial.</strong> The run was stopped before its end; the numbers are what was sampled so far.</p>`}
<p><strong>${first}</strong> ${rest.join(" ")}</p>
${rhat !== undefined && ess !== undefined && html`<p>R-hat at most ${rhat.toFixed(3)}; at least ${whole(ess)} effective draws.</p>`}
</div>
${[...notes, ...(result.notes ?? [])].map((note) => html`<p class="note">Note: ${note}</p>`)}`;
}

/** The effects of one grouping, a figure for each. */
function groupFigures({ group, names }: MixedTerm, effects: GroupEffects, t: number): Markup {
  const [shown, all] = [Math.min(SHOWN, effects.groups.length), effects.groups.length];
  const file = t === 0 ? "groups.csv" : `groups-${t + 1}.csv`;
  return html`<p class="note"><bdi>${group}</bdi>: ${whole(shown)} of ${count(all, "group")}. All are in ${file}.</p>
${names.map((name, j) => html`<figure>${trusted(caterpillar(name, effects, j, names.length))}</figure>`)}`;
}

function squared(random: GroupCovariance, j: number): Pick<PosteriorSummary, "mean" | "lower" | "upper"> {
  return { mean: random.mean[j][j], lower: random.lower[j][j], upper: random.upper[j][j] };
}

function table(
  rows: readonly ({ readonly name: string } & Pick<PosteriorSummary, "mean" | "lower" | "upper">)[],
): Markup {
  const number = (value: number): string =>
    Number.isFinite(value) ? String(Number(value.toPrecision(4))) : "";
  return html`<div class="scroll"><table>
<tr><th></th><th>mean</th><th>2.5%</th><th>97.5%</th></tr>
${rows.map(
  (e) =>
    html`<tr><td><bdi>${e.name}</bdi></td><td>${number(e.mean)}</td><td>${number(e.lower)}</td><td>${number(e.upper)}</td></tr>\n`,
)}</table></div>`;
}

/** Of the j-th quantity, a line for every chain. */
function path(name: string, { columns }: DrawTable, j: number): Panel {
  const [chain] = columns;
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
}

/** Groups in the order of their effect, each with its interval. */
function caterpillar(name: string, { groups, mean, sd }: GroupEffects, j: number, q: number): string {
  const order = groups.map((_, i) => i).sort((a, b) => mean[a * q + j] - mean[b * q + j]);
  const count = Math.min(SHOWN, order.length);
  const shown = Array.from(
    { length: count },
    (_, k) => order[Math.round((k * (order.length - 1)) / Math.max(1, count - 1))],
  );
  const ends = shown.flatMap((i) => [
    mean[i * q + j] - 1.96 * sd[i * q + j],
    mean[i * q + j] + 1.96 * sd[i * q + j],
  ]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const [width, height] = [1040, 170];
  const y = (value: number): string => (24 + ((high - value) / (high - low || 1)) * (height - 40)).toFixed(1);
  const x = (k: number): string => (60 + ((k + 0.5) / count) * (width - 70)).toFixed(1);
  const marks = shown.map((i, k) => {
    const [centre, half] = [mean[i * q + j], 1.96 * sd[i * q + j]];
    const tip = `<title>${escaped(groups[i])}: ${centre.toPrecision(3)}</title>`;
    return `<g>${tip}<path d="M${x(k)} ${y(centre - half)}V${y(centre + half)}" stroke="#1b6ca8"/><circle cx="${x(k)}" cy="${y(centre)}" r="3" fill="#1b6ca8"/></g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<text x="60" y="14" font-weight="bold">${escaped(name)}</text>`,
    `<path d="M60 ${y(0)}H${width - 10}" stroke="#888" stroke-dasharray="4 3"/>`,
    ...[low, 0, high].map(
      (t) => `<text x="54" y="${Number(y(t)) + 4}" text-anchor="end">${Number(t.toPrecision(2))}</text>`,
    ),
    ...marks,
    "</svg>",
  ].join("");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
