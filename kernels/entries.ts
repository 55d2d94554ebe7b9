// Passes over sparse columns of a block, by their entries alone: `count` columns that have any, whose numbers `ids` rise
// from `first` on, with entries starts[i] … starts[i + 1] of `rows` and `values`.
import { loadWide } from "./lanes";

// @ts-ignore: decorator
@inline
function add(at: usize, sum: v128): void {
  v128.store(at, f64x2.add(v128.load(at), sum));
}

// out[k·(id − first) + c] += Σ values·r[rows, c], for k numbers c of every row, one row after the other: what an entry
// meets lies together
export function entryDots(
  out: usize, ids: usize, starts: usize, rows: usize, values: usize, count: i32, first: i32, r: usize, k: i32,
): void {
  const row = <usize>k << 2;
  let from = <usize>load<u32>(starts) << 2;
  for (let i: usize = 0, end = <usize>count << 2; i < end; i += 4) {
    const to = <usize>load<u32>(starts + i, 4) << 2;
    let at = out + <usize>(load<i32>(ids + i) - first) * (row << 1);
    let numbers = r;
    let left = k;
    for (; left >= 8; left -= 8, at += 64, numbers += 32) {
      let a = f64x2.splat(0), b = a, c = a, d = a;
      for (let e = from; e < to; e += 4) {
        const value = f64x2.splat(<f64>load<f32>(values + e));
        const p = numbers + <usize>load<u32>(rows + e) * row;
        a = f64x2.add(a, f64x2.mul(value, loadWide(p)));
        b = f64x2.add(b, f64x2.mul(value, loadWide(p + 8)));
        c = f64x2.add(c, f64x2.mul(value, loadWide(p + 16)));
        d = f64x2.add(d, f64x2.mul(value, loadWide(p + 24)));
      }
      add(at, a);
      add(at + 16, b);
      add(at + 32, c);
      add(at + 48, d);
    }
    for (; left >= 2; left -= 2, at += 16, numbers += 8) {
      let a = f64x2.splat(0);
      for (let e = from; e < to; e += 4) {
        const value = f64x2.splat(<f64>load<f32>(values + e));
        a = f64x2.add(a, f64x2.mul(value, loadWide(numbers + <usize>load<u32>(rows + e) * row)));
      }
      add(at, a);
    }
    if (left > 0) {
      let a: f64 = 0;
      for (let e = from; e < to; e += 4) {
        a += <f64>load<f32>(values + e) * <f64>load<f32>(numbers + <usize>load<u32>(rows + e) * row);
      }
      store<f64>(at, load<f64>(at) + a);
    }
    from = to;
  }
}

// out[row, c] = panel_c[row], for k panel columns `stride` elements apart
export function turn(out: usize, panel: usize, stride: i32, k: i32, n: i32): void {
  const row = <usize>k << 2;
  for (let c = 0; c < k; c++) {
    const column = panel + (<usize>c * <usize>stride << 2);
    let to = out + (<usize>c << 2);
    for (let i: usize = 0, end = <usize>n << 2; i < end; i += 4, to += row) store<f32>(to, load<f32>(column + i));
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
