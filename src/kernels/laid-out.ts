/** Where arrays of so many float64, and then of so many int32, lie from a place on, one behind the other. */
export function laidOut(from: number, wide: readonly number[], narrow: readonly number[]) {
  let end = from;
  const at = [...wide.map((length) => 8 * length), ...narrow.map((length) => 4 * length)].map((bytes) => {
    end += bytes;
    return end - bytes;
  });
  return { at, end: 8 * Math.ceil(end / 8) };
}
