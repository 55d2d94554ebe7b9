/**
 * The integral of a model's likelihood where there are too many rows to draw coefficients. Columns that bend are rare
 * ones; they share few rows, so that what each makes of the integral by itself (lone-offsets.ts) is added up: work in
 * proportion to their ones. The first model of a run is also integrated by draws, where that can be afforded at all; the
 * difference is the error of them all. Else the whole of what was added is in doubt.
 */

import type { ModelPosterior, SufficientStatistics } from "../posterior/evidence.js";
import type { FixedSlab } from "../posterior/slab.js";
import type { Expansion } from "./expansion.js";
import { type CoefficientPrior, type Integral, integralAt } from "./integral.js";
import { type KnownTables, type LoneLaw, loneLaws } from "./lone-offsets.js";
import type { ModeSettings } from "./mode.js";

export interface ModelAtMode {
  readonly mode: Expansion;
  readonly prior: CoefficientPrior;
  /** The expansion at the mode as statistics. */
  readonly own: SufficientStatistics;
  readonly slab: FixedSlab;
}

/** What models that were integrated by columns have shown. */
export interface Measured {
  /** How far sums over columns were from draws. */
  error?: number;
  readonly tables: KnownTables;
}

/** Pairs of draws by which the sum over columns is checked, and the looks at rows that it may take. */
const PAIRS = 16;
const MOST_LOOKS = 1e8;
/** Looks along an axis. */
const KNOTS = 7;
/** A sum of less is no matter. */
const LITTLE = 0.02;

export async function integralByColumns(
  settings: ModeSettings,
  { mode, prior, own, slab }: ModelAtMode,
  { seed, measured }: { readonly seed: number; readonly measured: Measured },
): Promise<Integral> {
  const members = Array.from(mode.point.columns.keys());
  const place = { expansion: mode, statistics: own, members, slab };
  const laws = await loneLaws(settings, place, measured.tables);
  const log = laws.reduce((sum, { logMass }) => sum + logMass, 0);
  const size = laws.reduce((sum, { logMass }) => sum + Math.abs(logMass), 0);
  const looks = settings.store.layout.rows * (KNOTS * (members.length + 1) + 2 * PAIRS);
  if (measured.error === undefined && size > LITTLE && looks < MOST_LOOKS) {
    const drawn = await integralAt(settings, mode, prior, { seed, pairs: PAIRS });
    measured.error = Math.max(Math.abs(drawn.log - log), drawn.error);
  }
  return { log, error: Math.min(size, measured.error ?? size), moves: 0, laws };
}

/** Gives the coefficients that bend their own means and standard deviations; correlations stay what they are. */
export function bendPosterior({ mean, covariance }: ModelPosterior, laws: readonly LoneLaw[]): void {
  const size = mean.length;
  for (const { place, expanded, mean: at, sd } of laws) {
    mean[place] += at - expanded.mean;
    for (let j = 0; j < size; j++) {
      covariance[place * size + j] *= sd / expanded.sd;
      covariance[j * size + place] *= sd / expanded.sd;
    }
  }
}
