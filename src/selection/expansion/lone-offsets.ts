/**
 * What an expansion misjudges about each candidate by itself. Beside a model S the coefficient of a candidate has, by
 * the expansion, a log density −½d(b − m)², and in truth that plus δ(b − θ), which is how far the likelihood of the
 * candidate's own rows bends (bends.ts); θ is where the expansion has it. So a model with the candidate, beside one
 * without, is misjudged by
 *
 *     a  =  log ∫ exp(−½d(b − m)² + δ(κ(b − θ))/κ) db  −  ½ log(2π/d)  −  δ(−κθ)/κ,    κ = (d − 1/v) / Σ_i u_i²w_i,
 *
 * where κ ≤ 1 since the other members and the intercept give way to it, so that its rows move by less than it does.
 * Rare columns share few rows and are misjudged each for itself, so that this goes a long way before a single model is
 * worked out; what it leaves is learnt from models (member-offsets.ts). Columns that are not sparse are taken as they
 * are.
 */

import { blockPieces } from "../../workers/pieces.js";
import { Evidence } from "../posterior/evidence.js";
import type { FixedSlab } from "../posterior/slab.js";
import { axisDensity, FIRST_KNOTS, type Knot, missingKnots } from "./axis.js";
import { bendsJob } from "./bends.js";
import type { Quadratic } from "./laplace.js";
import type { ModeSettings } from "./mode.js";

/** A sparse candidate: θ, and what the expansion says of its coefficient. */
interface Lone {
  /** Its place among the candidates, and in the store. */
  readonly place: number;
  readonly column: number;
  readonly theta: number;
  readonly mean: number;
  readonly sd: number;
  /** κ: the others give way, so that its own rows move less than it does. */
  share: number;
  /** Where its axis begins and its unit, in standard deviations from the mean. */
  shift: number;
  width: number;
  readonly knots: Knot[];
  wanted: number[];
}

const ROUNDS = 12;

/** One number a candidate; `members` are those of the model that the expansion is at. */
export async function loneOffsets(
  settings: ModeSettings,
  quadratic: Quadratic,
  members: readonly number[],
  slab: FixedSlab,
): Promise<Float64Array> {
  const { point } = quadratic;
  const offsets = new Float64Array(point.columns.length);
  // Without an intercept a column that was centred moves all rows.
  if (!settings.hasIntercept) return offsets;
  const lone = loneCandidates(settings, quadratic, members, slab);
  if (lone.length === 0) return offsets;
  const bends = bendsAt(settings, quadratic);
  const weighed = await bends(lone.map(({ column }) => ({ column, moves: [] })));
  lone.forEach((one, a) => {
    one.share = Math.min(1, Math.max(1e-3, (1 / one.sd ** 2 - 1 / slab.scale) / weighed[a].weight));
  });
  const out = await bends(lone.map(({ column, theta, share }) => ({ column, moves: [-share * theta] })));
  for (let round = 0; round < ROUNDS; round++) {
    const asked = lone.filter(({ wanted }) => wanted.length > 0);
    if (asked.length === 0) break;
    const found = await bends(
      asked.map((one) => ({ column: one.column, moves: one.wanted.map(moveOf(one)) })),
    );
    asked.forEach((one, a) => {
      one.wanted.forEach((t, m) => {
        const away = one.shift + t * one.width;
        one.knots.push({ t, f: atLeast(found[a].bends[m] / one.share) - 0.5 * away * away });
      });
      one.knots.sort((x, y) => x.t - y.t);
      if (round === 0) one.wanted = one.knots.some(bends2) ? [...SCAN] : [];
      else {
        if (round === 1) recentre(one);
        one.wanted = missingKnots(one.knots);
      }
    });
  }
  lone.forEach(({ place, knots, share, width }, a) => {
    offsets[place] = axisDensity(knots).logMass + Math.log(width) - atLeast(out[a].bends[0] / share);
  });
  return offsets;
}

/** By how much a candidate's own rows move at a knot. */
const moveOf = ({ mean, sd, theta, share, shift, width }: Lone) => {
  return (t: number): number => share * (mean + (shift + t * width) * sd - theta);
};

