/**
 * The path of a penalised Gaussian fit,
 *
 *     (1/2N) Σ (y_i − β₀ − x_i'β)² + Σ_j P_λ(β_j)
 *
 * on columns and target of standard deviation one, as glmnet poses it: λ is reported on the scale of the target.
 * (So the quadratic part of the elastic net is λ/sd(y)·½(1 − α)β², as in glmnet.)
 *
 * The gradient of every variable is kept exactly, by the cross-products of those that ever entered; so the
 * conditions of Karush, Kuhn and Tucker are checked for all variables at every λ without looking at the data, and
 * nothing is ever screened away wrongly. The data are read only for the cross-products of newcomers. Of those the
 * strong rule (Tibshirani et al. 2012), |gradient| ≥ 2λ_k − λ_{k−1}, says which are worth fetching along.
 */

import { SparrowError } from "../../errors.js";
import type { GramSource, Sums } from "../gram-source.js";
import { descend, WorkingSet } from "./descent.js";
import {
  lambdaSequence,
  minRatio,
  PATH_DEFAULTS,
  type Path,
  type PathPoint,
  type PathSettings,
  pathEnds,
} from "./path.js";

/** Columns are fetched by the multiple of this, since the kernel takes them four at a time. */
const FETCH = 8;
/** The next fetch against what is there: passes for a few columns wait for memory, and too many may never be needed. */
const GROWTH = 1 / 4;

/** All rows but those of `without`. */
export async function gaussianPath(
  source: GramSource,
  settings: PathSettings,
  without?: number,
): Promise<Path> {
  const given = { ...PATH_DEFAULTS, ...settings };
  const { penalty, tolerance, maxSize = Number.POSITIVE_INFINITY } = given;
  const fit = new GaussianFit(source, given.standardize, given.intercept, without);
  const { columns } = source;
  const { gradient, targetScale } = fit;
  const largest =
    gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 0) / Math.max(penalty.entry, 1e-3);
  const lambdas = settings.lambdas
    ? Float64Array.from(settings.lambdas, (lambda) => lambda / targetScale)
    : lambdaSequence(largest, minRatio(settings, fit.rows, columns), given.count);

  const points: PathPoint[] = [];
  let rounds = 0;
  let before = 0;
  for (let step = 0; step < lambdas.length; step++) {
    settings.signal?.throwIfAborted();
    const lambda = lambdas[step];
    const strong = step === 0 ? lambda : 2 * lambda - lambdas[step - 1];
    for (let first = true; ; first = false) {
      const entering = fit.outsidersAbove(penalty.slope(0, lambda));
      if (entering.length === 0 && !first) break;
      const fetched = entering.filter((j) => !source.has(j));
      if (fetched.length > 0) await source.load(withCompany(fit, fetched, penalty.entry * strong));
      // Those that will probably enter and cost no pass come along: fewer rounds end with newcomers.
      const company = first ? fit.outsidersAbove(penalty.entry * strong).filter((j) => source.has(j)) : [];
      for (const j of new Set([...entering, ...company])) fit.enter(j);
      const took = descend(fit.set, { penalty, lambda, tolerance });
      if (took < 0) {
        throw new SparrowError(
          `The ${penalty.name} path did not converge at λ = ${lambda * targetScale}; leave out columns that are copies of others.`,
        );
      }
      rounds += took;
      fit.settle();
    }
    const point = fit.point(lambda);
    if (point.variables.length > maxSize) break;
    points.push(point);
    if (!settings.lambdas && penalty.convex && pathEnds(point.devianceRatio, before, points.length, true))
      break;
    before = point.devianceRatio;
  }
  return { points, rounds };
}

/** Fills up a fetch with the outsiders that are nearest to entering. */
function withCompany(fit: GaussianFit, wanted: readonly number[], strong: number): number[] {
  const size = FETCH * Math.ceil(Math.max(wanted.length, GROWTH * fit.set.size) / FETCH);
  const taken = new Set(wanted);
  const near = fit.outsidersAbove(strong).filter((j) => !taken.has(j) && !fit.source.has(j));
  near.sort((a, b) => Math.abs(fit.gradient[b]) - Math.abs(fit.gradient[a]));
  return [...wanted, ...near.slice(0, size - wanted.length)];
}

/** The quadratic in standard units, with as much of its matrix as has been needed. */
class GaussianFit {
  readonly rows: number;
  readonly targetScale: number;
  /** (1/N)·x_j'(y − Xβ) for all variables, in standard units. */
  readonly gradient: Float64Array;
  readonly set = new WorkingSet();
  private readonly members: number[] = [];
  private readonly place: Int32Array;
  private readonly sums: Sums;
  private readonly cross: Float64Array;
  private readonly scale: Float64Array;
  /** x_j = u_j + away_j before scaling. */
  private readonly away: Float64Array;
  private settled = new Float64Array(0);

