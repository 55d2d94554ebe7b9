/**
 * Whether the data tell as many clusters or states apart as were asked for. Chains may agree perfectly on a posterior in
 * which one of them is empty, because fewer describe the rows as well, or in which rows may belong here as well as there.
 * Neither is a fault of the chains, so that no R-hat shows it.
 */

import { option } from "../wording.js";
import type { Exchangeable } from "./names/exchangeable.js";
import { witnessed } from "./names/witnesses.js";
import type { Sampled } from "./sampled.js";

/** Rows or steps that are asked, about: of more steps, so many pieces from the first to the last. */
const ASKED = { rows: 20_000, pieces: 20 };
/** Draws that are asked: of few rows more than of many. */
const DRAWS = { least: 60, most: 200, rows: 400_000 };

export interface ToldApart {
  /** How probable the most probable cluster of a row is, on average over the rows. */
  readonly certainty: number;
  /** The share of draws in which a cluster has less than one row. */
  readonly empty: number;
  /** How many of them do, in the middle draw of those. */
  readonly fewer: number;
}

/** Rows are in random order, or steps of a sequence in theirs; draws have the same names. */
export function toldApartIn(
  model: Exchangeable,
  order: "random" | "time",
  sampled: Sampled<Float64Array>,
): ToldApart {
  const { rows } = model;
  if (rows <= ASKED.rows) return toldApart(model.at(undefined), sampled, 1);
  const pieces = order === "random" ? 1 : ASKED.pieces;
  const length = ASKED.rows / pieces;
  const asked = Uint32Array.from({ length: ASKED.rows }, (_, i) => {
    const piece = Math.floor(i / length);
    return Math.floor((piece * (rows - length)) / Math.max(1, pieces - 1)) + (i % length);
  });
  // What holds few rows may hold none of these.
  const all = witnessed(
    model.at(asked),
    sampled.chains.map((chain) => chain[chain.length - 1]),
  );
  const first = new Set(asked);
  const witnesses = all.witnesses ?? asked;
  const each = (rows - (witnesses.length - first.size)) / first.size;
  const weights = Float64Array.from(witnesses, (row) => (first.has(row) ? each : 1));
  return toldApart(all, sampled, weights);
}

/** `model` makes its claims to rows of which each stands for `weight`, or for a weight of its own. */
export function toldApart(
  model: Pick<Exchangeable, "count" | "claims">,
  { chains, weights }: Sampled<Float64Array>,
  weight: number | Float64Array,
): ToldApart {
  const { count } = model;
  const draws = chains.flat();
  const rowsAsked = draws.length === 0 ? 1 : model.claims(draws[0]).length / count;
  const worth = (row: number): number => (typeof weight === "number" ? weight : weight[row]);
  const few = Math.min(DRAWS.most, Math.max(DRAWS.least, DRAWS.rows / rowsAsked));
  const every = Math.max(1, Math.floor(draws.length / few));
  const missing: number[] = [];
  let mean: Float64Array | undefined;
  let [total, empty] = [0, 0];
  for (let d = 0; d < draws.length; d += every) {
    const claims = model.claims(draws[d]);
    const rows = new Float64Array(count);
    mean ??= new Float64Array(claims.length);
    for (let i = 0; i < claims.length; i++) {
      rows[i % count] += worth(Math.floor(i / count)) * claims[i];
      mean[i] += weights[d] * claims[i];
    }
    total += weights[d];
    const without = rows.filter((n) => n < 1).length;
    if (without === 0) continue;
    missing.push(without);
    empty += weights[d];
  }
  missing.sort((a, b) => a - b);
  return {
    certainty: certaintyOf(mean!, count, total, worth),
    empty: empty / total,
    fewer: missing[missing.length >> 1] ?? 0,
  };
}

function certaintyOf(
  sums: Float64Array,
  count: number,
  total: number,
  worth: (row: number) => number,
): number {
  let [certainty, rows] = [0, 0];
  for (let at = 0, row = 0; at < sums.length; at += count, row++) {
    let top = 0;
    for (let k = 0; k < count; k++) top = Math.max(top, sums[at + k]);
    certainty += worth(row) * top;
    rows += worth(row);
  }
  return Math.min(1, certainty / (rows * total));
}

/** Draws with an empty cluster; where data tell clusters apart, there is none in a million. */
const FEW = 0.02;
/** Below, one row in ten would be in another cluster. */
const CERTAIN = 0.9;

/** What must be said of it: a problem where a cluster is empty, a remark where rows are in doubt. */
export function overlapWords(
  { certainty, empty, fewer }: ToldApart,
  count: number,
  kind: "cluster" | "state",
): { readonly concerns: readonly string[]; readonly remark: string } {
  const [name, rows] = kind === "cluster" ? (["components", "row"] as const) : (["states", "step"] as const);
  const share = empty > 0.99 ? "all" : `${Math.round(100 * empty)}%`;
  const some = fewer === 1 ? `one of the ${count} ${kind}s holds` : `${fewer} of the ${count} ${kind}s hold`;
  const concerns =
    empty < FEW
      ? []
      : [
          `In ${share} of the draws ${some} no ${rows}: ${empty < 0.5 ? "the data may speak" : "the data speak"} for fewer. Try ${option(name, count - fewer)}, or compare numbers of ${kind}s.`,
        ];
  const remark =
    certainty >= CERTAIN
      ? ""
      : ` The ${kind}s overlap: the most probable one of a ${rows} is its own with probability ${certainty.toFixed(2)} on average.`;
  return { concerns, remark };
}
