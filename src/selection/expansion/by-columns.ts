/**
 * The integral of a model's likelihood where there are too many rows to draw coefficients. Columns that bend are rare
 * ones; they share few rows, so that what each makes of the integral by itself (lone-offsets.ts) is added up: work in
 * proportion to their ones. The first model of a run is also integrated by draws, where that can be afforded at all; the
 * difference is the error of them all. Else the whole of what was added is in doubt. Models with two columns that bend
 * and share most of their rows, as one within the other does, are always drawn where that can be afforded.
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
/**
 * Columns that are correlated by more than this are not to be looked at each by itself, where the standard deviation of a
 * coefficient moves the linear predictor of a row by so much.
 */
const ENTANGLED = 0.4;
const FAR = 0.5;
/** Draws of such, as far as looks go; else their sum is off by about this. */
const MOST_PAIRS = 512;
const UNKNOWN = 0.3;

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
  const { rows } = settings.store.layout;
  const looks = rows * (KNOTS * (members.length + 1) + 2 * PAIRS);
  if (areEntangled(settings, { mode, own }, laws)) {
    if (looks >= MOST_LOOKS) return { log, error: size + UNKNOWN, moves: 0, laws };
    const pairs = Math.min(MOST_PAIRS, PAIRS + Math.floor((MOST_LOOKS - looks) / (2 * rows)));
    return integralAt(settings, mode, prior, { seed, pairs });
  }
  if (measured.error === undefined && size > LITTLE && looks < MOST_LOOKS) {
    const drawn = await integralAt(settings, mode, prior, { seed, pairs: PAIRS });
    measured.error = Math.max(Math.abs(drawn.log - log), drawn.error);
  }
  return { log, error: Math.min(size, measured.error ?? size), moves: 0, laws };
}

/** Whether two columns share so many rows that they bend together, although neither may by itself. */
function areEntangled(
  { tallest }: ModeSettings,
  { mode, own: { gram, size } }: Pick<ModelAtMode, "mode" | "own">,
  laws: readonly LoneLaw[],
): boolean {
  const loose = laws
    .filter(({ place, expanded }) => expanded.sd * tallest(mode.point.columns[place]) > FAR)
    .map(({ place }) => place);
  const at = (i: number, j: number): number => gram[i * size + j];
  return loose.some((i, a) =>
    loose.slice(0, a).some((j) => Math.abs(at(i, j)) > ENTANGLED * Math.sqrt(at(i, i) * at(j, j))),
  );
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
