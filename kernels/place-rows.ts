// Mean and variance of the linear predictor of n rows under one model of k members, two numbers each to `law`: see
// src/prediction/row-predictor.ts. By what row r differs from the base stands from starts[r] on, the variable and how much;
// `place` is where the model has each variable, or −1. `which` and `by` are room for k entries each.
export function placeRows(
  law: usize, mean: usize, tilt: usize, covariance: usize, by: usize, away: usize,
  starts: usize, variables: usize, place: usize, which: usize, n: i32, k: i32, eta: f64, variance: f64,
): void {
  const stride = <usize>k << 3;
  let at: usize = 0;
  for (let r: usize = 0; r < <usize>n; r++) {
    let m = eta, v = variance;
    let count: usize = 0;
    const end = <usize>load<i32>(starts + (r << 2) + 4);
    for (; at < end; at++) {
      const a = load<i32>(place + (<usize>load<i32>(variables + (at << 2)) << 2));
      if (a < 0) continue;
      const e = load<f64>(away + (at << 3));
      const column = <usize>a << 3;
      const row = covariance + <usize>a * stride;
      m += load<f64>(mean + column) * e;
      let slope = load<f64>(tilt + column) + 0.5 * load<f64>(row + column) * e;
      for (let q: usize = 0; q < count; q++) {
        slope += load<f64>(row + (<usize>load<i32>(which + (q << 2)) << 3)) * load<f64>(by + (q << 3));
      }
      v += 2 * e * slope;
      store<i32>(which + (count << 2), a);
      store<f64>(by + (count << 3), e);
      count++;
    }
    store<f64>(law + (r << 4), m);
    store<f64>(law + (r << 4) + 8, v);
  }
}

// The same of rows that differ from the base in most variables, n of them, a multiple of four: `away` has one variable after
// the other, `stride` bytes apart, `members` which ones the model has. `by` is room for four times k float64.
export function placeDense(
  law: usize, mean: usize, tilt: usize, covariance: usize, by: usize, away: usize,
  members: usize, stride: usize, n: i32, k: i32, eta: f64, variance: f64,
): void {
  const row = <usize>k << 3;
  const two = f64x2.splat(2), half = f64x2.splat(0.5);
  for (let r: usize = 0; r < <usize>n << 3; r += 32) {
    let m = f64x2.splat(eta), n = m, v = f64x2.splat(variance), w = v;
    for (let a: usize = 0; a < <usize>k; a++) {
      const from = away + <usize>load<u32>(members + (a << 2)) * stride + r;
      const d = v128.load(from), e = v128.load(from, 16);
      const mine = by + (a << 5), own = covariance + a * row;
      v128.store(mine, d);
      v128.store(mine, e, 16);
      const slope = v128.load64_splat(mean + (a << 3));
      m = f64x2.add(m, f64x2.mul(slope, d));
      n = f64x2.add(n, f64x2.mul(slope, e));
      const tilted = v128.load64_splat(tilt + (a << 3));
      const square = f64x2.mul(half, v128.load64_splat(own + (a << 3)));
      let s = f64x2.add(tilted, f64x2.mul(square, d)), t = f64x2.add(tilted, f64x2.mul(square, e));
      for (let q: usize = 0; q < a; q++) {
        const c = v128.load64_splat(own + (q << 3));
        s = f64x2.add(s, f64x2.mul(c, v128.load(by + (q << 5))));
        t = f64x2.add(t, f64x2.mul(c, v128.load(by + (q << 5), 16)));
      }
      v = f64x2.add(v, f64x2.mul(f64x2.mul(two, d), s));
      w = f64x2.add(w, f64x2.mul(f64x2.mul(two, e), t));
    }
    const to = law + (r << 1);
    v128.store(to, v128.shuffle<f64>(m, v, 0, 2));
    v128.store(to, v128.shuffle<f64>(m, v, 1, 3), 16);
    v128.store(to, v128.shuffle<f64>(n, w, 0, 2), 32);
    v128.store(to, v128.shuffle<f64>(n, w, 1, 3), 48);
  }
}
