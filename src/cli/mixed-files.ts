/** The files of the run of a mixed model: those of any run, and the effects of its groups. */

import { DRAW_INDEX, type DrawTable } from "../draws/posterior-draws.js";
import { type FileContent, writeNew } from "../files/whole.js";
import type { GroupEffects } from "../mixed/group-effects.js";
import type { MixedRun } from "../mixed/mixed-table.js";
import type { MixedOptions } from "../mixed/options.js";
import { mixedPage } from "../node/pages.js";
import { furtherGroups } from "../node/read-run.js";
import type { FormulaPredictor } from "../prediction/formula-predictor.js";
import type { MixedPredictor } from "../prediction/mixed-predictor.js";
import { runRecord } from "../report/run-record.js";
import { pretty, writeDraws } from "./run-files.js";

export function mixedFiles(run: MixedRun, options: Partial<MixedOptions>): Record<string, FileContent> {
  const { timing, ...result } = run.result;
  const groups = asWritten(run.effects());
  const record = runRecord(options, { ...run, draws: "chains" });
  const draws = drawsOf(run);
  const model = run.predictor();
  return {
    "summary.json": pretty(result),
    "run.json": pretty(record),
    ...(fitsIntoJson(model) && { "model.json": `${JSON.stringify(model)}\n` }),
    "draws.parquet": (path) => writeDraws(draws, path),
    "draws.csv": drawsCsv(run),
    "groups.csv": groupsCsv(groups, result.random.names),
    ...otherGroups(groups, result.terms?.slice(1) ?? []),
    "timing.json": pretty(timing),
    "report.html": async (path) => writeNew(path, await mixedPage({ result, record, draws, groups })),
  };
}

/** The layout of `drawTable`, whose names for coefficients and noise these are, too. */
function drawsOf({ names, draws, result }: MixedRun): DrawTable {
  const rows = draws.flat();
  const place = draws.flatMap((chain, c) => chain.map((_, t) => [c + 1, t + 1]));
  const p = result.fixed.length;
  const noise = result.noiseVariance !== undefined;
  const spelt = names.map((name, j) =>
    j >= p
      ? j === p && noise
        ? "sigma2"
        : name
      : name === result.fixed[0].name && isIntercept(name)
        ? "intercept"
        : `b_${name}`,
  );
  return {
    names: [...DRAW_INDEX, ...spelt],
    columns: [
      Float64Array.from(place, ([chain]) => chain),
      Float64Array.from(place, ([, iteration]) => iteration),
      Float64Array.from(place, (_, i) => i + 1),
      ...names.map((_, j) => Float64Array.from(rows, (draw) => draw[j])),
    ],
  };
}

/** What the column of ones is called, however the model was made. */
const isIntercept = (name: string): boolean => name === "(intercept)" || name === "intercept";

/** One file for each further grouping of a formula. */
function otherGroups(
  { others = [] }: GroupEffects,
  terms: NonNullable<MixedRun["result"]["terms"]>,
): Record<string, FileContent> {
  return Object.fromEntries(
    others.map((effects, t) => [furtherGroups(t), groupsCsv(effects, terms[t].names)]),
  );
}

/** The longest text that Node holds is 512 MB; a number takes up to 14 characters. */
const MOST_NUMBERS = 35e6;

function fitsIntoJson(predictor: MixedPredictor | FormulaPredictor): boolean {
  if (predictor.format === "sparrow-formula-predictor") return true;
  const { groups } = predictor;
  return groups.mean.length + groups.covariance.length + groups.onFixed.length <= MOST_NUMBERS;
}

const quoted = (name: string): string => (/[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function drawsCsv({ names, draws }: MixedRun): string {
  const lines = [["chain", ...names].map(quoted).join(",")];
  for (const [chain, path] of draws.entries()) {
    for (const draw of path) lines.push([chain + 1, ...draw].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const DIGITS = 6;

/** As they come back from the file, so that a page that is made again is the same page. */
function asWritten({ groups, mean, sd, others, ...rest }: GroupEffects): GroupEffects {
  const rounded = (values: Float64Array) => values.map((value) => Number(value.toPrecision(DIGITS)));
  const further = others && { others: others.map(asWritten) };
  return { ...rest, ...further, groups, mean: rounded(mean), sd: rounded(sd) };
}

function groupsCsv({ groups, mean, sd }: GroupEffects, names: readonly string[]): string {
  const q = names.length;
  const lines = [["group", ...names.flatMap((name) => [name, `sd(${name})`])].map(quoted).join(",")];
  for (const [i, group] of groups.entries()) {
    const numbers = names.flatMap((_, j) =>
      [mean[i * q + j], sd[i * q + j]].map((value) => value.toPrecision(DIGITS)),
    );
    lines.push([quoted(group), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}
