// Cross-products in float64: a product of two float32 numbers is exact there, so a Gram matrix of a million rows
// keeps the digits that differences of marginal likelihoods need. About three times slower than panelDots.

// @ts-ignore: decorator
@inline
function pair(p: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(p));
}

// out[c] += Σ x·panel_c for the k columns of a panel that lie `stride` elements apart
export function exactDots(out: usize, x: usize, panel: usize, stride: i32, k: i32, n: i32): void {
  for (let c = 0; c < k; c++) {
    const y = panel + (<usize>c * <usize>stride << 2);
    let s0 = f64x2.splat(0), s1 = f64x2.splat(0), s2 = f64x2.splat(0), s3 = f64x2.splat(0);
    let i = 0;
    for (; i + 8 <= n; i += 8) {
      const a = x + (<usize>i << 2), b = y + (<usize>i << 2);
      s0 = f64x2.add(s0, f64x2.mul(pair(a), pair(b)));
      s1 = f64x2.add(s1, f64x2.mul(pair(a + 8), pair(b + 8)));
      s2 = f64x2.add(s2, f64x2.mul(pair(a + 16), pair(b + 16)));
      s3 = f64x2.add(s3, f64x2.mul(pair(a + 24), pair(b + 24)));
    }
    const s = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
    let total = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
    for (; i < n; i++) total += <f64>load<f32>(x + (<usize>i << 2)) * <f64>load<f32>(y + (<usize>i << 2));
    const at = out + (<usize>c << 3);
    store<f64>(at, load<f64>(at) + total);
  }
}
