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

/** All of it in one piece. */
export function wholeStretch({ values, columns, steps, starts }: Sequences): Stretch {
  return { rows: steps, columns, weight: 1, values, from: 0, to: steps, starts };
}

/** Stretches of `length` steps that count, spread evenly, with `buffer` more on either side where there are as many. */
export function spread(steps: Stretch, count: number, length: number, buffer: number): Stretch[] {
  return Array.from({ length: count }, (_, c) => {
    const from = Math.floor((c * (steps.rows - length)) / Math.max(1, count - 1));
    return stretchOf(steps, from, from + length, buffer);
  });
}

/** The steps [from, to) and what is next to them. */
function stretchOf(
  { rows, columns, values, starts }: Stretch,
  from: number,
  to: number,
  buffer: number,
): Stretch {
  const [first, end] = [Math.max(0, from - buffer), Math.min(rows, to + buffer)];
  return {
    rows: end - first,
    columns,
    weight: 1,
    values: values.subarray(first * columns, end * columns),
    from: from - first,
    to: to - first,
    ...(starts && { starts: starts.subarray(first, end) }),
  };
}

/** Stretches about these steps, which are in order, and which of them is at each place of a stretch: −1 for none. */
export function stretchesAbout(
  steps: Stretch,
  wanted: Uint32Array,
  buffer: number,
): { readonly stretch: Stretch; readonly places: Int32Array }[] {
  const out: { stretch: Stretch; places: Int32Array }[] = [];
  for (let i = 0; i < wanted.length; ) {
    let end = i + 1;
    while (end < wanted.length && wanted[end] <= wanted[end - 1] + 2 * buffer) end++;
    const [from, to] = [wanted[i], wanted[end - 1] + 1];
    const stretch = stretchOf(steps, from, to, buffer);
    const places = new Int32Array(stretch.rows).fill(-1);
    for (; i < end; i++) places[wanted[i] - from + stretch.from] = i;
    out.push({ stretch, places });
  }
  return out;
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