  constructor(
    readonly source: GramSource,
    standardize: boolean,
    private readonly intercept: boolean,
    private readonly without: number | undefined,
  ) {
    const { columns, shift } = source;
    const sums = without === undefined ? source.total : difference(source.total, source.folds[without]);
    const { rows } = sums;
    this.sums = sums;
    this.rows = rows;
    const variance = sums.squares.map((square, k) => Math.max(0, square / rows - (sums.sum[k] / rows) ** 2));
    // Rounding leaves a constant column with a tiny variance.
    const constant = (k: number): boolean => variance[k] <= 1e-12 * (sums.squares[k] / rows);
    this.away = sums.sum.map((sum, k) => (intercept ? -sum / rows : shift[k]));
    this.scale = variance.map((v, k) =>
      constant(k) ? Number.POSITIVE_INFINITY : standardize ? Math.sqrt(v) : 1,
    );
    const targetSquares = this.raw(sums.squares[columns], columns, columns) / rows;
    if (!(targetSquares > 0)) throw new SparrowError("The target is constant; there is nothing to explain.");
    this.targetScale = Math.sqrt(targetSquares);
    this.cross = Float64Array.from(
      { length: columns },
      (_, k) => this.raw(sums.target[k], k, columns) / (rows * this.scale[k] * this.targetScale),
    );
    this.gradient = this.cross.slice();
    this.place = new Int32Array(columns).fill(-1);
  }

  /** Σ (u_j + a_j)(u_k + a_k) from Σ u_j·u_k. */
  private raw(product: number, j: number, k: number): number {
    const { away, rows } = this;
    const { sum } = this.sums;
    return product + away[j] * sum[k] + away[k] * sum[j] + rows * away[j] * away[k];
  }

  private product(j: number, k: number): number {
    const all = this.source.column(j)[k];
    return this.without === undefined ? all : all - this.source.column(j, this.without)[k];
  }

  outsidersAbove(threshold: number): number[] {
    const found: number[] = [];
    // A gradient that equals the threshold but for rounding is no reason to enter.
    const limit = threshold * (1 + 1e-12);
    for (let j = 0; j < this.gradient.length; j++) {
      if (this.place[j] < 0 && Math.abs(this.gradient[j]) > limit) found.push(j);
    }
    return found;
  }

  enter(j: number): void {
    const { members, scale, rows } = this;
    const row = new Float64Array(members.length + 1);
    for (let i = 0; i <= members.length; i++) {
      const k = i < members.length ? members[i] : j;
      row[i] = this.raw(this.product(j, k), j, k) / (rows * scale[j] * scale[k]);
    }
    this.place[j] = members.length;
    members.push(j);
    this.set.append(row, this.gradient[j], 0);
  }

  /** Brings the gradient of the outsiders up to what the members' coefficients have become. */
  settle(): void {
    const { members, set, scale, away, rows, gradient, source, without } = this;
    const { sum } = this.sums;
    const outsiders = this.outsidersAbove(Number.NEGATIVE_INFINITY);
    const change = new Float64Array(outsiders.length);
    const add = (d: number, products: Float64Array): void => {
      for (let o = 0; o < change.length; o++) change[o] += d * products[outsiders[o]];
    };
    let a = 0;
    let b = 0;
    for (let i = 0; i < members.length; i++) {
      const delta = set.beta[i] - (this.settled[i] ?? 0);
      if (delta === 0) continue;
      const j = members[i];
      const d = delta / scale[j];
      a += d * away[j];
      b += d * (sum[j] + rows * away[j]);
      add(d, source.column(j));
      if (without !== undefined) add(-d, source.column(j, without));
    }
    outsiders.forEach((k, o) => {
      gradient[k] -= (change[o] + a * sum[k] + b * away[k]) / (rows * scale[k]);
    });
    for (let i = 0; i < members.length; i++) gradient[members[i]] = set.gradient[i];
    this.settled = set.beta.slice(0, members.length);
  }

  point(lambda: number): PathPoint {
    const { members, set, scale, away, targetScale, source } = this;
    const nonzero = members.map((j, i) => ({ j, i })).filter(({ i }) => set.beta[i] !== 0);
    nonzero.sort((one, other) => one.j - other.j);
    let explained = 0;
    let intercept = -away[source.columns];
    const values = Float64Array.from(nonzero, ({ j, i }) => {
      explained += set.beta[i] * (this.cross[j] + set.gradient[i]);
      const value = (set.beta[i] * targetScale) / scale[j];
      intercept += value * away[j];
      return value;
    });
    // The stored numbers lack the shift: β₀ = (ȳ + shift_y) − Σ β_j(ū_j + shift_j).
    intercept += source.shift[source.columns];
    nonzero.forEach(({ j }, i) => {
      intercept -= values[i] * source.shift[j];
    });
    return {
      lambda: lambda * targetScale,
      intercept: this.intercept ? intercept : 0,
      variables: Uint32Array.from(nonzero, ({ j }) => j),
      values,
      devianceRatio: explained,
    };
  }
}

function difference(all: Sums, part: Sums): Sums {
  const less = (a: Float64Array, b: Float64Array) => a.map((value, i) => value - b[i]);
  return {
    rows: all.rows - part.rows,
    sum: less(all.sum, part.sum),
    squares: less(all.squares, part.squares),
    target: less(all.target, part.target),
  };
}
