/** The result for a terminal: the answer first, then the table, then what the numbers are worth. Pure. */

import type { FitResult, VariableSummary } from "../../selection/answer/result.js";
import { asFlag } from "../../wording.js";
import { missingSentences } from "../page/missing.js";
import { displayWidth, shortened } from "./display-width.js";
import { wrapped } from "./lines.js";
import { count, effect, probability } from "./numbers.js";
import { scoresText } from "./prediction.js";
import {
  beyondSentence,
  capital,
  certificateSentence,
  conclusion,
  dataNotes,
  discoverySentence,
  exactness,
  judgement,
  priorSentence,
  searchSentences,
  sizeSentence,
  substituteSentences,
} from "./sentences.js";

/** Unselected variables shown below the selected ones. */
const RUNNERS_UP = 5;
const MIN_SHOWN = 8;
const MAX_SELECTED = 60;
const NAME_WIDTH = 32;
const LINE_WIDTH = 80;
const BAR = 10;
/** Errors below this do not show in three digits. */
const VISIBLE_ERROR = 0.0005;

export function resultText(result: FitResult): string {
  const { rows, columns, target, variables, family } = result;
  const selected = variables.filter((variable) => variable.selected);
  const shown = variables
    .slice(0, Math.max(Math.min(selected.length, MAX_SELECTED) + RUNNERS_UP, MIN_SHOWN))
    .filter((variable) => variable.selected || variable.pip > 0);
  const { verdict, notes } = judgement(result);
  const worth = exactness(result);
  const searched = searchSentences(result);
  const after = [
    sizeSentence(result),
    ...substituteSentences(result),
    discoverySentence(result),
    priorSentence(result),
    certificateSentence(result),
    beyondSentence(result),
    `${capital(worth.kind)}: ${worth.sentence}`,
    searched.length > 0 ? `Search: ${searched.join(" ")}` : undefined,
    ...missingSentences(result),
    ...[...notes, ...dataNotes(result)].map((note) => `Note: ${note}`),
  ];
  const lines = [
    `${count(rows, "row")}, ${count(columns, "variable")}, target ${clean(target)} (${family})`,
    "",
    ...wrapped(clean(conclusion(result)), LINE_WIDTH),
    ...wrapped(clean(verdict), LINE_WIDTH),
    "",
    ...table(shown, unsettled(result)),
    ...more(selected.length),
    "",
    ...after.flatMap((sentence) => (sentence ? wrapped(clean(sentence), LINE_WIDTH) : [])),
    ...holdoutLines(result),
  ];
  return `${lines.join("\n")}\n`;
}

function holdoutLines({ holdout }: FitResult): string[] {
  if (!holdout) return [];
  const scores = scoresText({ average: holdout.average, median: holdout.median }).trimEnd().split("\n");
  return ["", `Predictions for the ${count(holdout.rows, "row")} that were held out:`, ...scores];
}

function more(selected: number): string[] {
  const hidden = selected - MAX_SELECTED - RUNNERS_UP;
  return hidden > 0
    ? [`   and ${count(hidden, "more selected variable")}; ${asFlag("json")} and ${asFlag("out")} hold all`]
    : [];
}

/** Variables that another prior would select or not. */
function unsettled({ prior }: FitResult): ReadonlySet<string> {
  return new Set(prior?.variables.filter(({ flips }) => flips).map(({ name }) => name));
}

function table(variables: readonly VariableSummary[], doubted: ReadonlySet<string>): string[] {
  if (variables.length === 0) return [];
  const errors = variables.some(({ pipError }) => pipError >= VISIBLE_ERROR);
  const lowest = Math.max(...variables.map(({ lower }) => effect(lower).length));
  const head = ["", "variable", "probability", ...(errors ? ["±"] : []), "", "effect", "95% interval"];
  const body = variables.map((v) => [
    (v.selected ? "*" : " ") + (doubted.has(v.name) ? "?" : ""),
    shortened(clean(v.name), NAME_WIDTH),
    probability(v.pip),
    ...(errors ? [v.pipError >= VISIBLE_ERROR ? v.pipError.toFixed(3) : ""] : []),
    bar(v.pip),
    effect(v.mean),
    `${effect(v.lower).padStart(lowest)} to ${effect(v.upper)}`,
  ]);
  const rows = [head, ...body];
  const widths = head.map((_, c) => Math.max(...rows.map((row) => displayWidth(row[c]))));
  const right = (c: number): boolean => c === 2 || c === head.length - 2;
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const pad = " ".repeat(widths[c] - displayWidth(cell));
        return right(c) ? pad + cell : cell + pad;
      })
      .join("  ")
      .trimEnd(),
  );
}

function bar(share: number): string {
  const eighths = Math.round(share * BAR * 8);
  const part = " ▏▎▍▌▋▊▉"[eighths % 8];
  return ("█".repeat(Math.floor(eighths / 8)) + (eighths % 8 ? part : "")).padEnd(BAR);
}

/** Names come from files: control characters must not reach the terminal. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}
