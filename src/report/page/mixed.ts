/** A mixed model as one page that needs nothing else: the verdict, effects, how groups differ, and how the chains went. Pure. */

import type { GroupEffects } from "../../mixed/group-effects.js";
import type { PosteriorSummary } from "../../mixed/summary.js";
import type { StoredMixed } from "../stored-run.js";
import { differsNote, differsWith } from "../text/differs.js";
import { count, whole } from "../text/numbers.js";
import { judgement } from "../text/sentences.js";
import { chainPictures, convergenceTable } from "./chains.js";
import { convergence } from "./convergence.js";
import { html, type Markup } from "./markup.js";
import { settingsTable } from "./method.js";
import {
  type Drawers,
  figure,
  figures,
  minus,
  notesBelow,
  range,
  type Small,
  tableOf,
  verdictBox,
  worded,
} from "./parts.js";
import { densityPlot } from "./plots/density.js";
import { groupsPlot, groupsShown } from "./plots/groups.js";
import { pageHtml, recordFooter } from "./shell.js";

type Result = StoredMixed["result"];

export function mixedHtml(run: StoredMixed, document: Document): string {
  const { result, record } = run;
  const drawers: Drawers = { document };
  return pageHtml({
    title: `${result.target} by ${groupings(result).join(" and ")} · Sparrow`,
    opening: opening(run),
    sections: [
      fixedSection(run, drawers),
      differencesSection(run, drawers),
      groupsSection(run, drawers),
      chainsSection(run, drawers),
      settingsSection(run),
    ],
    footer: recordFooter(record),
  });
}

const groupings = (result: Result): string[] => termsOf(result).map(({ group }) => group);

function termsOf({ terms, random, group, groups }: Result): NonNullable<Result["terms"]> {
  return terms ?? [{ ...random, group, groups }];
}

function opening({ result, record }: StoredMixed): Markup {
  const { rhat, ess } = result.diagnostics;
  const { verdict, notes } = judgement(result);
  const names = groupings(result);
  const of = termsOf(result).map(({ groups }) => whole(groups));
  return html`<header>
<p class="about"><span class="brand">Sparrow</span> · <bdi>${record.data.name.split(/[\\/]/).pop()}</bdi> · ${count(result.rows, "row")} in ${of.length === 1 ? count(result.groups, "group") : `${of.join(" and ")} groups`} · ${result.family} target</p>
<h1><bdi>${result.target}</bdi> by ${names.map((name, i) => html`${i > 0 && " and "}<bdi>${name}</bdi>`)}</h1>
${result.formula !== undefined && html`<p class="mono">${result.formula}</p>`}
</header>
${verdictBox(result.partial ? `Stopped before its end. ${verdict}` : verdict, [
  result.partial && html`<p>The numbers are what was sampled so far.</p>`,
  rhat !== undefined &&
    ess !== undefined &&
    html`<p>R-hat at most ${rhat.toFixed(3)}; at least ${whole(ess)} effective draws.</p>`,
])}
${notesBelow([...notes, ...(result.notes ?? [])])}`;
}

interface Line extends Pick<PosteriorSummary, "mean" | "lower" | "upper"> {
  readonly name: string;
  readonly median?: number;
  /** That groups differ in it at all. */
  readonly probability?: string;
}

function summaryTable(first: string, rows: readonly Line[], what: "mean" | "median"): Markup {
  const isAnswered = rows.some(({ probability }) => probability);
  return tableOf(
    [first, what, "95% interval", ...(isAnswered ? ["probability"] : [])],
    rows.map((row) => [
      row.name,
      minus(row[what] ?? row.mean),
      range(row),
      ...(isAnswered ? [row.probability ?? ""] : []),
    ]),
  );
}

/** Most quantities whose densities are drawn. */
const DENSITIES = 12;

function fixedSection({ result, draws }: StoredMixed, drawers: Drawers): Markup {
  // The index comes first, then the fixed effects in their order.
  const first = draws.names.findIndex((name) => !name.startsWith("."));
  const all = result.fixed.slice(0, DENSITIES).map(({ name }, j): Small => {
    const values = draws.columns[first + j];
    return { title: html`<bdi>${name}</bdi>`, draw: (canvas) => densityPlot(canvas, { name, values }) };
  });
  return html`<section>
<h2>Effects in all groups</h2>
<p>What is common to all groups: the change of <bdi>${result.target}</bdi> for one unit, on the scale of the model.</p>
${summaryTable("effect", result.fixed, "mean")}
${figures(drawers, all, html`What is known of each, from the draws of the chains.`)}
</section>`;
}

