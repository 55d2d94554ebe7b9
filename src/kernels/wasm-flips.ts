import { chainBuffer, chainKernels, Region } from "./chain-memory.js";
import type { FlipArrays, FlipSum, FlipTerms } from "./flips.js";
import { type HeldArrays, heldArrays } from "./held-arrays.js";

/** One place for all chains of a thread: what a look needs is copied in and out. */
const region = new Region();
/** Whose limits and offsets it holds. */
let held: Float64Array | undefined;
/** Room of each array, an even number of candidates. */
let room = 0;
let arrays: HeldArrays<"rate" | "inside" | "pivot" | "score" | "least" | "offset" | "shift", "place">;

function makeRoom(size: number): void {
  room = size + (size & 1);
  held = undefined;
  lookIn();
  // What lies past the end of an odd number is kept out.
  for (const values of Object.values(arrays.values)) values.fill(0);
}

function lookIn(): void {
  const each = { rate: room, inside: room, pivot: room, score: room, least: room, offset: room };
  // Of two numbers, so that what is behind lies even.
  arrays = heldArrays(region, { ...each, shift: 2 }, { place: room });
}

export function wasmFlips(given: FlipArrays, terms: FlipTerms): FlipSum {
  const size = given.pivot.length;
  if (size + (size & 1) !== room) makeRoom(size);
  else if (arrays.values.shift.buffer !== chainBuffer()) lookIn();
  const { at, values } = arrays;
  if (held !== given.least) {
    values.least.set(given.least);
    values.offset.set(given.offset);
    if (size < room) values.place[size] = 0;
    held = given.least;
  }
  values.pivot.set(given.pivot);
  values.score.set(given.score);
  values.place.set(given.place);
  const sum = chainKernels().flips(
    at.rate,
    at.inside,
    at.pivot,
    at.score,
    at.least,
    at.offset,
    at.shift,
    at.place,
    size,
    terms.base,
    terms.half,
    terms.power,
    terms.share,
    terms.saturated,
    terms.worth,
    terms.spread,
    terms.top,
  );
  const { rate, inside, shift } = values;
  given.rate.set(size === room ? rate : rate.subarray(0, size));
  given.inside.set(size === room ? inside : inside.subarray(0, size));
  return { sum, shift: shift[0] };
}
