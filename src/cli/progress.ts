import type { Progress } from "../options/fit.js";
import type { Effects } from "./effects.js";
import { CLEAR_LINE } from "./terminal.js";

const LABELS: Record<Progress["stage"], readonly [string, string]> = {
  receive: ["Receiving", "bytes"],
  read: ["Reading", "rows"],
  screen: ["Screening", "columns"],
  search: ["Searching", "iterations"],
  certify: ["Certifying", "columns"],
  polish: ["Polishing", "models"],
  check: ["Checking", "draws"],
  sample: ["Sampling", "iterations"],
  predict: ["Predicting", "rows"],
  write: ["Writing", "rows"],
};

/** Milliseconds between redraws of the bar, and between plain lines. */
const REDRAW = 80;
const PLAIN = 5000;
const FIRST = 1000;

/** A bar with rate and time left where the line can be redrawn, a line every few seconds where it cannot. */
export function progressBar(
  effects: Effects,
  quiet: boolean,
): { show(progress: Progress): void; done(): void } {
  let stage: Progress["stage"] | undefined;
  let started = 0;
  let shown = 0;
  if (quiet) return { show() {}, done() {} };
  return {
    show(progress) {
      const now = effects.now();
      if (progress.stage !== stage) {
        stage = progress.stage;
        started = now;
        // A stage that is over within a second needs no line.
        shown = effects.terminal ? 0 : now - PLAIN + FIRST;
      }
      if (now - shown < (effects.terminal ? REDRAW : PLAIN)) return;
      shown = now;
      const line = progressLine(progress, (now - started) / 1000, effects.width);
      effects.err(effects.terminal ? `${CLEAR_LINE}${line}` : `${line}\n`);
    },
    done() {
      if (effects.terminal && stage) effects.err(CLEAR_LINE);
    },
  };
}

export function progressLine(
  { stage, done, total, bytes }: Progress,
  seconds: number,
  width: number,
): string {
  const [label, unit] = LABELS[stage];
  const rate = seconds > 0 ? done / seconds : 0;
  if (!(total > 0)) {
    // How long an exact stage takes is not known beforehand: the time it has taken says that it is alive.
    const known = bytes ? `${compact(bytes.done)}B  ${compact(rate)}B/s` : duration(seconds);
    return `${label.padEnd(10)} ${known}`.slice(0, Math.max(1, width - 1));
  }
  const share = Math.min(1, bytes?.total ? bytes.done / bytes.total : done / total);
  const left = share > 0 && seconds > 0 ? `${duration((seconds * (1 - share)) / share)} left` : "";
  const amount = bytes?.total
    ? `${compact(bytes.done)}B/${compact(bytes.total)}B  ${compact(done)} ${unit}`
    : `${compact(done)}/${compact(total)} ${unit}`;
  const text = `${Math.round(100 * share)}%  ${amount}  ${compact(rate)}/s  ${left}`;
  const room = Math.max(8, Math.min(28, width - text.length - label.length - 6));
  const full = Math.round(share * room);
  const line = `${label.padEnd(10)} ${"█".repeat(full)}${"░".repeat(room - full)} ${text}`;
  // A line that wraps could not be redrawn.
  return line.slice(0, Math.max(1, width - 1));
}

function compact(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toPrecision(3)}G`;
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)}M`;
  if (value >= 1e4) return `${(value / 1e3).toPrecision(3)}k`;
  return String(Math.round(value));
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m${String(Math.round(seconds % 60)).padStart(2, "0")}s`
    : `${(minutes / 60).toFixed(1)}h`;
}
