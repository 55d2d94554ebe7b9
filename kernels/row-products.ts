// Adds Σ_r w_r·u_ra·u_rb to sums[a, b], b ≤ a, of all columns that n rows have entries in. Entries of row r stand from
// starts[r] on, places of columns rising; rows of sums are `stride` bytes apart.
export function rowProducts(
  sums: usize, weights: usize, starts: usize, which: usize, values: usize, n: i32, stride: usize,
): void {
  let from: usize = 0;
  for (let r = 0; r < n; r++) {
    const weight = <f64>load<f32>(weights + (<usize>r << 2));
    const to = <usize>load<u32>(starts + (<usize>r << 2) + 4) << 2;
    for (let a = from; a < to; a += 4) {
      const row = sums + <usize>load<u32>(which + a) * stride;
      const weighted = weight * <f64>load<f32>(values + a);
      for (let b = from; b <= a; b += 4) {
        const at = row + (<usize>load<u32>(which + b) << 3);
        store<f64>(at, load<f64>(at) + weighted * <f64>load<f32>(values + b));
      }
    }
    from = to;
  }
}
