// Two quantiles of each of n mixtures of normal laws, both at a time: see src/families/mixture-quantiles.ts, whose start
// and steps these are, without the brackets. Where that fails, or a part has no width, the row is left as NaN.
import { exp64 } from "./exponential";

const STEPS = 8;
// as there
const LAST_STEP: f64 = 5e-3;
const MOST_SKEW: f64 = 0.5;
const MOST_EXCESS: f64 = 1;

// exp(y²)·erfc(y) for y ≥ 0 to 4e-12: a polynomial in (y − K)/(y + K), K = 3.75 (after Schonfelder 1978), by
// interpolation at Chebyshev's points
// @ts-ignore: decorator
@inline
function scaledErfc(y: v128): v128 {
  const k = f64x2.splat(3.75);
  const t = f64x2.div(f64x2.sub(y, k), f64x2.add(y, k));
  const t2 = f64x2.mul(t, t), t4 = f64x2.mul(t2, t2), t8 = f64x2.mul(t4, t4);
  const a = four(t, t2, 0.1455897212777913, -0.27342193148415056, 0.22600806656017378, -0.16357189606944941);
  const b = four(t, t2, 0.10260431963125036, -0.054802318979556508, 0.024143161934117585, -0.0082206703190603747);
  const c = four(t, t2, 0.0018032132203176232, -2.5368242735801516e-5, -1.5302136617734163e-4, 4.7573390730804022e-5);
  const d = four(t, t2, 4.2934465156463375e-6, -5.8151311890242141e-6, 2.4529853703825211e-7, 4.2683603851401131e-7);
  const low = f64x2.add(a, f64x2.mul(t4, b));
  const high = f64x2.add(c, f64x2.mul(t4, d));
  return f64x2.add(low, f64x2.mul(t8, high));
}

// @ts-ignore: decorator
@inline
function four(t: v128, t2: v128, c0: f64, c1: f64, c2: f64, c3: f64): v128 {
  const low = f64x2.add(f64x2.splat(c0), f64x2.mul(t, f64x2.splat(c1)));
  const high = f64x2.add(f64x2.splat(c2), f64x2.mul(t, f64x2.splat(c3)));
  return f64x2.add(low, f64x2.mul(t2, high));
}

// @ts-ignore: decorator
@inline
function bent(z: f64, skew: f64, excess: f64): f64 {
  if (!(abs(skew) < MOST_SKEW && abs(excess) < MOST_EXCESS)) return z;
  const z2 = z * z;
  return z + (skew / 6) * (z2 - 1) + (excess / 24) * z * (z2 - 3) - (skew * skew / 36) * z * (2 * z2 - 5);
}

// @ts-ignore: decorator
@inline
function stepFrom(x: f64, below: f64, density: f64, bend: f64): f64 {
  const step = below / density;
  const turn = 1 - 0.5 * step * bend / density;
  return x - (turn > 0.5 && turn < 2 ? step / turn : step);
}

// Part f of row r has its mean and standard deviation at laws + 16(fn + r); the weights add up to `total`. `first` and
// `second` are the levels' quantiles of the standard normal law.
export function mixtureEnds(
  ends: usize, laws: usize, weights: usize, n: i32, parts: i32,
  total: f64, lower: f64, upper: f64, first: f64, second: f64,
): void {
  const stride = <usize>n << 4;
  const wanted = f64x2.replace_lane(f64x2.splat(lower * total), 1, upper * total);
  for (let r: usize = 0; r < <usize>n; r++) {
    const law = laws + (r << 4);
    let mean: f64 = 0, narrowest: f64 = Infinity;
    for (let f = 0, at = law; f < parts; f++, at += stride) {
      mean += load<f64>(weights + (<usize>f << 3)) * load<f64>(at);
      narrowest = min(narrowest, load<f64>(at + 8));
    }
    mean /= total;
    let square: f64 = 0, third: f64 = 0, fourth: f64 = 0;
    for (let f = 0, at = law; f < parts; f++, at += stride) {
      const w = load<f64>(weights + (<usize>f << 3)), d = load<f64>(at) - mean, s = load<f64>(at + 8);
      const d2 = d * d, s2 = s * s;
      square += w * (d2 + s2);
      third += w * d * (d2 + 3 * s2);
      fourth += w * (d2 * (d2 + 6 * s2) + 3 * s2 * s2);
    }
    const variance = square / total, sd = sqrt(variance);
    const skew = third / (total * variance * sd), excess = fourth / (total * variance * variance) - 3;
    let low = mean + bent(first, skew, excess) * sd;
    let high = mean + bent(second, skew, excess) * sd;
    let found = false;
    for (let i = 0; i < STEPS && !found; i++) {
      const x = f64x2.replace_lane(f64x2.splat(low), 1, high);
      let below = f64x2.neg(wanted), density = f64x2.splat(0), bend = f64x2.splat(0);
      for (let f = 0, at = law; f < parts; f++, at += stride) {
        const narrow = f64x2.splat(1 / load<f64>(at + 8));
        const w = f64x2.splat(load<f64>(weights + (<usize>f << 3)));
        const z = f64x2.mul(f64x2.sub(x, f64x2.splat(load<f64>(at))), narrow);
        const bell = exp64(f64x2.mul(f64x2.splat(-0.5), f64x2.mul(z, z)));
        const away = f64x2.mul(f64x2.abs(z), f64x2.splat(0.7071067811865476));
        const tail = f64x2.mul(f64x2.splat(0.5), f64x2.mul(bell, scaledErfc(away)));
        const under = v128.bitselect(f64x2.sub(f64x2.splat(1), tail), tail, f64x2.gt(z, f64x2.splat(0)));
        below = f64x2.add(below, f64x2.mul(w, under));
        const height = f64x2.mul(f64x2.mul(w, f64x2.splat(0.3989422804014327)), f64x2.mul(bell, narrow));
        density = f64x2.add(density, height);
        bend = f64x2.sub(bend, f64x2.mul(height, f64x2.mul(z, narrow)));
      }
      const nextLow = stepFrom(
        low, f64x2.extract_lane(below, 0), f64x2.extract_lane(density, 0), f64x2.extract_lane(bend, 0),
      );
      const nextHigh = stepFrom(
        high, f64x2.extract_lane(below, 1), f64x2.extract_lane(density, 1), f64x2.extract_lane(bend, 1),
      );
      found =
        abs(nextLow - low) < max(LAST_STEP * narrowest, 1e-9 * (1 + abs(low))) &&
        abs(nextHigh - high) < max(LAST_STEP * narrowest, 1e-9 * (1 + abs(high)));
      low = nextLow;
      high = nextHigh;
    }
    store<f64>(ends + (r << 4), found && narrowest > 0 ? low : NaN);
    store<f64>(ends + (r << 4) + 8, found && narrowest > 0 ? high : NaN);
  }
}
