import { chainBuffer, chainKernels, Region } from "./chain-memory.js";
import type { FlipArrays, FlipSum, FlipTerms } from "./flips.js";

/** Arrays of float64, two more numbers, and an array of int32 behind them. */
const WIDE = 6;
const MORE = 2;
const bytesFor = (room: number): number => room * (8 * WIDE + 4) + 8 * MORE;

/** One place for all chains of a thread: what a look needs is copied in and out. */
const region = new Region();
/** Whose limits and offsets it holds. */
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
  region.hold(bytesFor(room));
  lookIn();
  // What lies past the end of an odd number is kept out.
  for (const view of views.wide) view.fill(0);
  views.place.fill(0);
}

function lookIn(): void {
  const buffer = chainBuffer();
  const place = region.pointer;
  const after = place + 8 * WIDE * room;
  views = {
    wide: Array.from({ length: WIDE }, (_, i) => new Float64Array(buffer, place + 8 * i * room, room)),
    shift: new Float64Array(buffer, after, MORE),
    place: new Int32Array(buffer, after + 8 * MORE, room),
  };
  at = [...views.wide, views.shift, views.place].map(({ byteOffset }) => byteOffset);
}

export function wasmFlips(arrays: FlipArrays, terms: FlipTerms): FlipSum {
  const size = arrays.pivot.length;
  if (size + (size & 1) !== room) makeRoom(size);
  else if (views.shift.buffer !== chainBuffer()) lookIn();
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
  const sum = chainKernels().flips(...at, size, base, ...likelihood, spread, top);
  arrays.rate.set(size === room ? rate : rate.subarray(0, size));
  arrays.inside.set(size === room ? inside : inside.subarray(0, size));
  return { sum, shift: views.shift[0] };
}
