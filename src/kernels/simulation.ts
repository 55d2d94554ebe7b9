/** The kernels of simulated data (kernels/simulation.ts) and the memory that they work in: one for a thread. */

import { edge, height } from "../math/normal.js";
import { simulationBinary } from "./binary.js";

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
  /** Where the edges of the layers of the ziggurat are, and the powers of ten. */
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

let room: SimulationRoom | undefined;

/** Compiled when first asked for. */
export function simulationRoom(): SimulationRoom {
  room ??= newRoom();
  return room;
}

function newRoom(): SimulationRoom {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
  const module = new WebAssembly.Module(Uint8Array.from(atob(simulationBinary), (c) => c.charCodeAt(0)));
  // The engine's own functions, as the readable form has them: not a bit may differ.
  const env = { memory, exp: Math.exp, log: Math.log };
  const kernels = new WebAssembly.Instance(module, { env }).exports as unknown as SimulationKernels;
  const doubles = new Float64Array(memory.buffer);
  doubles.set(edge, EDGES / 8);
  doubles.set(height, EDGES / 8 + edge.length);
  new BigUint64Array(memory.buffer).set(powersOfTen(), POWERS / 8);
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

/** 10^k, k = −31 … 45: the upper 64 bits, rounded up. */
function powersOfTen(): BigUint64Array {
  return BigUint64Array.from({ length: 77 }, (_, i) => {
    const k = i - 31;
    const shift = BigInt(63 - Math.floor(k * Math.log2(10)));
    const [up, down] = [10n ** BigInt(Math.max(k, 0)), 10n ** BigInt(Math.max(-k, 0))];
    const [over, under] = shift > 0n ? [up << shift, down] : [up, down << -shift];
    return (over + under - 1n) / under;
  });
}
