import type { Progress } from "../options/fit.js";
import type { Effects } from "./effects.js";
import { CLEAR_LINE } from "./terminal.js";

/** What a run does, and last of all the files of its folder. */
export type Shown = Progress | { readonly stage: "save"; readonly done: number; readonly total: number };

const LABELS: Record<Shown["stage"], readonly [string, string]> = {
  receive: ["Receiving", "bytes"],
  ask: ["Asking", "rows"],
  read: ["Reading", "rows"],
  screen: ["Screening", "columns"],
  search: ["Searching", "iterations"],
  certify: ["Certifying", "columns"],
  polish: ["Polishing", "models"],
  check: ["Checking", "draws"],
  sample: ["Sampling", "iterations"],
  predict: ["Predicting", "rows"],
  write: ["Writing", "rows"],
  save: ["Writing", "files"],
};

/** Milliseconds between redraws of the bar, and between plain lines. */
const REDRAW = 80;
const PLAIN = 5000;
const FIRST = 1000;

/** Nothing is whole before its files are there. */
const ALMOST = 0.99;

export interface ProgressBar {
  show(progress: Shown): void;
  /** Says of what follows whose it is. */
  whose(name: string): void;
  done(): void;
}

/** A bar with rate and time left where the line can be redrawn, a line every few seconds where it cannot. */
export function progressBar(effects: Effects, quiet: boolean): ProgressBar {
  if (quiet) return { show() {}, whose() {}, done() {} };
  let stage: string | undefined;
  let shown = 0;
  let owner = "";
  // Stages that come again, as polishing does after certifying, go on where they were.
  const begun = new Map<string, { readonly at: number; share: number; open: boolean }>();
  return {
    show(progress) {
      const now = effects.now();
      const own = partOf(progress) === undefined ? progress.stage : `${progress.stage} ${partOf(progress)}`;
      if (own !== stage) {
        stage = own;
        // A stage that is over within a second needs no line.
        shown = effects.terminal ? 0 : now - PLAIN + FIRST;
      }
      const since = begun.get(stage) ?? { at: now, share: 0, open: false };
      begun.set(stage, since);
      const share = shareOf(progress);
      // Where the end has moved, as it does for chains that go on until they agree, no bar knows it any more.
      if (share < since.share && progress.total > 0) since.open = true;
      since.share = Math.max(since.share, share);
      if (now - shown < (effects.terminal ? REDRAW : PLAIN)) return;
      shown = now;
      const seconds = (now - since.at) / 1000;
      const width = effects.width - owner.length;
      const line = since.open ? openLine(progress, seconds, width) : progressLine(progress, seconds, width);
      effects.err(effects.terminal ? `${CLEAR_LINE}${owner}${line}` : `${owner}${line}\n`);
    },
    whose(name) {
      owner = `${name}: `;
      begun.clear();
      stage = undefined;
    },
    done() {
      if (effects.terminal && stage) effects.err(CLEAR_LINE);
      stage = undefined;
    },
  };
}

const partOf = (progress: Shown): string | undefined => ("part" in progress ? progress.part : undefined);

/** How far a stage is, of 1; 0 where nobody knows. */
function shareOf(progress: Shown): number {
  const { done, total } = progress;
  if (!(total > 0)) return 0;
  const bytes = "bytes" in progress ? progress.bytes : undefined;
  return Math.min(ALMOST, bytes?.total ? bytes.done / bytes.total : done / total);
}

export function progressLine(progress: Shown, seconds: number, width: number): string {
  const { stage, done, total } = progress;
  const bytes = "bytes" in progress ? progress.bytes : undefined;
  const [label, unit] = LABELS[stage];
  const rate = seconds > 0 ? done / seconds : 0;
  const part = partOf(progress) === undefined ? "" : `  ${partOf(progress)}`;
  if (!(total > 0)) {
    // How long an exact stage takes is not known beforehand: the time it has taken says that it is alive.
    const known = bytes ? `${compact(bytes.done)}B  ${compact(rate)}B/s` : duration(seconds);
    return `${label.padEnd(10)} ${known}${part}`.slice(0, Math.max(1, width - 1));
  }
  const share = shareOf(progress);
  const left = share > 0 && seconds > 0 ? `${duration((seconds * (1 - share)) / share)} left` : "";
  const amount = bytes?.total
    ? `${compact(bytes.done)}B/${compact(bytes.total)}B  ${compact(done)} ${unit}`
    : `${compact(done)}/${compact(total)} ${unit}${bytes ? `  ${compact(bytes.done)}B` : ""}`;
  const text = `${Math.floor(100 * share + 1e-9)}%  ${amount}  ${compact(rate)}/s  ${left}${part}`;
  const room = Math.max(8, Math.min(28, width - text.length - label.length - 6));
  const full = Math.round(share * room);
  const line = `${label.padEnd(10)} ${"█".repeat(full)}${"░".repeat(room - full)} ${text}`;
  // A line that wraps could not be redrawn.
  return line.slice(0, Math.max(1, width - 1));
}

/** What was done, without an end in sight. */
function openLine({ stage, done }: Shown, seconds: number, width: number): string {
  const [label, unit] = LABELS[stage];
  const line = `${label.padEnd(10)} ${compact(done)} ${unit}  ${duration(seconds)}`;
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

/** Work that shows how far it is; where it fails, the bar does not stand in the way of what is said. */
export async function clearing<T>(bar: ProgressBar, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    bar.done();
    throw error;
  }
}
