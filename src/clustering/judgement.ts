/** Whether the estimates of clusters or hidden states can be believed: the worst of their diagnostics, and in words. */

import { verdict } from "../diagnostics/verdict.js";
import { asProperty, type Spelling, spelt } from "../wording.js";
import { type Narrow, narrowWords } from "./narrow.js";
import type { Estimate } from "./sampled.js";
import { overlapWords, type ToldApart } from "./told-apart.js";

export interface SampleDiagnostics {
  /** Each from a start of its own. */
  readonly chains: number;
  /** Of each chain. */
  readonly iterations: number;
  /** The largest R-hat over all estimates. */
  readonly rhat?: number;
  /** Whose R-hat that is. */
  readonly rhatOf?: string;
  /** The smallest bulk ESS. */
  readonly essBulk?: number;
  /** Whose it is. */
  readonly essBulkOf?: string;
  /** The smallest tail ESS. */
  readonly essTail?: number;
  /** Whose it is. */
  readonly essTailOf?: string;
  /** How probable the most probable cluster of a row, or state of a step, is on average. */
  readonly certainty?: number;
  /** The share of draws in which a cluster has no row, or a state no step. */
  readonly empty?: number;
  /** What is wrong, a sentence each. */
  readonly warnings: readonly string[];
}

export interface Judgement {
  /** What the verdict rests on. */
  readonly diagnostics: SampleDiagnostics;
  /** To be read first: "No problems found.", or what is wrong and what to do. */
  readonly verdict: string;
}

/** What is known of the clusters themselves, which chains cannot help. */
export interface Known extends ToldApart {
  readonly narrow: readonly Narrow[];
}

/** How sentences name options and columns: options as the library does, columns by their numbers, unless told. */
export interface Telling {
  readonly spelling?: Spelling | undefined;
  readonly names?: readonly string[] | undefined;
}

/** `blocks` are the clusters or states, made of estimates, lists of them and lists of lists. */
export function judgement(
  chains: number,
  iterations: number,
  kind: "cluster" | "state",
  blocks: readonly object[],
  known?: Known,
  { spelling = asProperty, names }: Telling = {},
): Judgement & { readonly agreed: boolean } {
  const estimates = blocks.flatMap((block, k) =>
    Object.entries(block).flatMap(([name, value]) => named(value, name, `of ${kind} ${k + 1}`)),
  );
  const rhat = worst(estimates, "rhat", 1);
  const bulk = worst(estimates, "essBulk", -1);
  const tail = worst(estimates, "essTail", -1);
  const fewer = tail && (!bulk || tail.value < bulk.value) ? tail : bulk;
  const overlap = known ? overlapWords(known, blocks.length, kind) : { concerns: [], remark: "" };
  const concerns = [...overlap.concerns, ...narrowWords(known?.narrow ?? [], kind, names)];
  const { summary, warnings } = verdict({
    chains,
    concerns,
    ...(rhat && { rhat: rhat.value, rhatOf: rhat.name }),
    ...(fewer && { ess: fewer.value, essOf: fewer.name }),
  });
  const said = (sentence: string): string => spelt(sentence, spelling);
  return {
    // A single chain is always warned about, and cannot be helped by running on.
    agreed: warnings.length - concerns.length === (chains < 2 ? 1 : 0),
    diagnostics: {
      chains,
      iterations,
      ...(rhat && { rhat: rhat.value, rhatOf: rhat.name }),
      ...(bulk && { essBulk: bulk.value, essBulkOf: bulk.name }),
      ...(tail && { essTail: tail.value, essTailOf: tail.name }),
      ...(known && { certainty: known.certainty, empty: known.empty }),
      warnings: warnings.map(said),
    },
    verdict: said(summary + overlap.remark),
  };
}

type Named = readonly [string, Estimate];

/** `mean 2 of cluster 1`: positions count from 1. */
function named(value: Estimate | readonly unknown[], name: string, of: string): Named[] {
  return "sd" in value
    ? [[`${name} ${of}`, value]]
    : value.flatMap((part, i) => named(part as Estimate, `${name} ${i + 1}`, of));
}

function worst(estimates: readonly Named[], what: "rhat" | "essBulk" | "essTail", sign: 1 | -1) {
  const known = estimates.flatMap(([name, { [what]: value }]) =>
    value === undefined ? [] : { name, value },
  );
  return known.length === 0 ? undefined : known.reduce((a, b) => (sign * (b.value - a.value) > 0 ? b : a));
}
