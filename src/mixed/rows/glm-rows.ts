/**
 * Metropolis within Gibbs for rows in several groupings whose likelihood is not quadratic. A block of coefficients is
 * proposed from the normal law of one Newton step, N(m(b), H(b)⁻¹) with H = Z′V(η)Z + Σ⁻¹ and m = b + H⁻¹∇ (Gamerman
 * 1997), and accepted with the ratio of Hastings: exact, and accepted nearly always. The levels of a term do not see
 * each other, so all of them are proposed in one pass over the rows, and each is accepted by itself. A sweep:
 *
 *     b_j      of every level of every term
 *     Q_t      given η = Ξ⁻¹b
 *     β, ξ     of all terms together, given η: the columns Z_k η_k beside those of X
 *     β, b     along the directions that the likelihood does not see, and what nested factors share
 */

import { normal } from "../../math/normal.js";
import { choleskyInPlace, packedSize, placeOf, solveLower, solveUpper } from "../../math/packed.js";
import type { Rng } from "../../math/rng.js";
import { drawExpansion, drawInner, setInverse, shiftEffects } from "./covariance.js";
import { logInOrOut, spreadsOf, takenInner } from "./in-or-out.js";
import { shareNested } from "./nested.js";
import {
  addByLevel,
  addEffects,
  addFixed,
  columnOf,
  type RowsProblem,
  type RowsState,
  type RowsTerm,
} from "./problem.js";
import { type RowFunctions, rowFunctions } from "./row-functions.js";

/** Sweeps of a chain that begins by which it climbs: from nowhere one Newton step is no good proposal. */
const CLIMB = 25;

/** Yields the state, which it goes on with, after every sweep; `isNew` where it is not that of a chain under way. */
export function* glmRows(
  rng: Rng,
  problem: RowsProblem,
  state: RowsState,
  isNew = true,
): Generator<RowsState, void> {
  const { terms, nests, priors } = problem;
  const rows = rowFunctions(problem);
  const eta = problem.offset?.slice() ?? new Float64Array(problem.rows);
  addFixed(eta, problem, state.beta);
  terms.forEach((term, t) => {
    addEffects(eta, 1, problem, term, state.effects[t]);
  });
  for (let sweep = 0; ; sweep++) {
    const climbs = isNew && sweep < CLIMB;
    terms.forEach((term, t) => {
      proposeLevels(rng, problem, term, {
        b: state.effects[t],
        inverse: state.inverses[t],
        eta,
        rows,
        climbs,
      });
    });
    if (climbs) climbFixed(problem, state, eta, rows);
    else {
      proposeCoefficients(rng, problem, state, { eta, rows });
      terms.forEach((term, t) => {
        shiftEffects(rng, term, state, state.effects[t], state.inverses[t], priors.fixedPrecision);
      });
      for (const nest of nests) shareNested(rng, problem, nest, state);
    }
    yield state;
  }
}

interface AtRows {
  readonly eta: Float64Array;
  readonly rows: RowFunctions;
}

interface LevelState extends AtRows {
  /** Whether to go where the density rises, in place of drawing. */
  readonly climbs: boolean;
  readonly b: Float64Array;
  readonly inverse: Float64Array;
}

/** What a pass over the rows says of every level: log likelihood with prior, and the law of one Newton step. */
interface Newton {
  readonly logs: Float64Array;
  readonly mean: Float64Array;
  readonly factors: Float64Array;
}

function proposeLevels(rng: Rng, problem: RowsProblem, term: RowsTerm, levels: LevelState): void {
  const { b, eta, climbs } = levels;
  const q = term.columns.length;
  const size = packedSize(q);
  const here = newton(problem, term, levels, b, eta);
  const proposed = new Float64Array(b.length);
  for (let at = 0, from = 0; at < b.length; at += q, from += size) {
    for (let k = 0; k < q; k++) proposed[at + k] = climbs ? 0 : normal(rng);
    solveUpper(proposed, at, here.factors, from, q);
    for (let k = 0; k < q; k++) proposed[at + k] += here.mean[at + k];
  }
  const change = proposed.map((value, at) => value - b[at]);
  const there = eta.slice();
  addEffects(there, 1, problem, term, change);
  const back = newton(problem, term, levels, proposed, there);
  for (let j = 0; j < term.levels; j++) {
    const rise = back.logs[j] - here.logs[j];
    const isTaken = climbs
      ? rise > 0
      : Math.log(rng.uniformOpen()) < rise + logProposal(back, b, j, q) - logProposal(here, proposed, j, q);
    if (isTaken) for (let k = j * q; k < (j + 1) * q; k++) b[k] = proposed[k];
    else for (let k = j * q; k < (j + 1) * q; k++) change[k] = 0;
  }
  addEffects(eta, 1, problem, term, change);
}

