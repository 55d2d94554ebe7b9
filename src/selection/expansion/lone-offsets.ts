/**
 * What an expansion misjudges about each sparse column by itself. Beside a model S the coefficient of a column has, by
 * the expansion, a log density −½d(b − m)², and in truth that plus δ(b − θ), which is how far the likelihood of the
 * column's own rows bends (bends.ts); θ is where the expansion has it. So a model with the column, beside one without,
 * is misjudged by
 *
 *     a  =  log ∫ exp(−½d(b − m)² + δ(κ(b − θ))/κ) db  −  ½ log(2π/d)  −  δ(−κθ)/κ,    κ = (d − 1/v) / Σ_i u_i²w_i,
 *
 * where κ ≤ 1 since the other members and the intercept give way to it, so that its rows move by less than it does.
 * Rare columns share few rows and are misjudged each for itself, so that this goes a long way before a single model is
 * worked out; what it leaves is learnt from models (member-offsets.ts). Columns that are not sparse are taken as they
 * are there, since every look at one is a look at all rows; in a model that is worked out those are looked at that
 * could bend.
 */

import { Evidence, type SufficientStatistics } from "../posterior/evidence.js";
import type { FixedSlab } from "../posterior/slab.js";
import { axisDensity, FIRST_KNOTS, type Knot, missingKnots } from "./axis.js";
import { bendsAt, ownRows } from "./bends.js";
import type { Expansion } from "./expansion.js";
import type { ModeSettings } from "./mode.js";

/** Where the likelihood is expanded, the model there and the scale of its slab. */
export interface LonePlace {
  readonly expansion: Expansion;
  readonly statistics: SufficientStatistics;
  /** Places among the columns of the point. */
  readonly members: readonly number[];
  readonly slab: FixedSlab;
}

/** The law of one coefficient beside the model. */
export interface LoneLaw {
  readonly place: number;
  /** The logarithm of its integral over that of the expansion. */
  readonly logMass: number;
  /** By the expansion, and with the bend. */
  readonly expanded: { readonly mean: number; readonly sd: number };
  readonly mean: number;
  readonly sd: number;
}

/** The log densities of columns in the last model that had them: in another one they are nearly the same. */
export type KnownTables = Map<number, Table>;

/** A log density at knots on an axis. */
interface Table {
  /** Where the axis begins and its unit, in standard deviations from the mean, both of the expansion. */
  shift: number;
  width: number;
  knots: readonly Knot[];
}

/** a of every column of the point; `known` are tables at other points, and then those at this one. */
export async function loneOffsets(
  settings: ModeSettings,
  at: LonePlace,
  known: KnownTables = new Map(),
): Promise<Float64Array> {
  const { columns } = at.expansion.point;
  const offsets = new Float64Array(columns.length);
  const sparse = Array.from(columns.keys()).filter((i) => settings.density(columns[i]) < 1);
  const lone = loneColumns(settings, at, sparse);
  if (lone.length === 0) return offsets;
  const bends = bendsAt(settings, at.expansion);
  const members = lone.filter(({ theta }) => theta !== 0);
  const out = await bends(members.map(({ place, theta, share }) => ({ place, moves: [-share * theta] })));
  for (const { place, logMass } of await lawsBeside(known, columns, lone, bends)) offsets[place] = logMass;
  members.forEach(({ place, share }, a) => {
    offsets[place] -= atLeast(out[a][0] / share);
  });
  return offsets;
}

/** Of the members that bend; `known` are tables of other models, and then those of this one. */
export async function loneLaws(
  settings: ModeSettings,
  at: LonePlace,
  known: KnownTables,
): Promise<LoneLaw[]> {
  const { gram, size } = at.statistics;
  const { columns } = at.expansion.point;
  const couldBend = at.members.filter(
    (i) => settings.density(columns[i]) < 1 || mostBend(settings, columns[i], gram[i * size + i]) >= BENT,
  );
  const lone = loneColumns(settings, at, couldBend);
  return lawsBeside(known, columns, lone, bendsAt(settings, at.expansion));
}

