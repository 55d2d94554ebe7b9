/**
 * Ranks of every chain's draws among all of them (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021): chains that
 * agree have all ranks equally often, so that every line is level.
 */

import * as Plot from "@observablehq/plot";
import { printable } from "../markup.js";
import { type Canvas, chainColour, type Drawing, FAINT, plot } from "./canvas.js";

const BINS = 20;

/** Share of each chain's ranks in every bin, over what it would be if chains agreed. */
export function rankShares(chains: readonly ArrayLike<number>[], bins = BINS): number[][] {
  const all = chains.flatMap((values, chain) => Array.from(values, (value) => ({ value, chain })));
  all.sort((a, b) => a.value - b.value);
  const counts = chains.map(() => new Array<number>(bins).fill(0));
  for (let from = 0; from < all.length; ) {
    let to = from + 1;
    while (to < all.length && all[to].value === all[from].value) to += 1;
    // Equal draws, as zeros of a coefficient are, share their ranks: each chain's are spread evenly over them.
    const equal = chains.map(() => 0);
    for (let i = from; i < to; i++) equal[all[i].chain] += 1;
    equal.forEach((own, chain) => {
      for (let k = 0; k < own; k++) {
        const rank = from + ((k + 0.5) / own) * (to - from);
        counts[chain][Math.min(bins - 1, Math.floor((bins * rank) / all.length))] += 1;
      }
    });
    from = to;
  }
  return counts.map((of, chain) => of.map((count) => (count * bins) / chains[chain].length));
}

export function ranksPlot(canvas: Canvas, label: string, chains: readonly ArrayLike<number>[]): Drawing {
  const shares = rankShares(chains);
  const steps = shares.flatMap((of, chain) =>
    [...of, of[of.length - 1]].map((share, bin) => ({ chain, bin: bin / of.length, share })),
  );
  return plot(canvas, `Ranks of ${printable(label)} by chain`, {
    height: 130,
    marginLeft: 30,
    marginRight: 12,
    marginBottom: 22,
    x: {
      domain: [0, 1],
      ticks: [0, 0.5, 1],
      tickFormat: (x: number) => ["low", "", "high"][2 * x],
      label: null,
      tickSize: 0,
    },
    y: { domain: [0, Math.max(2, ...shares.flat())], ticks: 3, label: null },
    marks: [
      Plot.ruleY([1], { stroke: FAINT }),
      Plot.line(steps, {
        x: "bin",
        y: "share",
        z: "chain",
        curve: "step-after",
        strokeWidth: 1.3,
        strokeOpacity: 0.85,
        stroke: ({ chain }: { chain: number }) => chainColour(chain),
      }),
    ],
  });
}
