// Rows of a factor, two columns at a time in float64: see src/selection/posterior/factor-rows.ts.

// Takes `count` rows, the first of which is at `rows`, each times its entry at `column`, out of the row at `to`. All of it
// happens from the byte `first` of a row to the byte `end`; rows are `stride` bytes apart.
export function subtractRows(
  to: usize, rows: usize, stride: usize, count: i32, column: usize, first: usize, end: usize,
): void {
  const n = end - first;
  const paired = n & ~15;
  const out = to + first;
  let row = rows;
  let left = count;
  // Four at a time spare the memory.
  for (; left >= 4; left -= 4, row += stride << 2) {
    const at = row + column;
    const a = v128.load64_splat(at), b = v128.load64_splat(at + stride);
    const c = v128.load64_splat(at + 2 * stride), d = v128.load64_splat(at + 3 * stride);
    const p = row + first, q = p + stride, r = q + stride, s = r + stride;
    let i: usize = 0;
    for (; i < paired; i += 16) {
      const ab = f64x2.add(f64x2.mul(a, v128.load(p + i)), f64x2.mul(b, v128.load(q + i)));
      const cd = f64x2.add(f64x2.mul(c, v128.load(r + i)), f64x2.mul(d, v128.load(s + i)));
      v128.store(out + i, f64x2.sub(v128.load(out + i), f64x2.add(ab, cd)));
    }
    if (i < n) {
      const ab = f64x2.extract_lane(a, 0) * load<f64>(p + i) + f64x2.extract_lane(b, 0) * load<f64>(q + i);
      const cd = f64x2.extract_lane(c, 0) * load<f64>(r + i) + f64x2.extract_lane(d, 0) * load<f64>(s + i);
      store<f64>(out + i, load<f64>(out + i) - (ab + cd));
    }
  }
  for (; left > 0; left--, row += stride) {
    const a = v128.load64_splat(row + column);
    const p = row + first;
    let i: usize = 0;
    for (; i < paired; i += 16) {
      v128.store(out + i, f64x2.sub(v128.load(out + i), f64x2.mul(a, v128.load(p + i))));
    }
    if (i < n) store<f64>(out + i, load<f64>(out + i) - f64x2.extract_lane(a, 0) * load<f64>(p + i));
  }
}

// Turns a row and the one below, `stride` bytes long, so that the lower one is zero at `column`.
export function rotateRows(upper: usize, stride: usize, column: usize): void {
  const lower = upper + stride;
  const a = load<f64>(upper + column), b = load<f64>(lower + column);
  const h = Math.sqrt(a * a + b * b);
  const cosine = a / h, sine = b / h;
  const c = f64x2.splat(cosine), s = f64x2.splat(sine);
  const paired = stride & ~15;
  let i: usize = 0;
  for (; i < paired; i += 16) {
    const high = v128.load(upper + i), low = v128.load(lower + i);
    v128.store(upper + i, f64x2.add(f64x2.mul(c, high), f64x2.mul(s, low)));
    v128.store(lower + i, f64x2.sub(f64x2.mul(c, low), f64x2.mul(s, high)));
  }
  if (i < stride) {
    const high = load<f64>(upper + i), low = load<f64>(lower + i);
    store<f64>(upper + i, cosine * high + sine * low);
    store<f64>(lower + i, cosine * low - sine * high);
  }
}

// The rows of L⁻¹A, A = G + ρI of k columns, from those of G, both with one more entry at the end of each row. What stands
// before the diagonal is left alone. Columns that depend on each other leave rounding where the ridge should be: no pivot
// is smaller than `least`.
export function factorRows(
  rows: usize, gram: usize, stride: usize, k: i32, ridge: f64, least: f64,
): void {
  for (let i = 0; i < k; i++) {
    const row = rows + <usize>i * stride, column = <usize>i << 3;
    const diagonal = row + column;
    memory.copy(diagonal, gram + <usize>i * stride + column, stride - column);
    store<f64>(diagonal, load<f64>(diagonal) + ridge);
    subtractRows(row, rows, stride, i, column, column, stride);
    const pivot = max(load<f64>(diagonal), least);
    const root = Math.sqrt(pivot);
    const scale = f64x2.splat(1 / root);
    let at = diagonal + 8;
    const end = row + stride;
    for (; at + 16 <= end; at += 16) v128.store(at, f64x2.mul(v128.load(at), scale));
    if (at < end) store<f64>(at, load<f64>(at) / root);
    store<f64>(diagonal, root);
  }
}
