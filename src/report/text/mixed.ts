/** A mixed model as tables for a terminal. Pure. */

import type { GroupCovariance, MixedResult, MixedTerm } from "../../mixed/result.js";
import { grouped } from "../../wording.js";
import { differsNote, differsWith } from "./differs.js";
import { wrapped } from "./lines.js";
import { judgement } from "./sentences.js";

const LINE_WIDTH = 80;

export function mixedText(result: MixedResult): string {
  const { fixed, diagnostics, formula } = result;
  const { verdict, notes } = judgement(result);
  const lines = [
    formula === undefined
      ? `${grouped(result.rows)} rows in ${grouped(result.groups)} groups of ${result.group}, target ${result.target} (${result.family})`
      : clean(`${grouped(result.rows)} rows, ${formula} (${result.family})`),
    ...(result.partial
      ? ["PARTIAL: the run was stopped before its end; the numbers are what was sampled so far."]
      : []),
    ...wrapped(clean(verdict), LINE_WIDTH),
    "",
    ...(fixed.length > 0
      ? [
          ...aligned([
            ["fixed effect", "mean", "sd", "95% interval"],
            ...fixed.map((e) => [e.name, number(e.mean), number(e.sd), interval(e)]),
          ]),
          "",
        ]
      : []),
    ...randomTable(result),
    ...(diagnostics.rhat !== undefined && diagnostics.ess !== undefined
      ? [
          `R-hat at most ${diagnostics.rhat.toFixed(3)}, at least ${grouped(Math.round(diagnostics.ess))} effective draws (${result.method}).`,
        ]
      : []),
    ...likelihoodLine(result),
    ...wrapped(clean(`Prior: ${result.prior}`), LINE_WIDTH),
    ...[...notes, ...(result.notes ?? [])].flatMap((note) => wrapped(clean(`Note: ${note}`), LINE_WIDTH)),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const likelihoodLine = ({ logLikelihood }: MixedResult): string[] =>
  logLikelihood === undefined
    ? []
    : [`Log likelihood ${logLikelihood.toFixed(2)} at the means, random effects integrated out.`];

/** Of every grouping: standard deviations, whether its levels differ at all, and correlations; the noise comes last. */
function randomTable({ terms, random, noiseVariance }: MixedResult): string[] {
  const all = terms ?? [random];
  const answers = differsNote(all);
  const isCorrelated = all.some(({ names }) => names.length > 1);
  const rows = all.flatMap((term, t): string[][] => {
    const heading = terms && terms[t - 1]?.group !== terms[t].group ? [[levelsOf(terms[t])]] : [];
    const effects = term.sd.map((effect, j) => [
      terms ? `  ${effect.name}` : effect.name,
      number(effect.median),
      interval(effect),
      ...(answers.length > 0 ? [differsWith(term, j)] : []),
      ...term.names.slice(0, j).map((name) => correlationOf(term, name, effect.name)),
    ]);
    return [...heading, ...effects];
  });
  const noise = noiseVariance && [
    "(noise)",
    number(Math.sqrt(noiseVariance.median)),
    interval({ lower: Math.sqrt(noiseVariance.lower), upper: Math.sqrt(noiseVariance.upper) }),
  ];
  return [
    ...aligned([
      [
        terms ? "differs between" : "differs between groups",
        "median sd",
        "95% interval",
        ...(answers.length > 0 ? ["probability"] : []),
        ...(isCorrelated ? ["correlations"] : []),
      ],
      ...rows,
      ...(noise ? [noise] : []),
    ]),
    ...answers.flatMap((sentence) => wrapped(sentence, LINE_WIDTH)),
    "",
  ];
}

const levelsOf = ({ groups, group }: MixedTerm): string => `${grouped(groups)} levels of ${group}`;

function correlationOf({ correlations }: GroupCovariance, one: string, other: string): string {
  return correlations.find(({ names }) => names[0] === one && names[1] === other)?.mean.toFixed(2) ?? "";
}

function number(value: number): string {
  return value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-4)
    ? value.toExponential(2)
    : value.toPrecision(4);
}

const interval = (e: { lower: number; upper: number }): string => `${number(e.lower)} to ${number(e.upper)}`;

/** Names to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) =>
    Math.max(...rows.map((row) => clean(row[c] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, c) => (c === 0 ? clean(cell).padEnd(widths[c]) : clean(cell).padStart(widths[c])))
      .join("  ")
      .trimEnd(),
  );
}

/** Names come from files: control characters must not reach the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const clean = (name: string): string => name.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
