/** Numbers that kernels work with where they lie. */

import { chainBuffer, Region } from "./chain-memory.js";

const region = new Region();
let room = 0;
let view = new Float64Array(0);

/** All of them, with room for at least so many; what was there stays. */
export function desk(numbers: number): Float64Array {
  const isLarger = numbers > room;
  if (isLarger) {
    room = 2 * numbers;
    region.hold(8 * room);
  }
  if (isLarger || view.buffer !== chainBuffer()) view = new Float64Array(chainBuffer(), region.pointer, room);
  return view;
}

/** Where they lie, in bytes. */
export const deskPlace = (): number => region.pointer;
