// Gram matrices: two columns against a panel, a tile of two by four sums in registers, so that six loads feed eight
// products. What panelDots does for one column, at about twice the speed.
import { CHUNK, total, widened } from "./lanes";
import { panelDots } from "./panels";

// @ts-ignore: decorator
@inline
function addTo(out: usize, value: v128): void {
  store<f64>(out, load<f64>(out) + total(value));
}

// @ts-ignore: decorator
@inline
function times(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

function tile4(out: usize, next: usize, x: usize, y: usize, p: usize, stride: usize, n: i32): void {
  const q = p + stride, r = q + stride, s = r + stride;
  const zero = f64x2.splat(0);
  let A = zero, B = zero, C = zero, D = zero, E = zero, F = zero, G = zero, H = zero;
  let i = 0;
  while (i + 4 <= n) {
    const end = min(i + CHUNK, n & ~3);
    let a = f32x4.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (; i < end; i += 4) {
      const k = <usize>i << 2;
      const xi = v128.load(x + k), yi = v128.load(y + k);
      let w = v128.load(p + k);
      a = times(a, xi, w);
      e = times(e, yi, w);
      w = v128.load(q + k);
      b = times(b, xi, w);
      f = times(f, yi, w);
      w = v128.load(r + k);
      c = times(c, xi, w);
      g = times(g, yi, w);
      w = v128.load(s + k);
      d = times(d, xi, w);
      h = times(h, yi, w);
    }
    A = f64x2.add(A, widened(a));
    B = f64x2.add(B, widened(b));
    C = f64x2.add(C, widened(c));
    D = f64x2.add(D, widened(d));
    E = f64x2.add(E, widened(e));
    F = f64x2.add(F, widened(f));
    G = f64x2.add(G, widened(g));
    H = f64x2.add(H, widened(h));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const xi = f64x2.splat(<f64>load<f32>(x + k)), yi = f64x2.splat(<f64>load<f32>(y + k));
    let w = f64x2.replace_lane(zero, 0, <f64>load<f32>(p + k));
    A = f64x2.add(A, f64x2.mul(xi, w));
    E = f64x2.add(E, f64x2.mul(yi, w));
    w = f64x2.replace_lane(zero, 0, <f64>load<f32>(q + k));
    B = f64x2.add(B, f64x2.mul(xi, w));
    F = f64x2.add(F, f64x2.mul(yi, w));
    w = f64x2.replace_lane(zero, 0, <f64>load<f32>(r + k));
    C = f64x2.add(C, f64x2.mul(xi, w));
    G = f64x2.add(G, f64x2.mul(yi, w));
    w = f64x2.replace_lane(zero, 0, <f64>load<f32>(s + k));
    D = f64x2.add(D, f64x2.mul(xi, w));
    H = f64x2.add(H, f64x2.mul(yi, w));
  }
  addTo(out, A);
  addTo(out + 8, B);
  addTo(out + 16, C);
  addTo(out + 24, D);
  addTo(next, E);
  addTo(next + 8, F);
  addTo(next + 16, G);
  addTo(next + 24, H);
}

function tile1(out: usize, next: usize, x: usize, y: usize, p: usize, n: i32): void {
  const zero = f64x2.splat(0);
  let A = zero, B = zero;
  let i = 0;
  while (i + 4 <= n) {
    const end = min(i + CHUNK, n & ~3);
    let a = f32x4.splat(0), b = a;
    for (; i < end; i += 4) {
      const k = <usize>i << 2;
      const w = v128.load(p + k);
      a = times(a, v128.load(x + k), w);
      b = times(b, v128.load(y + k), w);
    }
    A = f64x2.add(A, widened(a));
    B = f64x2.add(B, widened(b));
  }
  for (; i < n; i++) {
    const k = <usize>i << 2;
    const w = f64x2.replace_lane(zero, 0, <f64>load<f32>(p + k));
    A = f64x2.add(A, f64x2.mul(f64x2.splat(<f64>load<f32>(x + k)), w));
    B = f64x2.add(B, f64x2.mul(f64x2.splat(<f64>load<f32>(y + k)), w));
  }
  addTo(out, A);
  addTo(next, B);
}

// out[c] += Σ x·panel_c and out[k + c] += Σ y·panel_c, for the k columns of a panel that lie `stride` elements apart
// (float64)
export function tileDots(out: usize, x: usize, y: usize, panel: usize, stride: i32, k: i32, n: i32): void {
  const bytes = <usize>stride << 2;
  const next = out + (<usize>k << 3);
  let c = 0;
  for (; c + 4 <= k; c += 4) {
    const at = <usize>c << 3;
    tile4(out + at, next + at, x, y, panel + <usize>c * bytes, bytes, n);
  }
  for (; c < k; c++) {
    const at = <usize>c << 3;
    tile1(out + at, next + at, x, y, panel + <usize>c * bytes, n);
  }
}

// out[k·j + c] += Σ x_j·panel_c for the columns of a block and the k of a panel, all `stride` elements apart (float64)
export function blockDots(out: usize, block: usize, columns: i32, stride: i32, panel: usize, k: i32, n: i32): void {
  if (k === 1) {
    panelDots(out, panel, block, stride, columns, n);
    return;
  }
  const bytes = <usize>stride << 2;
  let j = 0;
  for (; j + 2 <= columns; j += 2) {
    const x = block + <usize>j * bytes;
    tileDots(out + (<usize>(k * j) << 3), x, x + bytes, panel, stride, k, n);
  }
  if (j < columns) panelDots(out + (<usize>(k * j) << 3), block + <usize>j * bytes, panel, stride, k, n);
}
