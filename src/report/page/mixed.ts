/** A mixed model as one HTML file that needs nothing else: tables, sample paths and the effects of groups. Pure. */

import type { MixedFit } from "../../mixed/fit.js";
import type { GroupEffects } from "../../mixed/group-effects.js";
import type { Estimate } from "../../mixed/summary.js";
import { linePlot, type Panel } from "./line-plot.js";

/** Groups shown of each random effect: evenly spaced in the order of the effect, so that the ends are there. */
const SHOWN = 60;
const PATH_POINTS = 400;

export function mixedHtml(fit: MixedFit, groups: GroupEffects): string {
  const { result } = fit;
  const count = (value: number): string => value.toLocaleString("en-US");
  const { rhat, ess, warnings } = result.diagnostics;
  const trust =
    rhat !== undefined && ess !== undefined
      ? `<p>R-hat at most ${rhat.toFixed(3)}; at least ${count(Math.round(ess))} effective draws.</p>`
      : "";
  const variance = result.random.sd.map((e, j) => ({ ...squared(result, j), name: e.name }));
  const body = [
    `<h1>${escaped(result.target)} by ${escaped(result.group)}</h1>`,
    `<p>${count(result.rows)} rows in ${count(result.groups)} groups; ${result.method}, seed ${result.seed}.${result.partial ? " <strong>Stopped before its end.</strong>" : ""}</p>`,
    ...warnings.map((warning) => `<p class="warning">${escaped(warning)}</p>`),
    trust,
    "<h2>Fixed effects</h2>",
    table(result.fixed),
    "<h2>Variance components</h2>",
    table([...variance, { name: "(noise)", ...result.noiseVariance }]),
    ...(result.random.correlations.length > 0
      ? [
          "<h2>Correlations of the random effects</h2>",
          table(result.random.correlations.map((c) => ({ ...c, name: c.names.join(" and ") }))),
        ]
      : []),
    "<h2>Effects of groups</h2>",
    `<p>Deviation of a group from the fixed effect, with 95% intervals; ${Math.min(SHOWN, groups.groups.length)} of ${count(groups.groups.length)} groups. All are in groups.csv.</p>`,
    ...result.random.names.map((name, j) => caterpillar(name, groups, j, result.random.names.length)),
    "<h2>Sample paths</h2>",
    linePlot(result.fixed.slice(0, 2).map(({ name }, j) => path(name, fit, j))),
    linePlot([
      path("noise variance", fit, result.fixed.length),
      path(`variance of ${result.random.names[0]}`, fit, result.fixed.length + 1),
    ]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(result.target)} by ${escaped(result.group)}</title>
<style>body{font:15px/1.5 sans-serif;max-width:1060px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse}th,td{text-align:right;padding:.2em .8em;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}.warning{background:#fff3cd;padding:.5em}svg{max-width:100%;height:auto}</style>
</head><body>
${body.join("\n")}
</body></html>
`;
}

function squared({ random }: MixedFit["result"], j: number): Estimate {
  return { mean: random.mean[j][j], sd: Number.NaN, lower: random.lower[j][j], upper: random.upper[j][j] };
}

function table(rows: readonly ({ readonly name: string } & Estimate)[]): string {
  const number = (value: number): string =>
    Number.isFinite(value) ? String(Number(value.toPrecision(4))) : "";
  const cells = rows.map(
    (e) =>
      `<tr><td>${escaped(e.name)}</td><td>${number(e.mean)}</td><td>${number(e.lower)}</td><td>${number(e.upper)}</td></tr>`,
  );
  return `<table><tr><th></th><th>mean</th><th>2.5%</th><th>97.5%</th></tr>${cells.join("")}</table>`;
}

function path(name: string, { draws }: MixedFit, j: number): Panel {
  const every = Math.max(1, Math.ceil(draws[0].length / PATH_POINTS));
  return {
    title: name,
    xLabel: "kept draw",
    yLabel: "",
    series: draws.map((chain, c) => {
      const shown = chain.map((draw, t) => [t, draw[j]] as const).filter(([t]) => t % every === 0);
      return { name: `chain ${c + 1}`, x: shown.map(([t]) => t), y: shown.map(([, value]) => value) };
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
