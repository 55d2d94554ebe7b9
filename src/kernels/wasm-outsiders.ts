import { foldedStudentT, studentTVariance } from "../math/distributions.js";
import { chainBuffer, chainKernels, Region } from "./chain-memory.js";
import {
  type JudgedColumns,
  type Judging,
  type JudgingPart,
  largestPart,
  type Mixtures,
} from "./outsiders.js";

/** One place for all passes of a thread: what a look needs is copied in. */
const region = new Region();
/** Arrays that a judge writes: those of `Mixtures`. */
const WRITTEN = 6;

/** As kernels/outsiders.ts reads a model. */
function packed({ terms, share }: JudgingPart): number[] {
  const { members, lower, noise } = terms;
  const k = members.length;
  const head = [
    ...[k, terms.leaving.length, terms.ridge, terms.shrink, terms.base, terms.half, terms.power, terms.worth],
    ...[noise ?? 0, terms.floor, terms.freedom, studentTVariance(terms.freedom), terms.residual],
    ...[terms.logPriorOfAdding, terms.weight, share],
  ];
  const rows = members.flatMap((_, r) => {
    const row = Array.from(lower.subarray(r * k, r * k + r + 1));
    row[r] = 1 / row[r];
    return row;
  });
  const leaving = terms.leaving.flatMap(({ place, slight, gain, residual }) => [
    place,
    slight,
    gain,
    residual,
  ]);
  return [...head, ...members, ...terms.mean, ...terms.pivots, ...terms.target, ...rows, ...leaving];
}

export function wasmJudging(judges: readonly (readonly JudgingPart[])[]): Judging {
  const models: number[] = [];
  const placed = judges.map((parts) =>
    parts.map((part) => {
      const at = models.length;
      models.push(...packed(part));
      return at;
    }),
  );
  const numbers = Float64Array.from(models);
  const tops = judges.map(largestPart);
  const all = judges.flatMap((parts) => parts.map(({ terms }) => terms));
  // All of them judge the same data.
  const table = foldedStudentT(all[0]?.freedom ?? Number.POSITIVE_INFINITY);
  const most = all.reduce((largest, { members }) => Math.max(largest, members.length), 0);
  return ({ count, cross, own, target }: JudgedColumns, hear) => {
    const room = count + (count & 1);
    const before = table.length + numbers.length + 8 + 2 * most;
    const pointer = region.hold(8 * (before + (cross.length + 2 + WRITTEN) * room));
    const values = new Float64Array(chainBuffer(), pointer, before + (cross.length + 2 + WRITTEN) * room);
    const place = (at: number): number => pointer + 8 * at;
    values.set(table);
    values.set(numbers, table.length);
    const [ofCross, ofOwn, ofTarget, ofSaid] = [0, 0, 1, 2].map(
      (more, i) => before + (i === 0 ? 0 : cross.length + more) * room,
    );
    values.fill(0, before, ofSaid);
    cross.forEach((products, c) => {
      values.set(products.subarray(0, count), before + c * room);
    });
    values.set(own.subarray(0, count), ofOwn);
    values.set(target.subarray(0, count), ofTarget);
    // What stands past the end of an odd number is a column like others.
    if (count < room) values[ofOwn + count] = 1;
    const array = (which: number): Float64Array => {
      return new Float64Array(chainBuffer(), place(ofSaid + which * room), count);
    };
    const said: Mixtures = {
      weight: array(0),
      mean: array(1),
      square: array(2),
      positive: array(3),
      exchange: array(4),
      score: array(5),
    };
    placed.forEach((parts, m) => {
      values.fill(0, ofSaid);
      parts.forEach((at, p) => {
        chainKernels().judgeOutsiders(
          ...[ofSaid, ofCross, ofOwn, ofTarget].map(place),
          8 * room,
          room,
          place(table.length + at),
          pointer,
          place(table.length + numbers.length),
          p === tops[m] ? place(ofSaid + (WRITTEN - 1) * room) : 0,
        );
      });
      hear(m, said);
    });
  };
}
