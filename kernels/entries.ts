// Passes over sparse columns of a block, by their entries alone: `count` columns that have any, whose numbers `ids` rise
// from `first` on, with entries starts[i] … starts[i + 1] of `rows` and `values`.

// out[k·(id − first) + c] += Σ values·panel_c[rows], for k panel columns `stride` elements apart
export function entryDots(
  out: usize, ids: usize, starts: usize, rows: usize, values: usize, count: i32, first: i32,
  panel: usize, stride: i32, k: i32,
): void {
  const step = <usize>stride << 2;
  let from = <usize>load<u32>(starts) << 2;
  for (let i: usize = 0, end = <usize>count << 2; i < end; i += 4) {
    const to = <usize>load<u32>(starts + i, 4) << 2;
    let at = out + <usize>(load<i32>(ids + i) - first) * (<usize>k << 3);
    let column = panel;
    for (let c = 0; c < k; c++, at += 8, column += step) {
      let sum: f64 = 0;
      for (let e = from; e < to; e += 4) {
        sum += <f64>load<f32>(values + e) * <f64>load<f32>(column + (<usize>load<u32>(rows + e) << 2));
      }
      store<f64>(at, load<f64>(at) + sum);
    }
    from = to;
  }
}

// out[3·(id − first) … + 3) += Σ values, Σ values² and Σ values·y[rows]
export function entrySums(
  out: usize, ids: usize, starts: usize, rows: usize, values: usize, count: i32, first: i32, y: usize,
): void {
  let from = <usize>load<u32>(starts) << 2;
  for (let i: usize = 0, end = <usize>count << 2; i < end; i += 4) {
    const to = <usize>load<u32>(starts + i, 4) << 2;
    const at = out + 24 * <usize>(load<i32>(ids + i) - first);
    let sum: f64 = 0, squares: f64 = 0, products: f64 = 0;
    for (let e = from; e < to; e += 4) {
      const value = <f64>load<f32>(values + e);
      sum += value;
      squares += value * value;
      products += value * <f64>load<f32>(y + (<usize>load<u32>(rows + e) << 2));
    }
    store<f64>(at, load<f64>(at) + sum);
    store<f64>(at, load<f64>(at, 8) + squares, 8);
    store<f64>(at, load<f64>(at, 16) + products, 16);
    from = to;
  }
}

// out[k·(id − first) + parts[rows]] += values·r[rows]
export function entryParts(
  out: usize, ids: usize, starts: usize, rows: usize, values: usize, count: i32, first: i32,
  r: usize, parts: usize, k: i32,
): void {
  let from = <usize>load<u32>(starts) << 2;
  for (let i: usize = 0, end = <usize>count << 2; i < end; i += 4) {
    const to = <usize>load<u32>(starts + i, 4) << 2;
    const column = out + <usize>(load<i32>(ids + i) - first) * (<usize>k << 3);
    for (let e = from; e < to; e += 4) {
      const row = <usize>load<u32>(rows + e) << 2;
      const at = column + (<usize>load<u32>(parts + row) << 3);
      store<f64>(at, load<f64>(at) + <f64>load<f32>(values + e) * <f64>load<f32>(r + row));
    }
    from = to;
  }
}
