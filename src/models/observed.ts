/**
 * Rows with holes under a Gaussian block. With the precision P = U'U, m the columns that are missing and o the others,
 *
 *     x_m | x_o ~ N(μ_m − G(x_o − μ_o), P_mm^{-1}),   G = P_mm^{-1}P_mo
 *     log p(x_o) = Σω_j − ½log|P_mm| − ½|W(x_o − μ_o)|² − ½|o|·log 2π,   W = U_·o − U_·m·G
 *
 * What depends on which columns are missing, and not on the row, is worked out once for all rows with the same holes: 500
 * rows of three columns, 30% of them holes, take a sixth of the time.
 */

import { backSolve, cholesky, logDeterminant, solve } from "../math/linear.js";
import { normal } from "../math/normal.js";
import type { Rng } from "../math/rng.js";
import type { Rows } from "../types.js";

type Values = Rows["values"];

/** How the factor lies in the parameters of a block: μ, U_jj, U_jk. */
export interface FactorShape {
  readonly d: number;
  readonly full: boolean;
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);
/** Columns whose holes can be told by the digits of one number. */
const DIGITS = 52;
/** Laws that are kept have so many numbers between them: 8 MB. Where every row has holes of its own, they are no use. */
const MOST_KEPT = 1e6;

/** For each set of holes the law of what is there and of what is not, as long as the parameters stay as they are. */
export class HoleLaws {
  private readonly laws = new Map<number, HoleLaw>();

  constructor(
    private readonly params: Float64Array,
    private readonly shape: FactorShape,
  ) {}

  /** Other parameters. */
  clear(): void {
    this.laws.clear();
  }

  of(values: Values, first: number): HoleLaw {
    const { d } = this.shape;
    let key = 0;
    for (let j = 0; j < d; j++) if (Number.isNaN(values[first + j])) key += 2 ** j;
    const known = d > DIGITS ? undefined : this.laws.get(key);
    if (known) return known;
    const law = new HoleLaw(this.params, this.shape, values, first);
    if (d <= DIGITS && this.laws.size * d * d < MOST_KEPT) this.laws.set(key, law);
    return law;
  }
}

export class HoleLaw {
  readonly missing: readonly number[];
  private readonly there: readonly number[];
  /** Of P_mm. */
  private readonly factor: Float64Array;
  /** G and W, row after row. */
  private readonly pull: Float64Array;
  private readonly weigh: Float64Array;
  private readonly constant: number;
  private readonly difference: Float64Array;

  constructor(
    private readonly params: Float64Array,
    shape: FactorShape,
    values: Values,
    first: number,
  ) {
    const { d } = shape;
    const columns = Array.from({ length: d }, (_, j) => j);
    const missing = columns.filter((j) => Number.isNaN(values[first + j]));
    const there = columns.filter((j) => !Number.isNaN(values[first + j]));
    const [m, o] = [missing.length, there.length];
    const u = lowerFactor(params, shape);
    const precision = (i: number, j: number): number => {
      let sum = 0;
      for (let k = Math.max(i, j); k < d; k++) sum += u[k * d + i] * u[k * d + j];
      return sum;
    };
    this.factor = new Float64Array(m * m);
    missing.forEach((a, i) => {
      for (let j = 0; j <= i; j++) this.factor[i * m + j] = precision(a, missing[j]);
    });
    if (!cholesky(this.factor, m)) throw new RangeError("a covariance is singular");
    this.pull = new Float64Array(m * o);
    this.weigh = new Float64Array(d * o);
    there.forEach((c, q) => {
      const column = Float64Array.from(missing, (a) => precision(a, c));
      solve(this.factor, m, column);
      for (let i = 0; i < m; i++) this.pull[i * o + q] = column[i];
      for (let r = 0; r < d; r++) {
        let sum = u[r * d + c];
        for (let i = 0; i < m; i++) sum -= u[r * d + missing[i]] * column[i];
        this.weigh[r * o + q] = sum;
      }
    });
    this.constant = columns.reduce(
      (sum, j) => sum + Math.log(u[j * d + j]),
      -o * HALF_LOG_2PI - 0.5 * logDeterminant(this.factor, m),
    );
    this.missing = missing;
    this.there = there;
    this.difference = new Float64Array(o);
  }

  /** log p(x_o) */
  logDensity(values: Values, first: number): number {
    const { difference, weigh, constant } = this;
    const o = this.look(values, first);
    let square = 0;
    for (let at = 0; at < weigh.length; at += o) {
      let y = 0;
      for (let q = 0; q < o; q++) y += weigh[at + q] * difference[q];
      square += y * y;
    }
    return constant - 0.5 * square;
  }

  /** out ← the row with its expectation, or where there is a generator a draw, in every hole. */
  fill(out: Float64Array, values: Values, first: number, rng?: Rng): void {
    const { params, missing, there, difference, pull, factor } = this;
    const o = this.look(values, first);
    for (const j of there) out[j] = values[first + j];
    const noise = new Float64Array(missing.length);
    if (rng) {
      for (let i = 0; i < noise.length; i++) noise[i] = normal(rng);
      backSolve(factor, noise.length, noise);
    }
    missing.forEach((j, i) => {
      let x = params[j] + noise[i];
      for (let q = 0; q < o; q++) x -= pull[i * o + q] * difference[q];
      out[j] = x;
    });
  }

  /** P_mm^{-1}: how much more the square of what is missing is than that of its expectation. */
  get spread(): Float64Array {
    if (!this.inverse) {
      const m = this.missing.length;
      this.inverse = new Float64Array(m * m);
      for (let i = 0; i < m; i++) {
        const unit = this.inverse.subarray(i * m, (i + 1) * m);
        unit[i] = 1;
        solve(this.factor, m, unit);
      }
    }
    return this.inverse;
  }
  private inverse: Float64Array | undefined;

  private look(values: Values, first: number): number {
    const { params, there, difference } = this;
    for (let q = 0; q < there.length; q++) difference[q] = values[first + there[q]] - params[there[q]];
    return there.length;
  }
}

/** U row after row. */
function lowerFactor(params: Float64Array, { d, full }: FactorShape): Float64Array {
  const u = new Float64Array(d * d);
  let next = 2 * d;
  for (let j = 0; j < d; j++) {
    u[j * d + j] = params[d + j];
    if (full) for (let k = 0; k < j; k++) u[j * d + k] = params[next++];
  }
  return u;
}
