/**
 * How much more the responses vary than their family allows, given the median-probability model: Pearson's
 *
 *     φ = Σ (y − μ)² / V(μ) / (N − k),   which is 1 ± √(2/N) for Poisson counts (McCullagh and Nelder 1989, section 4.5).
 *
 * Probabilities and intervals trust the data φ times too much.
 */

import type { Family } from "../../families/family.js";
import { familyNamed } from "../../families/register.js";
import type { Predictor } from "../../prediction/predictor.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

export function dispersion(store: Store, { variables, centre, median, family: name }: Predictor): number {
  const family = familyNamed(name);
  const { layout, kernels, shift } = store;
  const numbers = new Float32Array(kernels.memory.buffer);
  const at = new Map(store.names.map((name, j) => [name, j]));
  const terms = median.members.map((k, i) => {
    const column = at.get(variables[k])!;
    return { column, slope: median.mean[i], centre: centre[k] - shift[column] };
  });
  const eta = new Float64Array(layout.stride);
  let sum = 0;
  for (let b = 0; b < layout.blocks; b++) {
    const n = rowsIn(layout, b);
    eta.fill(median.intercept);
    for (const term of terms) {
      const from = store.run(b, term.column) / 4;
      for (let i = 0; i < n; i++) eta[i] += term.slope * (numbers[from + i] - term.centre);
    }
    const from = store.run(b, layout.columns) / 4;
    for (let i = 0; i < n; i++) {
      const mean = family.inverseLink(eta[i]);
      sum += (numbers[from + i] + shift[layout.columns] - mean) ** 2 / family.variance(mean);
    }
  }
  return sum / Math.max(1, layout.rows - terms.length - 1);
}

/** Counts that vary more than this, and more than chance lets Poisson counts, are worth a word. */
const NOTABLE = 1.3;

export function dispersionNotes(store: Store, { words }: Family, predictor: () => Predictor): string[] {
  if (!words.overdispersed) return [];
  const found = dispersion(store, predictor());
  if (!(found > NOTABLE && found > 1 + 5 * Math.sqrt(2 / store.layout.rows))) return [];
  return [words.overdispersed(Number(found < 10 ? found.toFixed(1) : found.toPrecision(2)))];
}
