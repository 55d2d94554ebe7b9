import { foldedStudentT, studentTVariance } from "../math/distributions.js";
import { chainKernels, Region } from "./chain-memory.js";
import { heldArrays } from "./held-arrays.js";
import {
  type JudgedColumns,
  type Judging,
  type JudgingPart,
  largestPart,
  type Mixtures,
} from "./outsiders.js";

/** One place for all passes of a thread: what a look needs is copied in. */
const region = new Region();

/** As kernels/outsiders.ts reads a model: these numbers in this order, then those of the members, then of who may leave. */
function packed({ terms, share }: JudgingPart): number[] {
  const { members, lower, leaving, freedom } = terms;
  const k = members.length;
  const head = {
    size: k,
    leaving: leaving.length,
    ridge: terms.ridge,
    shrink: terms.shrink,
    base: terms.base,
    half: terms.half,
    power: terms.power,
    worth: terms.worth,
    noise: terms.noise ?? 0,
    floor: terms.floor,
    freedom,
    spread: studentTVariance(freedom),
    residual: terms.residual,
    adding: terms.logPriorOfAdding,
    weight: terms.weight,
    share,
  };
  const rows = members.flatMap((_, r) => {
    const row = Array.from(lower.subarray(r * k, r * k + r + 1));
    row[r] = 1 / row[r];
    return row;
  });
  const leavers = leaving.flatMap(({ place, slight, gain, residual }) => [place, slight, gain, residual]);
  return [
    ...Object.values(head),
    ...members,
    ...terms.mean,
    ...terms.pivots,
    ...terms.target,
    ...rows,
    ...leavers,
  ];
}

export function wasmJudging(judges: readonly (readonly JudgingPart[])[]): Judging {
  const listed: number[] = [];
  const placed = judges.map((parts) =>
    parts.map((part) => {
      const place = listed.length;
      listed.push(...packed(part));
      return place;
    }),
  );
  const models = Float64Array.from(listed);
  const tops = judges.map(largestPart);
  const all = judges.flatMap((parts) => parts.map(({ terms }) => terms));
  // All of them judge the same data.
  const table = foldedStudentT(all[0]?.freedom ?? Number.POSITIVE_INFINITY);
  const most = all.reduce((largest, { members }) => Math.max(largest, members.length), 0);
  return ({ count, cross, own, target }: JudgedColumns, hear) => {
    const room = count + (count & 1);
    // The kernel finds the last six one behind the other.
    const { at, values } = heldArrays(region, {
      table: table.length,
      models: models.length,
      scratch: 8 + 2 * most,
      cross: cross.length * room,
      own: room,
      target: room,
      weight: room,
      mean: room,
      square: room,
      positive: room,
      exchange: room,
      score: room,
    });
    values.table.set(table);
    values.models.set(models);
    // What stands past the end of an odd number is a column like others.
    values.cross.fill(0);
    values.own.fill(1);
    values.target.fill(0);
    cross.forEach((products, c) => {
      values.cross.set(products.subarray(0, count), c * room);
    });
    values.own.set(own.subarray(0, count));
    values.target.set(target.subarray(0, count));
    const said: Mixtures = {
      weight: values.weight.subarray(0, count),
      mean: values.mean.subarray(0, count),
      square: values.square.subarray(0, count),
      positive: values.positive.subarray(0, count),
      exchange: values.exchange.subarray(0, count),
      score: values.score.subarray(0, count),
    };
    placed.forEach((parts, m) => {
      for (const numbers of Object.values(said)) numbers.fill(0);
      parts.forEach((place, p) => {
        chainKernels().judgeOutsiders(
          at.weight,
          at.cross,
          at.own,
          at.target,
          8 * room,
          room,
          at.models + 8 * place,
          at.table,
          at.scratch,
          p === tops[m] ? at.score : 0,
        );
      });
      hear(m, said);
    });
  };
}