async function lawsBeside(
  known: KnownTables,
  columns: readonly number[],
  lone: readonly Lone[],
  bends: ReturnType<typeof bendsAt>,
): Promise<LoneLaw[]> {
  for (const one of lone) beginWith(one, known.get(columns[one.place]));
  const laws = await lawsOf(lone, bends);
  for (const { place, shift, width, knots } of lone) known.set(columns[place], { shift, width, knots });
  return laws;
}

/** A sparse column: θ, and what the expansion says of its coefficient. */
interface Lone extends Table {
  /** Its place among the columns of the point. */
  readonly place: number;
  readonly theta: number;
  readonly mean: number;
  readonly sd: number;
  /** κ. */
  readonly share: number;
  /** Where its log density has still to be looked at, and what for. */
  wanted: readonly number[];
  stage: "again" | "bend" | "top" | "table";
}

const ROUNDS = 30;
/** A log density that bends by less within two standard deviations is as good as normal: of its integral it is 0.001. */
const BENT = 0.1;

/** The third derivative of a row's log-likelihood is at most its second: so far a column of this weight can bend. */
function mostBend({ tallest }: ModeSettings, column: number, weight: number): number {
  return ((4 / 3) * tallest(column)) / Math.sqrt(weight);
}

function loneColumns(settings: ModeSettings, at: LonePlace, places: readonly number[]): Lone[] {
  // Without an intercept a column that was centred moves all rows.
  if (!settings.hasIntercept || places.length === 0) return [];
  const { expansion, statistics, members, slab } = at;
  const { point } = expansion;
  const evidence = new Evidence(statistics, slab, 1);
  evidence.rebuild(members);
  const { mean, covariance } = evidence.posterior();
  const size = members.length;
  return places.flatMap((place): Lone[] => {
    const [inside, column] = [evidence.place[place], point.columns[place]];
    const precision = inside >= 0 ? 1 / covariance[inside * size + inside] : evidence.pivot[place];
    const { weight } = ownRows(settings, expansion, place);
    if (!(precision > 0 && weight > 0)) return [];
    return [
      {
        place,
        theta: point.theta[place],
        mean: inside >= 0 ? mean[inside] : evidence.score[place] / evidence.pivot[place],
        sd: 1 / Math.sqrt(precision),
        share: Math.min(1, Math.max(1e-3, (precision - 1 / slab.scale) / weight)),
        shift: 0,
        width: 1,
        knots: [],
        wanted: mostBend(settings, column, weight) < BENT ? [] : [0, ...FIRST_KNOTS],
        stage: "bend",
      },
    ];
  });
}

async function lawsOf(lone: readonly Lone[], bends: ReturnType<typeof bendsAt>): Promise<LoneLaw[]> {
  for (let round = 0; round < ROUNDS; round++) {
    const asked = lone.filter(({ wanted }) => wanted.length > 0);
    if (asked.length === 0) break;
    const found = await bends(
      asked.map((one) => ({ place: one.place, moves: one.wanted.map((t) => moveAt(one, t)) })),
    );
    asked.forEach((one, a) => {
      const fresh = one.wanted.map((t, m): Knot => {
        const away = one.shift + t * one.width;
        return { t, f: atLeast(found[a][m] / one.share) - 0.5 * away * away };
      });
      one.knots = [...one.knots, ...fresh].sort((x, y) => x.t - y.t);
      proceed(one);
    });
  }
  return lone.flatMap(({ place, knots, shift, width, mean, sd }) => {
    if (knots.length === 0) return [];
    const density = axisDensity(knots);
    const spread = Math.sqrt(Math.max(0, density.square - density.mean ** 2));
    return [
      {
        place,
        logMass: density.logMass + Math.log(width),
        expanded: { mean, sd },
        mean: mean + sd * (shift + width * density.mean),
        sd: sd * width * spread,
      },
    ];
  });
}

/** A table of more knots has been added to by too many models: it begins anew. */
const MOST_KNOWN = 24;

