/**
 * Whether one row, or up to three together, decide that a variable is selected: its effect without them is less than
 * two of its standard deviations, by more than one of those that are reported. Clean data have such rows where a variable
 * is barely selected, so either the rows must lie farther from what all others say than chance allows for, or nobody
 * else knows of the effect.
 */

import type { Family } from "../../families/family.js";
import { cholesky, forwardSolve, inverse } from "../../math/linear.js";
import { incompleteBeta } from "../../math/special.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";
import type { ModelRows } from "./model-rows.js";
import { dot, type FittedRow, settledFit, times, type WeightedFit, weightedFit } from "./weighted-fit.js";

export interface Deciding {
  /** The variable, and its place in the model. */
  readonly name: string;
  readonly variable: number;
  /** Places of the rows in the store. */
  readonly rows: readonly FittedRow[];
  /** The effect with all rows, and without these; undefined where no other row tells of it. */
  readonly effect: number;
  readonly without: Without | undefined;
}

/** Rows that are left out together, at most. */
const TOGETHER = 3;
/** In its own standard deviations: how far an effect must move, and what is not enough to be selected. */
const MOVED = 1;
const SELECTED_FROM = 2;
/** How many times as large its standard deviation is without a row that alone tells of an effect; skew makes three. */
const ALONE = 10;
/** In standard deviations. */
const NEARER = 2;
/** How often clean data may be said to have such rows: once for each number of rows that are left out together. */
const CHANCE = 3e-4;
/** Rows times coefficients squared that are looked at: half a second. */
const WORK = 4e8;

/** Of these variables of the model; each with the fewest rows that decide. */
export function decidingRows(rows: ModelRows, centred: boolean, among: ReadonlySet<string>): Deciding[] {
  const { family, names, store } = rows;
  const wanted = [...names.keys()].filter((k) => among.has(names[k]));
  if (wanted.length === 0 || !family.departure) return [];
  if (store.layout.rows * (names.length + 1) ** 2 > WORK) return [];
  if (
    store.layout.rows > MANY_ROWS &&
    !reachesFar(store, [...names.map((name) => store.names.indexOf(name)), store.layout.columns])
  )
    return [];
  const fit = weightedFit(rows, { centred });
  if (!fit) return [];
  const looked: Looked = { fit, rows, centred };
  const suspects = wanted.map((variable) => new Suspects(looked, variable + fit.intercept));
  const held: Suspect = { pull: new Float64Array(fit.size), push: 0 };
  fit.each((row) => {
    const own = suspect(fit, family, row, held);
    for (const each of suspects) each.look(row, own);
  });
  return suspects.flatMap((each, i) => {
    const found = each.deciding();
    if (!found) return [];
    const at = wanted[i] + fit.intercept;
    const unit = fit.unit[at];
    const { without } = found;
    return [
      {
        name: names[wanted[i]],
        variable: wanted[i],
        rows: found.rows,
        effect: fit.coefficients[at] * unit,
        without: without === NOTHING ? undefined : without,
      },
    ];
  });
}

/** Among many rows a few decide only if they lie far out: so many standard deviations of the first rows from their mean. */
const [MANY_ROWS, FAR] = [20_000, 8];
const FIRST_ROWS = 2000;

/** Whether one of the columns has such a value; rows were shuffled. */
function reachesFar(store: Store, columns: readonly number[]): boolean {
  const { layout, kernels } = store;
  return columns.some((column) => {
    const some = new Float32Array(
      kernels.memory.buffer,
      store.run(0, column),
      Math.min(FIRST_ROWS, rowsIn(layout, 0)),
    );
    let [sum, squares] = [0, 0];
    for (const value of some) sum += value;
    const mean = sum / some.length;
    for (const value of some) squares += (value - mean) ** 2;
    const reach = FAR * Math.sqrt(squares / some.length);
    for (let b = 0; b < layout.blocks; b++) {
      const [at, count] = [store.run(b, column), rowsIn(layout, b)];
      const [low, high] = [kernels.least(at, count), kernels.largest(at, count)];
      if (!(mean - low <= reach && high - mean <= reach)) return true;
    }
    return false;
  });
}

