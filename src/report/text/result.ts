/** The result for a terminal: the answer first, then the table, then what the numbers are worth. Pure. */

import type { FitResult } from "../../selection/answer/result.js";
import { asFlag } from "../../wording.js";
import { missingSentences } from "../page/missing.js";
import { clean, wrapped } from "./lines.js";
import { count } from "./numbers.js";
import { scoresSentence, scoresText } from "./prediction.js";
import { paper, type Screen } from "./screen.js";
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
import { variablesTable } from "./variables-table.js";

/** Unselected variables shown below the selected ones. */
const RUNNERS_UP = 5;
const MIN_SHOWN = 8;
const MAX_SELECTED = 60;
/** Longer lines are hard to read. */
const LONGEST_LINE = 100;

export function resultText(result: FitResult, screen: Screen = paper): string {
  const { rows, columns, target, variables, family } = result;
  const selected = variables.filter((variable) => variable.selected);
  const shown = variables
    .slice(0, Math.max(Math.min(selected.length, MAX_SELECTED) + RUNNERS_UP, MIN_SHOWN))
    .filter((variable) => variable.selected || variable.pip > 0);
  const { verdict, notes } = judgement(result);
  const worth = exactness(result);
  const searched = searchSentences(result);
  const prior = priorSentence(result, ", marked with a question mark");
  const after = [
    sizeSentence(result),
    ...substituteSentences(result),
    discoverySentence(result),
    scoresSentence(result),
    prior && `Prior: ${prior}`,
    certificateSentence(result),
    beyondSentence(result),
    `${capital(worth.kind)}: ${worth.sentence}`,
    searched.length > 0 ? `Search: ${searched.join(" ")}` : undefined,
    ...missingSentences(result),
    ...[...notes, ...dataNotes(result)].map((note) => `Note: ${note}`),
  ];
  const { ink } = screen;
  const width = Math.min(screen.width, LONGEST_LINE);
  const paragraph = (text: string): string[] => wrapped(clean(text), width);
  const trusted = verdict.startsWith("No problems") ? ink.good : ink.doubtful;
  const lines = [
    `${count(rows, "row")}, ${count(columns, "variable")}, target ${clean(target)} (${family})`,
    "",
    ...paragraph(conclusion(result)).map(ink.strong),
    ...paragraph(verdict).map(trusted),
    "",
    ...variablesTable(shown, unsettled(result), screen),
    ...more(selected.length),
    "",
    ...after.flatMap((sentence) => (sentence ? paragraph(sentence) : [])),
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
