// Standard normals by the ziggurat over xoshiro128++, draw for draw those of src/math/normal.ts and src/math/rng.ts,
// which are the readable form. About one draw in a hundred needs an exponential or a logarithm: they are the caller's
// own, so that not a bit differs.

// @ts-ignore: decorator
@external("env", "exp")
declare function exp(x: f64): f64;
// @ts-ignore: decorator
@external("env", "log")
declare function log(x: f64): f64;

const R: f64 = 3.654152885361009;
const LAYERS: usize = 256;

// The state of the generator, while a call lasts.
let s0: u32 = 0;
let s1: u32 = 0;
let s2: u32 = 0;
let s3: u32 = 0;

// @ts-ignore: decorator
@inline
function uint32(): u32 {
  const result = rotl<u32>(s0 + s3, 7) + s0;
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  s2 ^= t;
  s3 = rotl<u32>(s3, 11);
  return result;
}

function uniform(): f64 {
  const high = <f64>(uint32() >>> 5);
  return (high * 67108864.0 + <f64>(uint32() >>> 6)) * 1.1102230246251565e-16;
}

function uniformOpen(): f64 {
  const high = <f64>(uint32() >>> 6);
  return (high * 67108864.0 + <f64>(uint32() >>> 6) + 0.5) * 2.220446049250313e-16;
}

function tail(): f64 {
  let x: f64, y: f64;
  do {
    x = -log(uniformOpen()) / R;
    y = -log(uniformOpen());
  } while (2 * y <= x * x);
  return R + x;
}

// Where a point falls into a layer: the edges of the layers are followed by the heights.
// @ts-ignore: decorator
@inline
function within(edge: usize, bits: u32, fine: u32): f64 {
  return (<f64>(<i32>bits >> 9) * 2.384185791015625e-7 + <f64>fine * 5.551115123125783e-17) * load<f64>(edge + <usize>((bits & 255) << 3));
}

// A draw whose first two words are known not to be enough, or are none.
function slow(edge: usize, bits: u32, fine: u32): f64 {
  let x = within(edge, bits, fine);
  let layer = edge + <usize>((bits & 255) << 3);
  while (abs<f64>(x) >= load<f64>(layer, 8)) {
    if (layer === edge) return x < 0 ? -tail() : tail();
    const height = layer + ((LAYERS + 1) << 3);
    const low = load<f64>(height);
    if (low + uniform() * (load<f64>(height, 8) - low) < exp(-0.5 * x * x)) break;
    const next = uint32();
    x = within(edge, next, uint32());
    layer = edge + <usize>((next & 255) << 3);
  }
  return x;
}

function normal(edge: usize): f64 {
  const bits = uint32();
  return slow(edge, bits, uint32());
}

// @ts-ignore: decorator
@inline
function take(state: usize): void {
  s0 = load<u32>(state);
  s1 = load<u32>(state, 4);
  s2 = load<u32>(state, 8);
  s3 = load<u32>(state, 12);
}

// @ts-ignore: decorator
@inline
function put(state: usize): void {
  store<u32>(state, s0);
  store<u32>(state, s1, 4);
  store<u32>(state, s2, 8);
  store<u32>(state, s3, 12);
}

// shared = a·ξ and, where there is noise, y = noise·ξ' for n rows; in turns, as they are drawn
export function drawShared(
  shared: usize, y: usize, state: usize, edge: usize, a: f64, noisy: bool, noise: f64, n: i32,
): void {
  take(state);
  for (let i: usize = 0; i < <usize>n; i++) {
    store<f64>(shared + (i << 3), a * normal(edge));
    store<f64>(y + (i << 3), noisy ? noise * normal(edge) : 0);
  }
  put(state);
}

// k columns of n numbers, shared + a·ξ in float32, `stride` bytes from one to the next. The state is held in locals,
// which stay in registers, and handed over only to draws that need more than two words.
export function drawColumns(
  out: usize, stride: usize, k: i32, shared: usize, state: usize, edge: usize, a: f64, n: i32,
): void {
  let a0 = load<u32>(state), a1 = load<u32>(state, 4), a2 = load<u32>(state, 8), a3 = load<u32>(state, 12);
  const end = shared + (<usize>n << 3);
  for (let j = 0; j < k; j++) {
    let to = out;
    for (let from = shared; from < end; from += 8) {
      const bits = rotl<u32>(a0 + a3, 7) + a0;
      let t = a1 << 9;
      a2 ^= a0;
      a3 ^= a1;
      a1 ^= a2;
      a0 ^= a3;
      a2 ^= t;
      a3 = rotl<u32>(a3, 11);
      const fine = rotl<u32>(a0 + a3, 7) + a0;
      t = a1 << 9;
      a2 ^= a0;
      a3 ^= a1;
      a1 ^= a2;
      a0 ^= a3;
      a2 ^= t;
      a3 = rotl<u32>(a3, 11);
      let x = within(edge, bits, fine);
      if (abs<f64>(x) >= load<f64>(edge + <usize>((bits & 255) << 3), 8)) {
        s0 = a0;
        s1 = a1;
        s2 = a2;
        s3 = a3;
        x = slow(edge, bits, fine);
        a0 = s0;
        a1 = s1;
        a2 = s2;
        a3 = s3;
      }
      store<f32>(to, <f32>(load<f64>(from) + a * x));
      to += 4;
    }
    out += stride;
  }
  s0 = a0;
  s1 = a1;
  s2 = a2;
  s3 = a3;
  put(state);
}