/** A fit of all rows, and what it was made of. */
interface Looked {
  readonly fit: WeightedFit;
  readonly rows: ModelRows;
  readonly centred: boolean;
}

interface Without {
  readonly effect: number;
  readonly sd: number;
}

const NOTHING: Without = { effect: 0, sd: 0 };

/** What a row has to do with the coefficients, all at once. */
interface Suspect {
  /** √w A⁻¹d */
  readonly pull: Float64Array;
  /** How far b moves for the residual that it has: ẽ/(1 − h). */
  push: number;
}

function suspect(
  { inverse: inverted }: WeightedFit,
  { inverseLink, variance }: Family,
  row: FittedRow,
  out: Suspect,
): Suspect {
  const mean = inverseLink(row.eta);
  const root = Math.sqrt(variance(mean));
  const pull = times(inverted, row.d, out.pull);
  const leverage = root * root * dot(pull, row.d);
  for (let a = 0; a < pull.length; a++) pull[a] *= root;
  out.push = root > 0 ? (row.y - mean) / root / Math.max(1e-12, 1 - leverage) : 0;
  return out;
}

/** The rows that may decide about one coefficient: those that tell most of it, and those that hold it up most. */
class Suspects {
  private readonly telling: Ranked[] = [];
  private readonly holding: Ranked[] = [];

  constructor(
    private readonly looked: Looked,
    private readonly at: number,
  ) {}

  look(row: FittedRow, { pull, push }: Suspect): void {
    const own = pull[this.at];
    rank(this.telling, Math.abs(own), row);
    rank(this.holding, own * push * Math.sign(this.looked.fit.coefficients[this.at]), row);
  }

  deciding(): { rows: FittedRow[]; without: Without } | undefined {
    for (let count = 1; count <= TOGETHER; count++) {
      const sets =
        count === 1
          ? [...this.holding, ...this.telling].map((each) => [each])
          : [this.holding.slice(0, count), this.telling.slice(0, count)];
      for (const set of sets) {
        const rows = set.map(({ row }) => row);
        if (rows.length < count) continue;
        const without = leftOut(this.looked, this.at, rows);
        if (without) return { rows, without };
      }
    }
    return undefined;
  }
}

interface Ranked {
  readonly value: number;
  readonly row: FittedRow;
}

/** The largest, falling. */
function rank(held: Ranked[], value: number, row: FittedRow): void {
  if (held.length === TOGETHER && !(value > held[TOGETHER - 1].value)) return;
  held.push({ value, row: { ...row, d: row.d.slice() } });
  held.sort((a, b) => b.value - a.value);
  if (held.length > TOGETHER) held.pop();
}

