// F(t), t ≥ 0, of a law that is the same on both sides of zero: values and slopes of F at the nodes of an even grid of
// z = t/(1 + t), one after the other, with Hermite's cubic between them. See foldedStudentT in src/math/distributions.ts.

export const CELLS: i32 = 1024;

// @ts-ignore: decorator
@inline
export function below(table: usize, z: f64): f64 {
  const at = z * CELLS;
  const i = min(<i32>at, CELLS - 1);
  const t = at - i, away = 1 - t;
  const cell = table + (<usize>i << 4);
  const value = load<f64>(cell);
  const rise = load<f64>(cell, 16) - value;
  return value + t * (rise + away * ((load<f64>(cell, 8) - rise) * away + (rise - load<f64>(cell, 24)) * t));
}