/** Looks where it was looked in another model; what hardly bends there is taken over. */
function beginWith(one: Lone, known: Table | undefined): void {
  if (!known || one.wanted.length === 0) return;
  const { shift, width, knots } = known;
  if (knots.length === 0 || knots.length > MOST_KNOWN) return;
  const isStraight = width === 1 && knots.every((knot) => bendOf(knot) < BENT / 2);
  if (isStraight) Object.assign(one, { knots, wanted: [] });
  else Object.assign(one, { shift, width, wanted: knots.map(({ t }) => t), stage: "again" });
}

/** Decides where to look next. */
function proceed(one: Lone): void {
  if (one.stage === "again") {
    const isInside = highest(one.knots) > 0 && highest(one.knots) < one.knots.length - 1;
    one.wanted = isInside ? aroundTop(one.knots) : [0, ...FIRST_KNOTS];
    if (!isInside) Object.assign(one, { shift: 0, width: 1, knots: [], stage: "bend" });
    if (one.wanted.length > 0) return;
    one.stage = "table";
  }
  if (one.stage === "bend") {
    one.wanted = one.knots.some(isBent) ? SCAN : [];
    one.stage = "top";
    return;
  }
  if (one.stage === "top") {
    one.wanted = aroundTop(one.knots);
    if (one.wanted.length > 0) return;
    recentre(one);
    one.stage = "table";
  }
  one.wanted = missingKnots(one.knots);
}

/** Nearer to the highest knot, until its neighbours are nearly as high. */
function aroundTop(knots: readonly Knot[]): number[] {
  const at = highest(knots);
  const { t, f } = knots[at];
  const [left, right] = [knots[at - 1], knots[at + 1]];
  if (!left || !right) return [2 * t];
  return [left, right].filter((other) => other.f < f - STEEP).map((other) => 0.5 * (t + other.t));
}

const highest = (knots: readonly Knot[]): number =>
  knots.reduce((best, { f }, i) => (f > knots[best].f ? i : best), 0);

/** By how much a column's own rows move at a knot. */
const moveAt = ({ mean, sd, theta, share, shift, width }: Lone, t: number): number =>
  share * (mean + (shift + t * width) * sd - theta);

/** Far out a likelihood may be anything but a number. */
const atLeast = (bend: number): number => (bend > -1e6 ? bend : -1e6);

/** Within two standard deviations of the mean. */
const bendOf = ({ t, f }: Knot): number => (Math.abs(t) === 2 ? Math.abs(f + 0.5 * t * t) : 0);
const isBent = (knot: Knot): boolean => !(bendOf(knot) < BENT);

/** Where a log density that bends is looked at before anything is known of its width. */
const SCAN: readonly number[] = [0.5, 1, 8, 16, 32, 64, 128, 256].flatMap((t) => [-t, t]);
/** Neighbours of the highest knot are no more than this below it before a table is made. */
const STEEP = 2;
/** Knots of the scan that are lower than this are forgotten: between knots far down the table would guess. */
const NEAR_TOP = 8;

/** Measures the axis from where the density is highest, in units of its width there. */
function recentre(one: Lone): void {
  const { knots } = one;
  const top = knots.reduce((a, b) => (b.f > a.f ? b : a));
  const reach = (step: -1 | 1): number => {
    let i = knots.indexOf(top);
    while (knots[i + step]?.f > top.f - 0.5) i += step;
    const [inner, outer] = [knots[i], knots[i + step] ?? knots[i]];
    const fall = inner.f - outer.f;
    return inner.t + (fall > 0 ? (inner.f - top.f + 0.5) / fall : 0) * (outer.t - inner.t);
  };
  const [low, high] = [reach(-1), reach(1)];
  one.shift = 0.5 * (low + high);
  one.width = Math.max(0.5 * (high - low), 1e-3);
  one.knots = knots
    .filter(({ f }) => f > top.f - NEAR_TOP)
    .map(({ t, f }) => ({ t: (t - one.shift) / one.width, f }));
}
