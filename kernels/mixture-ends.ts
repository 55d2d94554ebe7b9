// Two quantiles of each of n mixtures of normal or t laws, both at a time: src/families/mixture-quantiles.ts is the plain
// form, whose brackets, start and steps these are.
import { CELLS } from "./folded";

// as there
const STEPS: i32 = 200;
const LAST_STEP: f64 = 1e-3;
const CLOSE: f64 = 1e-9;
const ROUNDING: f64 = 1e-15;
const MOST_SKEW: f64 = 0.5;
const MOST_EXCESS: f64 = 1;

// Of a part, as bytes: its weight, the two quantiles of its law in standard units, and where the table of that law lies.
const LOWER: usize = 8;
const UPPER: usize = 16;
const TABLE: usize = 24;
const PART: usize = 32;

// Of a search, as bytes: the place to look at, what it lies between, how close those must come, and whether it is over.
const LOW: usize = 8;
const HIGH: usize = 16;
const NEAR: usize = 24;
const FOUND: usize = 32;
const SEARCH: usize = 40;

// @ts-ignore: decorator
@inline
function bent(z: f64, skew: f64, excess: f64): f64 {
  if (!(abs(skew) < MOST_SKEW && abs(excess) < MOST_EXCESS)) return z;
  const z2 = z * z;
  return z + (skew / 6) * (z2 - 1) + (excess / 24) * z * (z2 - 3) - (skew * skew / 36) * z * (2 * z2 - 5);
}

// @ts-ignore: decorator
@inline
function begin(search: usize, start: f64, low: f64, high: f64, sd: f64): void {
  const near = CLOSE * sd + ROUNDING * max(abs(low), abs(high));
  const found = !(high - low > near);
  store<f64>(search, found ? 0.5 * (low + high) : min(high, max(low, start)));
  store<f64>(search, low, LOW);
  store<f64>(search, high, HIGH);
  store<f64>(search, near, NEAR);
  store<i32>(search, <i32>found, FOUND);
}

// @ts-ignore: decorator
@inline
function move(search: usize, below: f64, density: f64, bend: f64, narrowest: f64, halve: bool): void {
  if (load<i32>(search, FOUND)) return;
  const x = load<f64>(search), near = load<f64>(search, NEAR);
  store<f64>(search + (below < 0 ? LOW : HIGH), x);
  const low = load<f64>(search, LOW), high = load<f64>(search, HIGH);
  const newton = below / density;
  const turn = 1 - 0.5 * newton * bend / density;
  let step = turn > 0.5 && turn < 2 ? newton / turn : newton;
  const last = abs(step) < LAST_STEP * narrowest;
  if (!last && abs(step) < 0.5 * near) step = copysign(0.5 * near, step);
  const next = x - step, inside = next > low && next < high;
  const closed = !(high - low > near), found = closed || (last && inside);
  store<f64>(search, !closed && inside && (found || !halve) ? next : 0.5 * (low + high));
  store<i32>(search, <i32>found, FOUND);
}