function differencesSection({ result, draws }: StoredMixed, drawers: Drawers): Markup {
  const terms = termsOf(result);
  const noise = result.noiseVariance;
  const root = ({ mean, median, lower, upper }: PosteriorSummary): Line => {
    const [m, middle, l, u] = [mean, median, lower, upper].map(Math.sqrt);
    return { name: "noise, within groups", mean: m, median: middle, lower: l, upper: u };
  };
  const rows = [
    ...terms.flatMap((term) =>
      term.sd.map((each, j) => ({
        ...each,
        name: `${each.name} by ${term.group}`,
        probability: differsWith(term, j),
      })),
    ),
    ...(noise ? [root(noise)] : []),
  ];
  const correlations = terms.flatMap((term) =>
    term.correlations.map((c) => ({
      ...c,
      name: `${c.names.join(" and ")}${terms.length > 1 ? ` by ${term.group}` : ""}`,
    })),
  );
  const drawn = draws.names.flatMap((name, c): Small[] => {
    const of = /^var\((.*)\)$/.exec(name)?.[1] ?? (name === "sigma2" ? "noise" : undefined);
    if (of === undefined) return [];
    const values = draws.columns[c].map(Math.sqrt);
    return [
      {
        title: html`sd of <bdi>${of}</bdi>`,
        draw: (canvas) => densityPlot(canvas, { name: of, values, positive: true }),
      },
    ];
  });
  return html`<section>
<h2>How much groups differ</h2>
<p>Standard deviations between groups, in the units of the effect.</p>
${summaryTable("differs", rows, "median")}
${differsNote(terms).map((sentence) => html`<p class="note">${sentence}</p>`)}
${figures(drawers, drawn.slice(0, DENSITIES), html`What is known of each. A hill at zero says that groups may not differ at all; where there is another beside it, the data leave both open.`)}
${
  correlations.length > 0 &&
  html`<h3>Correlations of the effects</h3>
${summaryTable("effects", correlations, "mean")}`
}
${result.logLikelihood !== undefined && html`<p class="note">Log likelihood ${result.logLikelihood.toFixed(2)} at the means, with the random effects integrated out.</p>`}
${result.prior !== undefined && html`<p class="note">Prior: ${worded(result.prior)}</p>`}
</section>`;
}

function groupsSection({ result, groups }: StoredMixed, drawers: Drawers): Markup {
  const all = [groups, ...(groups.others ?? [])];
  const parts = termsOf(result).flatMap(({ names, group }, t) => {
    const effects = all[t];
    return effects
      ? names.map((name, j) => ({ name, group, file: fileOf(t), shown: drawnOf(effects, j, names.length) }))
      : [];
  });
  return html`<section>
<h2>Effects of groups</h2>
<p>How far a group lies from what is common to all, with 95% intervals.</p>
${parts.map(
  ({ name, group, file, shown: { total, shown } }) => html`<h3><bdi>${name}</bdi> by <bdi>${group}</bdi></h3>
${figure(
  drawers,
  (canvas) => groupsPlot(canvas, name, shown),
  html`${shown.length < total ? `The lowest, the highest and some between: ${whole(shown.length)} of ${count(total, "group")}` : `All ${count(total, "group")}`}, in the order of the effect. The numbers are in ${file}.`,
)}`,
)}
</section>`;
}

const fileOf = (term: number): string => (term === 0 ? "groups.csv" : `groups-${term + 1}.csv`);

function drawnOf({ groups, mean, sd }: GroupEffects, j: number, q: number) {
  const effects = groups.map((name, i) => ({ name, mean: mean[i * q + j], sd: sd[i * q + j] }));
  return { total: effects.length, shown: groupsShown(effects) };
}

function chainsSection({ result, draws }: StoredMixed, drawers: Drawers): Markup {
  const rows = convergence(draws);
  return html`<section>
<h2>Convergence</h2>
<p>The numbers come from ${count(rows[0].chains.length, "chain")} (${result.method}). R-hat should be below 1.01 and the effective sample sizes above 100 for each chain.</p>
${convergenceTable(rows)}
${chainPictures(rows, drawers)}
</section>`;
}

function settingsSection({ record }: StoredMixed): Markup {
  return html`<section>
<h2>Data and settings</h2>
<p>${count(record.data.rows, "row")} from <bdi>${record.data.name}</bdi>.</p>
${settingsTable({ seed: record.seed, ...record.settings, ...record.options })}
</section>`;
}