function newton(
  problem: RowsProblem,
  term: RowsTerm,
  { inverse, rows }: LevelState,
  b: Float64Array,
  eta: Float64Array,
): Newton {
  const { codes, columns, levels } = term;
  const q = columns.length;
  const size = packedSize(q);
  rows.at(eta);
  const logs = new Float64Array(levels);
  for (let i = 0; i < problem.rows; i++) logs[codes[i]] += rows.logs[i];
  const mean = new Float64Array(levels * q);
  addByLevel(mean, problem, term, rows.slopes);
  const factors = new Float64Array(levels * size);
  for (let k = 0, e = 0; k < q; k++) {
    const z = columnOf(problem, columns[k]);
    for (let l = 0; l <= k; l++, e++) {
      const other = columnOf(problem, columns[l]);
      for (let i = 0; i < problem.rows; i++) {
        factors[codes[i] * size + e] += rows.bends[i] * (z ? z[i] : 1) * (other ? other[i] : 1);
      }
    }
  }
  for (let at = 0, j = 0; j < levels; j++, at += q) {
    for (let k = 0; k < q; k++) {
      let product = 0;
      for (let l = 0; l < q; l++) product += inverse[placeOf(k, l)] * b[at + l];
      logs[j] -= 0.5 * product * b[at + k];
      mean[at + k] -= product;
    }
    for (let e = 0; e < size; e++) factors[j * size + e] += inverse[e];
    choleskyInPlace(factors, j * size, q);
    solveLower(mean, at, factors, j * size, q);
    solveUpper(mean, at, factors, j * size, q);
    for (let k = 0; k < q; k++) mean[at + k] += b[at + k];
  }
  return { logs, mean, factors };
}

/** log N(x; m, H⁻¹) of one level, up to 2π: with R·R′ = H it is log|R| − ½‖R′(x − m)‖². */
function logProposal({ mean, factors }: Newton, x: Float64Array, j: number, q: number): number {
  const at = j * packedSize(q);
  let value = 0;
  for (let k = 0; k < q; k++) {
    value += Math.log(factors[at + placeOf(k, k)]);
    let sum = 0;
    for (let l = k; l < q; l++) sum += factors[at + placeOf(l, k)] * (x[j * q + l] - mean[j * q + l]);
    value -= 0.5 * sum * sum;
  }
  return value;
}

/** β and all ξ in one block, then Q⁻¹ and with it Σ⁻¹ of every term. */
function proposeCoefficients(rng: Rng, problem: RowsProblem, state: RowsState, { eta, rows }: AtRows): void {
  const { terms, priors, fixed } = problem;
  const p = fixed.length;
  const expansions = terms.map(({ columns }, t) =>
    drawExpansion(rng, state.inverses[t], columns.length, priors),
  );
  const inner = state.effects.map((b, t) => {
    const q = terms[t].columns.length;
    return b.map((value, at) => value / expansions[t][at % q]);
  });
  const inOrOut = (t: number, inverse: Float64Array): number =>
    logInOrOut(priors, terms[t], spreadsOf(inverse, terms[t].columns.length), Math.sqrt(state.noise));
  const innerInverses = inner.map((values, t) => {
    const proposed = drawInner(rng, values, terms[t].columns.length, priors);
    return takenInner(rng, state.inverses[t], expansions[t], proposed, (inverse) => inOrOut(t, inverse));
  });
  const columns: (Float64Array | undefined)[] = fixed.map((j) => columnOf(problem, j));
  terms.forEach((term, t) => {
    columns.push(...expandedColumns(problem, term, inner[t]));
  });
  const current = Float64Array.from([...state.beta, ...expansions.flatMap((values) => [...values])]);
  const precision = current.map((_, j) =>
    j < p ? priors.fixedPrecision : 1 / (priors.degrees * priors.spread ** 2),
  );
  const block = { columns, precision, rows, count: problem.rows };
  const here = blockNewton(block, current, eta);
  const proposed = current.map(() => normal(rng));
  solveUpper(proposed, 0, here.factors, 0, current.length);
  for (let j = 0; j < current.length; j++) proposed[j] += here.mean[j];
  const there = movedBy(eta, columns, current, proposed);
  const back = blockNewton(block, proposed, there);
  const size = current.length;
  const inverses = (coefficients: Float64Array): Float64Array[] => {
    let from = p;
    return innerInverses.map((own, t) => {
      const out = new Float64Array(own.length);
      setInverse(out, own, coefficients.subarray(from, from + terms[t].columns.length));
      from += terms[t].columns.length;
      return out;
    });
  };
  const [now, then] = [inverses(current), inverses(proposed)];
  const rise = then.reduce((sum, inverse, t) => sum + inOrOut(t, inverse) - inOrOut(t, now[t]), 0);
  const isAccepted =
    Math.log(rng.uniformOpen()) <
    back.logs[0] -
      here.logs[0] +
      logProposal(back, current, 0, size) -
      logProposal(here, proposed, 0, size) +
      rise;
  const accepted = isAccepted ? proposed : current;
  if (isAccepted) eta.set(there);
  state.beta.set(accepted.subarray(0, p));
  for (let t = 0, from = p; t < terms.length; t++) {
    const q = terms[t].columns.length;
    const b = state.effects[t];
    for (let at = 0; at < b.length; at++) b[at] = accepted[from + (at % q)] * inner[t][at];
    state.inverses[t].set((isAccepted ? then : now)[t]);
    from += q;
  }
}