// Part f of row r has its mean and standard deviation at laws + 16(fn + r), to whose square more[f] is added; the weights
// add up to `total`. The scratch memory holds 80 bytes and 16 for each part. Where a part has no width the row is NaN.
export function mixtureEnds(
  ends: usize, laws: usize, about: usize, more: usize, scratch: usize, n: i32, parts: i32, total: f64,
  lower: f64, upper: f64, first: f64, second: f64,
): void {
  const stride = <usize>n << 4, last = about + PART * <usize>parts;
  const left = scratch, right = scratch + SEARCH, placed = scratch + 2 * SEARCH;
  const wanted = f64x2.replace_lane(f64x2.splat(lower * total), 1, upper * total);
  const one = f64x2.splat(1), zero = f64x2.splat(0), cells = f64x2.splat(CELLS);
  for (let r: usize = 0; r < <usize>n; r++) {
    let mean: f64 = 0, narrowest: f64 = Infinity;
    let low1: f64 = Infinity, low2: f64 = Infinity, high1: f64 = -Infinity, high2: f64 = -Infinity;
    let law = laws + (r << 4), to = placed, wider = more;
    for (let part = about; part < last; part += PART, law += stride, to += 16, wider += 8) {
      const m = load<f64>(law), given = load<f64>(law, 8), extra = load<f64>(wider);
      const s = extra > 0 ? sqrt(given * given + extra) : given;
      store<f64>(to, m);
      store<f64>(to, s, 8);
      mean += load<f64>(part) * m;
      narrowest = min(narrowest, s);
      const l = m + s * load<f64>(part, LOWER), u = m + s * load<f64>(part, UPPER);
      low1 = min(low1, l);
      high1 = max(high1, l);
      low2 = min(low2, u);
      high2 = max(high2, u);
    }
    mean /= total;
    let square: f64 = 0, third: f64 = 0, fourth: f64 = 0;
    to = placed;
    for (let part = about; part < last; part += PART, to += 16) {
      const w = load<f64>(part), d = load<f64>(to) - mean, s = load<f64>(to, 8);
      const d2 = d * d, s2 = s * s;
      square += w * (d2 + s2);
      third += w * d * (d2 + 3 * s2);
      fourth += w * (d2 * (d2 + 6 * s2) + 3 * s2 * s2);
      store<f64>(to, 1 / s, 8);
    }
    const variance = square / total, sd = sqrt(variance);
    const skew = third / (total * variance * sd), excess = fourth / (total * variance * variance) - 3;
    begin(left, mean + bent(first, skew, excess) * sd, low1, high1, sd);
    begin(right, mean + bent(second, skew, excess) * sd, low2, high2, sd);
    for (let i = 0; i < STEPS && !(load<i32>(left, FOUND) & load<i32>(right, FOUND)) && narrowest > 0; i++) {
      const x = f64x2.replace_lane(f64x2.splat(load<f64>(left)), 1, load<f64>(right));
      let below = f64x2.neg(wanted), density = zero, bend = zero;
      to = placed;
      for (let part = about; part < last; part += PART, to += 16) {
        const narrow = v128.load64_splat(to, 8);
        const t = f64x2.mul(f64x2.sub(x, v128.load64_splat(to)), narrow);
        const size = f64x2.abs(t);
        // 1/(1 + t), one minus the place in the table
        const away = f64x2.div(one, f64x2.add(one, size));
        const at = f64x2.mul(cells, f64x2.mul(size, away));
        const cell = i32x4.trunc_sat_f64x2_s_zero(f64x2.min(at, f64x2.splat(CELLS - 1)));
        const u = f64x2.sub(at, f64x2.convert_low_i32x4_s(cell));
        const table = <usize>load<f64>(part, TABLE);
        const c1 = table + (<usize>i32x4.extract_lane(cell, 0) << 4), c2 = table + (<usize>i32x4.extract_lane(cell, 1) << 4);
        const a1 = v128.load(c1), a2 = v128.load(c2), b1 = v128.load(c1, 16), b2 = v128.load(c2, 16);
        const value = v128.shuffle<f64>(a1, a2, 0, 2), slope = v128.shuffle<f64>(a1, a2, 1, 3);
        const rise = f64x2.sub(v128.shuffle<f64>(b1, b2, 0, 2), value), after = v128.shuffle<f64>(b1, b2, 1, 3);
        // Hermite's cubic: value + u(slope + u(second + u·third))
        const third = f64x2.sub(f64x2.add(slope, after), f64x2.add(rise, rise));
        const second = f64x2.sub(f64x2.sub(rise, slope), third);
        const inner = f64x2.add(second, f64x2.mul(u, third));
        const above = f64x2.add(value, f64x2.mul(u, f64x2.add(slope, f64x2.mul(u, inner))));
        const steep = f64x2.add(slope, f64x2.mul(u, f64x2.add(f64x2.add(inner, inner), f64x2.mul(u, third))));
        const turn = f64x2.add(f64x2.add(inner, inner), f64x2.mul(f64x2.splat(4), f64x2.mul(u, third)));
        const isAbove = f64x2.gt(t, zero);
        const w = v128.load64_splat(part);
        below = f64x2.add(below, f64x2.mul(w, v128.bitselect(above, f64x2.sub(one, above), isAbove)));
        // by x: dz/dt = 1/(1 + t)², d²z/dt² = −2/(1 + t)³
        const toX = f64x2.mul(narrow, f64x2.mul(away, away));
        const height = f64x2.mul(f64x2.mul(w, toX), f64x2.mul(cells, steep));
        density = f64x2.add(density, height);
        const fall = f64x2.sub(
          f64x2.mul(f64x2.mul(w, f64x2.mul(toX, toX)), f64x2.mul(f64x2.mul(cells, cells), turn)),
          f64x2.mul(f64x2.mul(f64x2.splat(2), height), f64x2.mul(narrow, away)),
        );
        bend = f64x2.add(bend, v128.bitselect(fall, f64x2.neg(fall), isAbove));
      }
      const halve = (i & 3) == 3;
      move(
        left, f64x2.extract_lane(below, 0), f64x2.extract_lane(density, 0), f64x2.extract_lane(bend, 0), narrowest, halve,
      );
      move(
        right, f64x2.extract_lane(below, 1), f64x2.extract_lane(density, 1), f64x2.extract_lane(bend, 1), narrowest, halve,
      );
    }
    const isFound = narrowest > 0 && load<i32>(left, FOUND) & load<i32>(right, FOUND);
    store<f64>(ends + (r << 4), isFound ? load<f64>(left) : NaN);
    store<f64>(ends + (r << 4), isFound ? load<f64>(right) : NaN, 8);
  }
}
