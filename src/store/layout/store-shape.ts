/**
 * What a store must say of itself before anybody works with it. Checksums tell that nothing has changed since it was
 * written; these tell that it was a store.
 */

import { familyNames } from "../../families/register.js";
import {
  and,
  every,
  finite,
  flag,
  list,
  names,
  notNegative,
  object,
  oneOf,
  probability,
  type Shape,
  text,
  whole,
} from "../../shape.js";
import type { Treated } from "../store.js";
import { encodingShape } from "./encoding-shape.js";
import { type Description, HEADER_BYTES, type Header, type Tables, tableSizes } from "./format.js";
import { type Layout, layout, rowsIn } from "./layout.js";

const meansShape = object({ rule: oneOf("mean"), shares: every(probability) });
const leftOutShape = object(
  { rule: oneOf("drop"), rows: whole(1), kept: whole(1) },
  { apart: object({ by: finite, error: notNegative }) },
);

const treatedShape: Shape = (value, name) =>
  ((value as Treated | undefined)?.rule === "mean" ? meansShape : leftOutShape)(value, name);

export const descriptionShape: Shape = and<Description>(
  object({
    layout: object({
      rows: whole(1),
      columns: whole(0),
      dense: whole(0),
      blocks: whole(1),
      stride: whole(4),
      bytes: whole(0),
    }),
    names,
    sparse: flag,
    record: object(
      {
        source: text,
        encoding: encodingShape,
        family: oneOf(...familyNames),
        seed: finite,
        checksum: text,
        notes: list(text),
      },
      { treated: treatedShape, partial: flag },
    ),
  }),
  ({ layout: stated, names: { length }, sparse }) => {
    if (stated.blocks > stated.rows) return "it has more blocks than rows";
    const { rows, columns, dense, blocks } = stated;
    const expected = layout(rows, columns, rows / blocks, dense);
    if (expected.blocks !== blocks || expected.stride !== stated.stride || expected.bytes !== stated.bytes) {
      return "its layout does not add up";
    }
    if (dense > columns || (!sparse && dense !== columns)) return "it has more runs than columns";
    return length === columns ? undefined : `it names ${length} of ${columns} variables`;
  },
);

/** Whether the parts follow each other and are as long as they must be. */
export function partsProblem(header: Header, description: Description): string | undefined {
  const tables = tableSizes(description).reduce((sum, size) => sum + size, 0);
  const follow =
    HEADER_BYTES + header.description <= header.data &&
    header.data + description.layout.bytes <= header.tables &&
    header.tables + tables === header.end;
  return follow ? undefined : "its parts do not follow each other";
}

export function tablesProblem(
  { shift, starts, slots }: Tables,
  { layout: of, sparse }: Description,
  bytes: number,
): string | undefined {
  if (!shift.every(Number.isFinite)) return "a shift is no number";
  if (!sparse) return of.bytes === bytes ? undefined : "its runs do not fill their place";
  const rising = starts.every((at, b) => at % 16 === 0 && (b === 0 ? at === of.bytes : at >= starts[b - 1]));
  if (!rising || starts[of.blocks] !== bytes) return "its sparse parts do not follow each other";
  const fine = slots.every((slot) => slot <= of.dense && -1 - slot < of.columns - of.dense);
  return fine && slots[of.columns] === of.dense ? undefined : "a column has no place";
}

/** Whether the sparse part of a block, in words, is one: every row and column in range, every start in order. */
export function sparseProblem(words: Uint32Array, of: Layout, block: number): string | undefined {
  const bad = `block ${block + 1} is not laid out as it should be`;
  const [k, n] = words;
  if (!(3 + 2 * k + 2 * n <= words.length)) return bad;
  const starts = 2 + k;
  const rows = starts + k + 1;
  for (let i = 0; i < k; i++) {
    if (words[2 + i] >= of.columns - of.dense || (i > 0 && words[2 + i] <= words[1 + i])) return bad;
    if (words[starts + i] > words[starts + i + 1]) return bad;
  }
  if (words[starts] !== 0 || words[starts + k] !== n) return bad;
  const most = rowsIn(of, block);
  for (let i = 0; i < n; i++) if (words[rows + i] >= most) return bad;
  return undefined;
}
