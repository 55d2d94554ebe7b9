/** The kernels of simulated data (kernels/simulation.ts) and the memory that they work in: one for a thread. */

import { edge, height } from "../math/normal.js";
import { simulationBinary } from "./embedded/simulation.js";
import { fromBase64 } from "./from-base64.js";

export interface SimulationKernels {
  /** See kernels/normals.ts. */
  readonly drawShared: (
    shared: number,
    y: number,
    state: number,
    edge: number,
    a: number,
    noisy: number,
    noise: number,
    n: number,
  ) => void;
  readonly drawColumns: (
    out: number,
    stride: number,
    k: number,
    shared: number,
    state: number,
    edge: number,
    a: number,
    n: number,
  ) => void;
  /** See kernels/decimals.ts. */
  readonly writeLines: (out: number, values: number, rows: number, k: number, powers: number) => number;
  readonly turnRows: (
    out: number,
    width: number,
    columns: number,
    stride: number,
    k: number,
    first: number,
    rows: number,
  ) => void;
}

export interface SimulationRoom {
  readonly kernels: SimulationKernels;
  /** Where the edges of the layers of the ziggurat are, and what decimals need of powers of ten. */
  readonly edges: number;
  readonly powers: number;
  /** Where the room for whoever works here begins: a multiple of 16. */
  readonly free: number;
  /** What views look into, with room for so many bytes from `free` on. Views made before may end. */
  buffer(bytes: number): ArrayBuffer;
}

const PAGE = 65536;
const MAX_PAGES = 65536;
const EDGES = 0;
const POWERS = 8192;
const FREE = 16384;
/** As in kernels/decimals.ts. */
const FIRST_EXACT = 111;
const EXACT = 39;

let room: SimulationRoom | undefined;

/** Compiled when first asked for. */
export function simulationRoom(): SimulationRoom {
  room ??= newRoom();
  return room;
}

function newRoom(): SimulationRoom {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
  const module = new WebAssembly.Module(fromBase64(simulationBinary));
  // The engine's own functions, as the readable form has them: not a bit may differ.
  const env = { memory, exp: Math.exp, log: Math.log };
  const kernels = new WebAssembly.Instance(module, { env }).exports as unknown as SimulationKernels;
  const doubles = new Float64Array(memory.buffer);
  doubles.set(edge, EDGES / 8);
  doubles.set(height, EDGES / 8 + edge.length);
  new Uint8Array(memory.buffer).set(new Uint8Array(decimalPowers().buffer), POWERS);
  return {
    kernels,
    edges: EDGES,
    powers: POWERS,
    free: FREE,
    buffer(bytes) {
      const lacking = Math.ceil((FREE + bytes - memory.buffer.byteLength) / PAGE);
      if (lacking > 0) memory.grow(lacking);
      return memory.buffer as ArrayBuffer;
    },
  };
}

/**
 * What Schubfach needs of a float32 number c·2^q, by its exponent: k = ⌊log₁₀ 2^q⌋, the upper 64 bits of 10^−k, rounded
 * up, and by how much to shift c so that they make a number of 32 bits. Behind those of all exponents the same for c a
 * power of two, where k = ⌊log₁₀ ¾·2^q⌋. Where c·10^−k has no more than 64 bits, 10^−k stands as it is.
 */
function decimalPowers(): DataView {
  const table = new DataView(new ArrayBuffer(2 * 256 * 16));
  for (let biased = 0; biased < 255; biased++) {
    const q = Math.max(1, biased) - 150;
    for (const [i, log] of [q * Math.log10(2), Math.log10(0.75) + q * Math.log10(2)].entries()) {
      const k = Math.floor(log);
      const below = Math.floor(-k * Math.log2(10));
      const at = 16 * (256 * i + biased);
      const isExact = i === 0 && biased >= FIRST_EXACT && biased < FIRST_EXACT + EXACT;
      table.setBigUint64(at, upperBits(-k, isExact ? 0 : 63 - below), true);
      table.setInt32(at + 8, q + below + 1, true);
      table.setInt32(at + 12, k, true);
    }
  }
  return table;
}

/** 10^k·2^shift, rounded up. */
function upperBits(k: number, shift: number): bigint {
  const up = (10n ** BigInt(Math.max(k, 0))) << BigInt(Math.max(shift, 0));
  const down = (10n ** BigInt(Math.max(-k, 0))) << BigInt(Math.max(-shift, 0));
  return (up + down - 1n) / down;
}
