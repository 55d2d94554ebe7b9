/** One sequence, or several laid end to end with a mark where each begins. */

import { SparrowError } from "../errors.js";
import type { Rows, Stretch } from "../types.js";

export interface Sequences {
  readonly values: Rows["values"];
  readonly columns: number;
  readonly steps: number;
  /** 1 where a sequence begins. */
  readonly starts: Uint8Array;
}

export function sequencesOf(
  given: Rows["values"] | readonly Rows["values"][],
  columns: number,
  check: (value: number, step: number, sequence: string) => void,
): Sequences {
  const list = ArrayBuffer.isView(given) ? [given as Rows["values"]] : (given as readonly Rows["values"][]);
  const lengths = list.map((values, s) => {
    const name = list.length === 1 ? "the sequence" : `sequence ${s + 1}`;
    if (!(values.length > 0 && values.length % columns === 0)) {
      throw new SparrowError(
        `The ${values.length} values of ${name} are not whole steps of ${columns} columns.`,
      );
    }
    values.forEach((value, i) => void check(value, Math.floor(i / columns) + 1, name));
    return values.length / columns;
  });
  if (list.length === 0) throw new SparrowError("There is no sequence to find states in.");
  const steps = lengths.reduce((sum, length) => sum + length, 0);
  if (list.length === 1) return { values: list[0], columns, steps, starts: firstOf(steps) };
  const values = new Float64Array(steps * columns);
  const starts = new Uint8Array(steps);
  let at = 0;
  list.forEach((sequence, s) => {
    values.set(sequence, at * columns);
    starts[at] = 1;
    at += lengths[s];
  });
  return { values, columns, steps, starts };
}

function firstOf(steps: number): Uint8Array {
  const starts = new Uint8Array(steps);
  starts[0] = 1;
  return starts;
}

/** The first `steps` of them. */
export function opening({ values, columns, starts }: Sequences, steps: number): Sequences {
  return {
    values: values.subarray(0, steps * columns),
    columns,
    steps,
    starts: starts.subarray(0, steps),
  };
}

/** All of it in one piece. */
export function wholeStretch({ values, columns, steps, starts }: Sequences): Stretch {
  return { rows: steps, columns, weight: 1, values, from: 0, to: steps, starts };
}

/** `count` pieces of `length` steps, spread evenly, as sequences of their own: a sample of a long chain. */
export function pieces(
  { values, columns, steps, starts }: Sequences,
  count: number,
  length: number,
): Sequences {
  const out = new Float64Array(count * length * columns);
  const marks = new Uint8Array(count * length);
  for (let c = 0; c < count; c++) {
    const at = Math.floor((c * (steps - length)) / Math.max(1, count - 1));
    out.set(values.subarray(at * columns, (at + length) * columns), c * length * columns);
    marks.set(starts.subarray(at, at + length), c * length);
    marks[c * length] = 1;
  }
  return { values: out, columns, steps: count * length, starts: marks };
}

/** One after the other. */
export function joined(parts: readonly Sequences[]): Sequences {
  const { columns } = parts[0];
  const steps = parts.reduce((sum, part) => sum + part.steps, 0);
  const values = new Float64Array(steps * columns);
  const starts = new Uint8Array(steps);
  let at = 0;
  for (const part of parts) {
    values.set(part.values, at * columns);
    starts.set(part.starts, at);
    at += part.steps;
  }
  return { values, columns, steps, starts };
}
