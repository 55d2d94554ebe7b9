// Entries of rows: eight bytes each, the place of a column and the number there; those of row r stand from starts[r] on,
// places rising.

// Adds Σ_r w_r·u_ra·u_rb to sums[a, b], b ≤ a, of all columns that n rows have entries in; rows of sums are `stride`
// bytes apart.
export function rowProducts(
  sums: usize, weights: usize, starts: usize, entries: usize, n: i32, stride: usize,
): void {
  let from: usize = entries;
  for (let r = 0; r < n; r++) {
    const weight = <f64>load<f32>(weights + (<usize>r << 2));
    const to = entries + (<usize>load<u32>(starts + (<usize>r << 2) + 4) << 3);
    for (let a = from; a < to; a += 8) {
      const row = sums + <usize>load<u32>(a) * stride;
      const weighted = weight * <f64>load<f32>(a + 4);
      for (let b = from; b <= a; b += 8) {
        const at = row + (<usize>load<u32>(b) << 3);
        store<f64>(at, load<f64>(at) + weighted * <f64>load<f32>(b + 4));
      }
    }
    from = to;
  }
}

// Of the entries of n rows those in some columns: `places` says where each column is among them, or −1. Returns how many.
export function pickRows(
  toStarts: usize, toEntries: usize, places: usize, starts: usize, entries: usize, n: i32,
): i32 {
  let e = entries, to = toEntries;
  store<u32>(toStarts, 0);
  for (let r: usize = 0; r < <usize>n; r++) {
    const end = entries + (<usize>load<u32>(starts + (r << 2) + 4) << 3);
    for (; e < end; e += 8) {
      const place = load<i32>(places + (<usize>load<u32>(e) << 2));
      // Written in any case, and written over where the column is not among them: no branch that could be mistaken.
      store<i32>(to, place);
      store<f32>(to, load<f32>(e + 4), 4);
      to += <usize>((<u32>place >> 31) ^ 1) << 3;
    }
    store<u32>(toStarts + (r << 2) + 4, <u32>((to - toEntries) >> 3));
  }
  return <i32>((to - toEntries) >> 3);
}