/** Where a log density that bends is looked at before anything is known of its width. */
const SCAN = [0.5, 1, 8, 16, 32, 64, 128, 256].flatMap((t) => [-t, t]);
/** A log density that bends by less within two standard deviations is as good as normal. */
const BENT = 0.02;
const bends2 = ({ t, f }: Knot): boolean => Math.abs(t) === 2 && !(Math.abs(f + 0.5 * t * t) < BENT);

/** Knots of the scan that are lower than this are forgotten. */
const NEAR_TOP = 8;

/** Measures the axis from where the density is highest, in units of its width there. */
function recentre(one: Lone): void {
  const { knots } = one;
  const top = knots.reduce((a, b) => (b.f > a.f ? b : a));
  const at = knots.indexOf(top);
  const reach = (step: -1 | 1): number => {
    let i = at;
    while (knots[i + step] && knots[i + step].f > top.f - 0.5) i += step;
    const [inner, outer] = [knots[i], knots[i + step] ?? knots[i]];
    const fall = inner.f - outer.f;
    return inner.t + (fall > 0 ? (inner.f - top.f + 0.5) / fall : 0) * (outer.t - inner.t);
  };
  const [low, high] = [reach(-1), reach(1)];
  one.shift = 0.5 * (low + high);
  one.width = Math.max(0.5 * (high - low), 1e-3);
  // Between knots far down the table would guess.
  const near = knots.filter(({ f }) => f > top.f - NEAR_TOP);
  knots.length = 0;
  for (const { t, f } of near) knots.push({ t: (t - one.shift) / one.width, f });
}

/** Far out a likelihood may be anything but a number. */
const atLeast = (bend: number): number => (bend > -1e6 ? bend : -1e6);

function loneCandidates(
  { density }: ModeSettings,
  { point, statistics }: Quadratic,
  members: readonly number[],
  slab: FixedSlab,
): Lone[] {
  const evidence = new Evidence(statistics, slab, 1);
  evidence.rebuild(members);
  const { mean, covariance } = evidence.posterior();
  const size = members.length;
  return point.columns.flatMap((column, place) => {
    if (!(density(column) < 1)) return [];
    const at = evidence.place[place];
    const law =
      at >= 0
        ? { mean: mean[at], sd: Math.sqrt(covariance[at * size + at]) }
        : {
            mean: evidence.score[place] / evidence.pivot[place],
            sd: 1 / Math.sqrt(evidence.pivot[place]),
          };
    if (!(law.sd > 0)) return [];
    return [
      {
        place,
        column,
        theta: point.theta[place],
        ...law,
        share: 1,
        shift: 0,
        width: 1,
        knots: [],
        wanted: [0, ...FIRST_KNOTS],
      },
    ];
  });
}

interface Asked {
  readonly column: number;
  readonly moves: readonly number[];
}

function bendsAt({ store, pool, family, scaling, density }: ModeSettings, { point }: Quadratic) {
  const used = point.columns.flatMap((_, i) => (point.theta[i] === 0 ? [] : [i]));
  const active = {
    columns: used.map((i) => point.columns[i]),
    theta: Float64Array.from(used, (i) => point.theta[i]),
    intercept: point.intercept,
  };
  return async (
    asked: readonly Asked[],
  ): Promise<{ readonly bends: Float64Array; readonly weight: number }[]> => {
    const ends: number[] = [];
    for (const { moves } of asked) ends.push((ends.at(-1) ?? 0) + moves.length);
    const columns = asked.map(({ column }) => column);
    const moves = Float64Array.from(asked.flatMap((one) => [...one.moves]));
    const entries = asked.reduce((sum, one) => sum + density(one.column) * (one.moves.length + 1), 0);
    const inputs = blockPieces(store.layout, 8 * store.layout.rows * (entries + 1)).map((piece) => ({
      ...{ family, scaling, point: active, columns, ends, moves },
      ...piece,
    }));
    const parts = await pool.run(bendsJob, inputs);
    const sumOf = (place: number): number => parts.reduce((sum, part) => sum + part[place], 0);
    return asked.map((one, a) => ({
      bends: Float64Array.from(one.moves, (_, m) => sumOf(ends[a] - one.moves.length + m)),
      weight: sumOf(moves.length + a),
    }));
  };
}
