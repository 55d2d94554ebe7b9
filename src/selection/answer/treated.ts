/**
 * What an answer owes to missing predictors that were done away with.
 *
 * Where a mean stands for a share m_j of x_j, chosen by chance, the rest m_j of β_j x_j falls to the columns that x_j
 * goes along with. With c_j = ⟨x_k, x_j missing⟩, which is m_j/(1 − m_j) times ⟨x_k, x_j⟩ for every other k and
 * nothing for k = j, least squares estimates are off by
 *
 *     Σ_j β_j G⁻¹c_j = Σ_j β_j m_j/(1 − m_j) (e_j − G_jj G⁻¹e_j),   G = ⟨x_k, x_l⟩ of what stands in the store,
 *
 * where of a category, whose most frequent level is no mean, the constant takes part of it: G_jj has x̄_j² beside it.
 */

import { backSolve, cholesky, forwardSolve } from "../../math/linear.js";
import type { FitOptions } from "../../options/fit.js";
import type { Encoding } from "../../store/layout/encoding.js";
import type { Apart, Store, Treated } from "../../store/store.js";
import { namesText } from "../../tables/judge/remarks.js";
import { grouped, option } from "../../wording.js";
import { MOST_COMPARED, standardised } from "../data/dependencies.js";
import type { Screen } from "../data/screen.js";
import type { VariableSummary } from "./result.js";

/** Rows that can be read: all of them, or those at hand. */
interface Ground {
  readonly store: Store;
  readonly screen: Screen;
}

interface Asked extends Pick<FitOptions, "missing" | "preset" | "slab"> {
  readonly isDatabase?: boolean;
}

/** In posterior deviations: an interval of 95% that is off by half of one covers in 92%. */
const MOVED = 0.5;
/** Standard deviations of a 95% interval to either side. */
const HALF = 1.96;

/** Problems, in sentences. */
export function treatmentConcerns(
  { store, screen }: Ground,
  treated: Treated | undefined,
  variables: readonly VariableSummary[],
  asked: Asked,
): string[] {
  if (treated?.rule === "drop") return targetsConcern(treated.apart);
  if (treated?.rule !== "mean") return [];
  const moved = movedBy({ store, screen }, treated.shares, variables);
  if (!moved || moved.by < MOVED) return [];
  const { name, by, columns } = moved;
  const most = Math.round(100 * Math.max(...columns.map((column) => treated.shares[column])));
  return [
    `Means stand in the holes of ${namesText(columns)} (up to ${Math.max(1, most)}% of the values), which moves the effect of ${name} by about ${by.toPrecision(2)} of its standard deviations: intervals are off by as much, and what goes along with those columns may be selected in their place. ${remedy(asked, store.record.source)}`,
  ];
}

/** What else there is, for a file, a store that was imported so, and those who cannot draw anything. */
function remedy({ missing, preset, slab, isDatabase }: Asked, source: string): string {
  const drop = option("missing", "drop");
  if (isDatabase || preset === "paper" || slab === "zellner") return `Leave such rows out with ${drop}.`;
  return missing === undefined
    ? `Fit ${source} itself, where holes are drawn along with the model, or import it with ${drop}.`
    : `Leave ${option("missing", "mean")} out to have holes drawn along with the model, or leave such rows out with ${drop}.`;
}

/** Said where most rows are gone, although nothing is wrong. */
const FEW_LEFT = 0.5;

export function treatmentRemarks(treated: Treated | undefined): string[] {
  if (treated?.rule !== "drop" || treated.kept >= FEW_LEFT * treated.rows) return [];
  const { rows, kept } = treated;
  return [
    `Only ${grouped(kept)} of ${grouped(rows)} rows have no holes, and the others were left out: drawing holes along with the model, without ${option("missing", "drop")}, would use all of them.`,
  ];
}

/** In standard deviations, and how sure: what is smaller is seldom worth a word, what is less sure may be chance. */
const DIFFERENT = 0.2;
const SURE = 4;

function targetsConcern(apart: Apart | undefined): string[] {
  if (!apart || Math.abs(apart.by) < DIFFERENT || Math.abs(apart.by) < SURE * apart.error) return [];
  return [
    `Rows with holes, which were left out, are not like the others: the target differs by ${Math.abs(apart.by).toPrecision(2)} of its standard deviations. Unless other columns explain that, effects are biased: leave ${option("missing", "drop")} out to have holes drawn along with the model.`,
  ];
}

/** The selected variable whose effect is moved most, and the columns whose holes are behind it all. */
function movedBy(
  { store, screen }: Ground,
  shares: Readonly<Record<string, number>>,
  variables: readonly VariableSummary[],
): { name: string; by: number; columns: string[] } | undefined {
  const at = new Map(store.names.map((name, j) => [name, j]));
  const selected = variables.filter(({ selected: is }) => is).slice(0, MOST_COMPARED);
  const places = selected.map(({ name }) => at.get(name)!);
  const origin = origins(store.record.encoding);
  const share = places.map((j) => shares[origin[j].column] ?? 0);
  if (share.every((m) => m === 0)) return undefined;
  const p = places.length;
  const factor = correlations({ store, screen }, places);
  const moved = new Float64Array(p);
  share.forEach((m, k) => {
    if (m === 0) return;
    const j = places[k];
    const effect = (selected[k].meanIfIncluded * screen.sd[j] * m) / (1 - m);
    const constant = origin[j].isLevel ? ((screen.mean[j] + store.shift[j]) / screen.sd[j]) ** 2 : 0;
    const column = new Float64Array(p);
    column[k] = 1;
    forwardSolve(factor, p, column);
    backSolve(factor, p, column);
    for (let i = 0; i < p; i++) moved[i] -= effect * (1 + constant) * column[i];
    moved[k] += effect;
  });
  const by = selected.map(({ lowerIfIncluded, upperIfIncluded }, k) => {
    const deviation = (screen.sd[places[k]] * (upperIfIncluded - lowerIfIncluded)) / (2 * HALF);
    return deviation > 0 ? Math.abs(moved[k]) / deviation : 0;
  });
  const worst = by.indexOf(Math.max(...by));
  const columns = [...new Set(places.map((j) => origin[j].column))].filter((column) => shares[column] > 0);
  return { name: selected[worst].name, by: by[worst], columns };
}

/** Of every variable: its column, and whether it is one of the levels of a category. */
function origins({ columns }: Encoding): { readonly column: string; readonly isLevel: boolean }[] {
  return columns.flatMap((code) => {
    const isLevel = code.kind === "text";
    return Array.from({ length: isLevel ? code.levels.length : 1 }, () => ({ column: code.column, isLevel }));
  });
}

/** Products of standardised columns, for the correlations: about a tenth of a second's worth. */
const WORK = 1e8;

/** The factor of the correlations of some columns, over some of the rows. */
function correlations({ store, screen }: Ground, places: readonly number[]): Float64Array {
  const p = places.length;
  const rows = Math.min(store.layout.rows, Math.max(2 * p, Math.floor(WORK / p ** 2)));
  const values = standardised(store, screen, places, rows);
  const matrix = new Float64Array(p * p);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += values[i][r] * values[j][r];
      matrix[i * p + j] = sum / rows;
    }
  }
  const factor = matrix.slice();
  // Columns that say the same have no effects of their own.
  for (let ridge = 1e-9; !cholesky(factor, p); ridge *= 10) {
    factor.set(matrix);
    for (let j = 0; j < p; j++) factor[j * (p + 1)] += ridge;
  }
  return factor;
}