/** η with other coefficients of some columns. */
function movedBy(
  eta: Float64Array,
  columns: readonly (Float64Array | undefined)[],
  from: Float64Array,
  to: Float64Array,
): Float64Array {
  const out = eta.slice();
  columns.forEach((column, j) => {
    const change = to[j] - from[j];
    for (let i = 0; i < out.length; i++) out[i] += change * (column ? column[i] : 1);
  });
  return out;
}

/**
 * β by one Newton step, where the density rises. All Σ stay as they are while a chain climbs: effects at their modes vary
 * too little and too much alike, and a Σ that is drawn by them would be all but singular, which no sweep mends.
 */
function climbFixed(problem: RowsProblem, state: RowsState, eta: Float64Array, rows: RowFunctions): void {
  const { fixed, priors } = problem;
  if (fixed.length === 0) return;
  const columns = fixed.map((j) => columnOf(problem, j));
  const precision = state.beta.map(() => priors.fixedPrecision);
  const block = { columns, precision, rows, count: problem.rows };
  const here = blockNewton(block, state.beta, eta);
  const there = movedBy(eta, columns, state.beta, here.mean);
  if (!(blockNewton(block, here.mean, there).logs[0] > here.logs[0])) return;
  eta.set(there);
  state.beta.set(here.mean);
}

/** Z_k η_k, one column for each effect of the term. */
function expandedColumns(
  problem: RowsProblem,
  { codes, columns }: RowsTerm,
  inner: Float64Array,
): Float64Array[] {
  const q = columns.length;
  return columns.map((place, k) => {
    const z = columnOf(problem, place);
    const out = new Float64Array(problem.rows);
    for (let i = 0; i < out.length; i++) out[i] = inner[codes[i] * q + k] * (z ? z[i] : 1);
    return out;
  });
}

interface Block {
  readonly columns: readonly (Float64Array | undefined)[];
  readonly precision: Float64Array;
  readonly rows: RowFunctions;
  readonly count: number;
}

function blockNewton(
  { columns, precision, rows, count }: Block,
  at: Float64Array,
  eta: Float64Array,
): Newton {
  const size = columns.length;
  rows.at(eta);
  let log = 0;
  for (let i = 0; i < count; i++) log += rows.logs[i];
  const mean = new Float64Array(size);
  const factors = new Float64Array(packedSize(size));
  const scaled = new Float64Array(count);
  for (let j = 0; j < size; j++) {
    const x = columns[j];
    let slope = 0;
    for (let i = 0; i < count; i++) {
      const value = x ? x[i] : 1;
      slope += value * rows.slopes[i];
      scaled[i] = value * rows.bends[i];
    }
    for (let k = 0; k <= j; k++) {
      const other = columns[k];
      let sum = 0;
      if (other) for (let i = 0; i < count; i++) sum += scaled[i] * other[i];
      else for (let i = 0; i < count; i++) sum += scaled[i];
      factors[placeOf(j, k)] = sum;
    }
    factors[placeOf(j, j)] += precision[j];
    mean[j] = slope - precision[j] * at[j];
    log -= 0.5 * precision[j] * at[j] * at[j];
  }
  choleskyInPlace(factors, 0, size);
  solveLower(mean, 0, factors, 0, size);
  solveUpper(mean, 0, factors, 0, size);
  for (let j = 0; j < size; j++) mean[j] += at[j];
  return { logs: Float64Array.of(log), mean, factors };
}
