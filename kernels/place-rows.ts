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
