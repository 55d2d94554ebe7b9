/** What every plot of a report is drawn on, and with. */

import * as Plot from "@observablehq/plot";

/** Where to draw: a page draws everything twice, for wide and for narrow windows. */
export interface Canvas {
  readonly document: Document;
  readonly width: number;
  /** Other names on the page. */
  readonly among?: readonly string[];
}

export type Drawing = SVGSVGElement | HTMLElement;

/** Colours are variables of the page, so that they follow its light and dark. */
export const STRONG = "var(--strong)";
export const POSITIVE = "var(--positive)";
export const NEGATIVE = "var(--negative)";
export const FAINT = "var(--faint)";
export const QUIET = "var(--quiet)";
export const PAPER = "var(--paper)";

export const FONT = 12;

const CHAINS = 4;

/** Every chain has a colour of its own, as long as there are. */
export const chainColour = (chain: number): string => `var(--chain${(chain % CHAINS) + 1})`;

export function plot({ document, width }: Canvas, label: string, options: Plot.PlotOptions): Drawing {
  const style = {
    background: "transparent",
    fontFamily: "inherit",
    fontSize: `${FONT}px`,
    overflow: "visible",
  };
  return Plot.plot({ document, width, ariaLabel: label, style, ...options });
}