/** One effect without some rows, if they decide about it. */
function leftOut(
  { fit, rows: source, centred }: Looked,
  at: number,
  rows: readonly FittedRow[],
): Without | undefined {
  const { inverse: inverted, size, rows: all, squares, coefficients, unit } = fit;
  const { family } = source;
  const count = rows.length;
  const freedom = all - size - count;
  if (freedom < 1) return undefined;
  const means = rows.map(({ eta }) => family.inverseLink(eta));
  const roots = means.map((mean) => Math.sqrt(family.variance(mean)));
  if (roots.some((root) => !(root > 0))) return undefined;
  const residuals = Float64Array.from(rows, ({ y }, i) => (y - means[i]) / roots[i]);
  const pulls = rows.map(({ d }, i) => times(inverted, d).map((value) => value * roots[i]));
  // What all others know: 1 − H, which is nothing along a direction that these rows alone have.
  const rest = square(count, (i, j) => Number(i === j) - roots[j] * dot(pulls[i], rows[j].d));
  if (!cholesky(rest, count) || rest.some((v, e) => e % (count + 1) === 0 && v < 1e-5)) {
    // Nobody can say whether several rows that agree are right; one has nobody to agree with.
    const share = pulls[0][at] ** 2 / inverted[at * (size + 1)];
    return count === 1 && family.quadratic && share > 1 - ALONE ** -2 ? NOTHING : undefined;
  }
  const undone = new Float64Array(count * count);
  inverse(undone, rest, count);
  const pushes = times(undone, residuals);
  const pull = Float64Array.from(pulls, (each) => each[at]);
  const quick: Left = {
    effect: coefficients[at] - dot(pull, pushes),
    variance: inverted[at * (size + 1)] + dot(pull, times(undone, pull)),
    spread: dispersion(family, Math.max(0, squares - dot(pushes, residuals)) / freedom),
  };
  if (!decides(quick)) return undefined;
  const isAlone = quick.variance > ALONE ** 2 * inverted[at * (size + 1)];
  if (count === 1 && family.quadratic && isAlone) return told(quick);
  // One step is no measure of what counts would do without rows that matter so much.
  const without = new Set(rows.map(({ place }) => place));
  const refit = (family.quadratic ? weightedFit : settledFit)(source, { centred, without, from: fit.moved });
  if (!refit) return undefined;
  const scale = refit.unit[at] / unit[at];
  const left: Left = {
    effect: refit.coefficients[at] * scale,
    variance: refit.inverse[at * (size + 1)] * scale ** 2,
    spread: dispersion(family, refit.squares / freedom),
  };
  // Without rows that hold nearly all that is known of an effect nobody can tell what to expect of them.
  const isKnown = family.quadratic || left.variance < ALONE ** 2 * inverted[at * (size + 1)];
  const chance = isKnown && decides(left) ? tail(refit, left.spread) * subsets(all, count) : 1;
  return chance < CHANCE ? told(left) : undefined;

  function decides({ effect, variance, spread }: Left): boolean {
    const around = Math.sqrt(dispersion(family, squares / (all - size)) * inverted[at * (size + 1)]);
    const was = coefficients[at];
    const isLittle = effect * Math.sign(was) < SELECTED_FROM * Math.sqrt(spread * variance);
    return isLittle && Math.abs(was - effect) > MOVED * around;
  }

  function told({ effect, variance, spread }: Left): Without {
    return { effect: effect * unit[at], sd: Math.sqrt(spread * variance) * unit[at] };
  }

  /** How often these rows would be so far from what all others expect of them. */
  function tail(others: WeightedFit, spread: number): number {
    // In the units of that fit, beside which these rows stand as they did before.
    const own = rows.map(({ d }) => d.map((value, a) => (value / unit[a]) * others.unit[a]));
    const move = others.moved.map((to, a) => (to - fit.moved[a]) / others.unit[a]);
    const etas = rows.map(({ eta }, i) => eta + dot(move, own[i]));
    const shared = square(count, (i, j) => dot(times(others.inverse, own[i]), own[j]));
    // What is not known of the linear predictors adds to the noise; counts are not so nearly normal: theirs are taken
    // to lie as near to what was counted as two standard deviations allow for.
    const nearest = rows.map(({ y }, i) => {
      const reach = family.quadratic ? 0 : NEARER * Math.sqrt(spread * shared[i * (count + 1)]);
      return etas[i] + Math.max(-reach, Math.min(reach, family.link(y) - etas[i]));
    });
    const expected = nearest.map(family.inverseLink);
    const far = Float64Array.from(rows, ({ y }, i) => family.departure!(y, expected[i]));
    const about = square(count, (i, j) => Number(i === j) + (family.quadratic ? shared[i * count + j] : 0));
    if (!far.every(Number.isFinite) || !cholesky(about, count)) return 1;
    forwardSolve(about, count, far);
    const ratio = dot(far, far) / count / spread;
    return incompleteBeta(freedom / (freedom + count * ratio), freedom / 2, count / 2);
  }
}

/** What is left of a coefficient, in units of the fit of all rows; the variance is that of no noise but one. */
interface Left {
  readonly effect: number;
  readonly variance: number;
  readonly spread: number;
}

/** That of measurements is a parameter; counts that vary less than they should are no reason to be surer. */
const dispersion = ({ noise }: Family, found: number): number => (noise ? found : Math.max(1, found));

function square(size: number, value: (i: number, j: number) => number): Float64Array {
  return Float64Array.from({ length: size * size }, (_, e) => value(Math.floor(e / size), e % size));
}

/** How many sets of so many of them there are. */
function subsets(all: number, count: number): number {
  let number = 1;
  for (let i = 0; i < count; i++) number *= (all - i) / (i + 1);
  return number;
}
