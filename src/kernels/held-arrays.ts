/** Arrays of a region by their names: kernels are told of places, and two in a list are swapped unnoticed. */

import { chainBuffer, type Region } from "./chain-memory.js";

type Lengths<Name extends string> = Readonly<Record<Name, number>>;

export interface HeldArrays<Wide extends string, Narrow extends string> {
  /** Where each lies. */
  readonly at: Readonly<Record<Wide | Narrow, number>>;
  /** They end when the memory grows. */
  readonly values: Readonly<Record<Wide, Float64Array> & Record<Narrow, Int32Array>>;
}

/** Arrays of so many float64, and others of so many int32, in the place of what the region held before. */
export function heldArrays<Wide extends string, Narrow extends string = never>(
  region: Region,
  wide: Lengths<Wide>,
  narrow = {} as Lengths<Narrow>,
): HeldArrays<Wide, Narrow> {
  const at: Record<string, number> = {};
  const values: Record<string, Float64Array | Int32Array> = {};
  let next = region.hold(8 * total(wide) + 4 * total(narrow));
  const lay = (lengths: Lengths<string>, Numbers: Float64ArrayConstructor | Int32ArrayConstructor): void => {
    for (const [name, length] of Object.entries(lengths)) {
      at[name] = next;
      values[name] = new Numbers(chainBuffer(), next, length);
      next += Numbers.BYTES_PER_ELEMENT * length;
    }
  };
  lay(wide, Float64Array);
  lay(narrow, Int32Array);
  return { at, values } as unknown as HeldArrays<Wide, Narrow>;
}

const total = (lengths: Lengths<string>): number =>
  Object.values(lengths).reduce((sum, length) => sum + length, 0);
