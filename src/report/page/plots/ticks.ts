/** Numbers along an axis: round ones, as many as have room beside each other. */

import { labelWidth } from "./label-width.js";

export interface Ticks {
  readonly ticks: number[];
  tickFormat(value: number): string;
}

export interface Stretch {
  readonly low: number;
  readonly high: number;
  /** Pixels from the lowest to the highest, and how far a label may reach beyond either. */
  readonly pixels: number;
  readonly beyond?: number;
}

const MOST = 7;
const GAP = 10;

export function ticksAlong({ low, high, pixels, beyond = 6 }: Stretch): Ticks {
  const at = (value: number): number => ((value - low) / (high - low)) * pixels;
  for (let wanted = MOST; wanted >= 1; wanted--) {
    const step = niceStep((high - low) / wanted);
    const tickFormat = (value: number): string => tickText(value, step);
    const inside = multiples(low, high, step).filter((value) => {
      const half = labelWidth(tickFormat(value)) / 2;
      return at(value) - half >= -beyond && at(value) + half <= pixels + beyond;
    });
    const room = inside.every((value, i) => {
      const next = inside[i + 1];
      if (next === undefined) return true;
      const taken = (labelWidth(tickFormat(value)) + labelWidth(tickFormat(next))) / 2;
      return at(next) - at(value) >= taken + GAP;
    });
    if (room && inside.length > 0) return { ticks: inside, tickFormat };
  }
  const middle = (low + high) / 2;
  return { ticks: [middle], tickFormat: (value) => tickText(value, high - low) };
}

function multiples(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step);
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10);
}

/** With the digits that tell it from its neighbours, and short where it is very large or very small. */
export function tickText(value: number, step: number): string {
  if (Math.abs(value) < step / 1e6) return "0";
  const size = Math.max(Math.abs(value), step);
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const last = Math.floor(Math.log10(step) + 1e-9);
  const text =
    size >= 1e5 || step < 1e-4
      ? `${(value / 10 ** power).toFixed(Math.min(15, Math.max(0, power - last)))}e${power}`
      : value.toFixed(Math.max(0, -last));
  return text.replaceAll("-", "−");
}

/** Shares in percent, without zeros that say nothing. */
export const percentTick = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
