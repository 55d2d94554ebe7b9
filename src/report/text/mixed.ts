/** A mixed model as tables for a terminal. Pure. */

import type { MixedResult } from "../../mixed/result.js";
import { grouped } from "../../wording.js";
import { differsSentence } from "./differs.js";
import { wrapped } from "./lines.js";
import { judgement } from "./sentences.js";

const LINE_WIDTH = 80;

export function mixedText(result: MixedResult): string {
  const { fixed, diagnostics, formula } = result;
  const { verdict, notes } = judgement(result);
  const lines = [
    formula === undefined
      ? `${grouped(result.rows)} rows in ${grouped(result.groups)} groups of ${result.group}, target ${result.target} (${result.method})`
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
    ...randomTables(result),
    ...(diagnostics.rhat !== undefined && diagnostics.ess !== undefined
      ? [
          `R-hat at most ${diagnostics.rhat.toFixed(3)}, at least ${grouped(Math.round(diagnostics.ess))} effective draws.`,
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

/** Standard deviations and correlations, one table a grouping; the noise comes last. */
function randomTables({ terms, random, noiseVariance }: MixedResult): string[] {
  const noise = noiseVariance && [
    "(noise)",
    number(Math.sqrt(noiseVariance.median)),
    interval({ lower: Math.sqrt(noiseVariance.lower), upper: Math.sqrt(noiseVariance.upper) }),
  ];
  const all = terms?.map((term) => ({ ...term, who: `the ${grouped(term.groups)} of ${term.group}` }));
  return (all ?? [{ ...random, who: "groups" }]).flatMap(
    ({ who, names, sd, correlations, differs }, t, { length }) => {
      const correlationOf = (j: number, k: number): string =>
        correlations.find((c) => c.names[0] === names[k] && c.names[1] === names[j])?.mean.toFixed(2) ?? "";
      return [
        ...aligned([
          [
            `differs between ${who}`,
            "median sd",
            "95% interval",
            ...(names.length > 1 ? ["correlations"] : []),
          ],
          ...sd.map((e, j) => [
            e.name,
            number(e.median),
            interval(e),
            ...names.slice(0, j).map((_, k) => correlationOf(j, k)),
          ]),
          ...(noise && t === length - 1 ? [noise] : []),
        ]),
        ...differsSentence(differs, who).flatMap((sentence) => wrapped(clean(sentence), LINE_WIDTH)),
        "",
      ];
    },
  );
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
