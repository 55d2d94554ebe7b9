import { flipsBinary } from "./binary.js";
import type { FlipArrays, FlipSum, FlipTerms } from "./flips.js";

const PAGE = 65536;
/** As the module is told when it is built. */
const MAX_PAGES = 65536;
/** Arrays of float64, two more numbers, and an array of int32 behind them. */
const WIDE = 6;
const MORE = 2;

type Kernel = (...places: number[]) => number;

/** One memory for all chains of a thread, since memories are dear: what a look needs is copied in and out. */
let memory: WebAssembly.Memory | undefined;
let kernel: Kernel;
/** Whose limits and offsets the memory holds. */
let held: Float64Array | undefined;
/** Room of each array, an even number of candidates. */
let room = 0;
let views: {
  readonly wide: readonly Float64Array[];
  readonly shift: Float64Array;
  readonly place: Int32Array;
};
/** Where they lie. */
let at: readonly number[] = [];

function makeRoom(size: number): void {
  room = size + (size & 1);
  held = undefined;
  const pages = Math.ceil((room * (8 * WIDE + 4) + 8 * MORE) / PAGE);
  if (!memory) {
    memory = new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES });
    // A few kB: compiled sooner than asked for.
    const module = new WebAssembly.Module(Uint8Array.from(atob(flipsBinary), (c) => c.charCodeAt(0)));
    kernel = new WebAssembly.Instance(module, { env: { memory } }).exports.flips as Kernel;
  }
  const missing = pages - memory.buffer.byteLength / PAGE;
  if (missing > 0) memory.grow(missing);
  const { buffer } = memory;
  views = {
    wide: Array.from({ length: WIDE }, (_, i) => new Float64Array(buffer, 8 * i * room, room)),
    shift: new Float64Array(buffer, 8 * WIDE * room, MORE),
    place: new Int32Array(buffer, 8 * (WIDE * room + MORE), room),
  };
  at = [...views.wide, views.shift, views.place].map(({ byteOffset }) => byteOffset);
  // What lies past the end of an odd number is kept out.
  for (const view of views.wide) view.fill(0);
  views.place.fill(0);
}

export function wasmFlips(arrays: FlipArrays, terms: FlipTerms): FlipSum {
  const size = arrays.pivot.length;
  if (size + (size & 1) !== room) makeRoom(size);
  const [rate, inside, pivot, score, least, offset] = views.wide;
  if (held !== arrays.least) {
    least.set(arrays.least);
    offset.set(arrays.offset);
    if (size < room) views.place[size] = 0;
    held = arrays.least;
  }
  pivot.set(arrays.pivot);
  score.set(arrays.score);
  views.place.set(arrays.place);
  const { base, half, power, share, saturated, worth, spread, top } = terms;
  const likelihood = [half, power, share, saturated, worth] as const;
  const sum = kernel(...at, size, base, ...likelihood, spread, top);
  arrays.rate.set(size === room ? rate : rate.subarray(0, size));
  arrays.inside.set(size === room ? inside : inside.subarray(0, size));
  return { sum, shift: views.shift[0] };
}
