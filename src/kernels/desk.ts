/** A part of the chains' memory that everybody of a thread uses in turn. */

import { chainBuffer, takePlace } from "./chain-memory.js";

/** Numbers that there is room for to begin with. */
const LEAST = 4096;

let place = 0;
let room = 0;
let view = new Float64Array(0);

/** All of it, with room for at least so many numbers; what was on it stays. */
export function desk(numbers: number): Float64Array {
  if (numbers > room) {
    const before = room > 0 ? new Float64Array(chainBuffer(), place, room).slice() : undefined;
    room = Math.max(LEAST, 2 * numbers);
    place = takePlace(8 * room);
    view = new Float64Array(chainBuffer(), place, room);
    if (before) view.set(before);
  } else if (view.buffer !== chainBuffer()) view = new Float64Array(chainBuffer(), place, room);
  return view;
}

/** Where it lies, in bytes. */
export const deskPlace = (): number => place;
