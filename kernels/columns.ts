// A column on its way into a store, in one go: out = x − shift in float32, with its sum and the two lanes of its checksum
// (src/tables/checksum.ts), which are read from `state` (float64, int32, int32) and written back. Sums follow the order of
// rows, one by one, so that they are those of any other way to read the column. `out` may lie where x does.

// @ts-ignore: decorator
@inline
function mixed(hash: i32, word: i32): i32 {
  return (rotl<i32>(hash, 13) ^ word) * <i32>0x9e3779b1;
}

// @ts-ignore: decorator
@inline
function settle<T>(out: usize, x: usize, shift: f64, n: i32, state: usize): void {
  let sum = load<f64>(state);
  let low = load<i32>(state, 8), high = load<i32>(state, 12);
  const end = x + <usize>n * sizeof<T>();
  for (; x < end; x += sizeof<T>(), out += 4) {
    const value = <f64>load<T>(x);
    const bits = reinterpret<i64>(value);
    low = mixed(low, <i32>bits);
    high = mixed(high, <i32>(bits >> 32));
    // Adding 0 turns −0 into 0.
    const stored = <f32>(value - shift + 0.0);
    store<f32>(out, stored);
    sum += <f64>stored;
  }
  store<f64>(state, sum);
  store<i32>(state, low, 8);
  store<i32>(state, high, 12);
}

export function settleFloats(out: usize, x: usize, shift: f64, n: i32, state: usize): void {
  settle<f32>(out, x, shift, n, state);
}

export function settleDoubles(out: usize, x: usize, shift: f64, n: i32, state: usize): void {
  settle<f64>(out, x, shift, n, state);
}
