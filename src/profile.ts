/**
 * Where the time of a process goes. Code says what it is doing (`span`), and every moment counts for what was begun last
 * and is not over: so the parts make up the whole, whatever runs at the same time. The processor's time is that of all
 * threads. Where nobody asked, `span` does nothing.
 */

/** In the order in which they are told. What comes after a colon is a part of what is before it. */
const PARTS = [
  "starting Node",
  "loading the program",
  "loading DuckDB",
  "opening files",
  "judging columns",
  "starting threads",
  "compiling kernels",
  "reading",
  "reading: waiting for rows",
  "reading: handing over",
  "reading: columns in threads",
  "reading: shuffling",
  "loading the store",
  "screen",
  "copies and dependencies",
  "search",
  "certify",
  "polish",
  "checking draws",
  "checking rows",
  "answer",
  "writing",
  "ending threads",
] as const;

export type Part = (typeof PARTS)[number];

/** Milliseconds: since the process began, and of all its threads together. */
export interface Moment {
  readonly clock: number;
  readonly cpu: number;
}

export interface ProfileLine extends Moment {
  readonly part: Part | "not explained" | "whole process";
}

/** The parts that took any time, then what nobody accounts for, then the whole. */
export type Profile = readonly ProfileLine[];

let recorder: Recorder | undefined;

/** Does something, which counts as a part until it is over. */
export function span<T>(part: Part, work: () => T): T {
  if (!recorder) return work();
  const close = recorder.open(part);
  let result: T;
  try {
    result = work();
  } catch (error) {
    close();
    throw error;
  }
  if (result instanceof Promise) return result.finally(close) as T;
  close();
  return result;
}

/** Begins to count; what comes back ends it. `before` is how far the process was when parts ended that are over. */
export function profiling(now: () => Moment, before: readonly (readonly [Part, Moment])[]): () => Profile {
  const own = new Recorder(now, before);
  recorder = own;
  return () => {
    if (recorder === own) recorder = undefined;
    return own.profile();
  };
}

class Recorder {
  private readonly spent = new Map<string, { clock: number; cpu: number }>();
  private readonly begun: { readonly part: Part }[] = [];
  private last: Moment = { clock: 0, cpu: 0 };

  constructor(
    private readonly now: () => Moment,
    before: readonly (readonly [Part, Moment])[],
  ) {
    for (const [part, moment] of before) this.count(part, moment);
  }

  open(part: Part): () => void {
    this.turn();
    const own = { part };
    this.begun.push(own);
    return () => {
      const place = this.begun.lastIndexOf(own);
      if (place < 0) return;
      this.turn();
      this.begun.splice(place, 1);
    };
  }

  profile(): Profile {
    this.turn();
    const lines = [...PARTS, "not explained" as const].flatMap((part) => {
      const spent = this.spent.get(part);
      return spent || part === "not explained" ? [{ part, clock: 0, cpu: 0, ...spent }] : [];
    });
    return [...lines, { part: "whole process", ...this.last }];
  }

  /** What has passed since the last turn belongs to what was begun last. */
  private turn(): void {
    this.count(this.begun.at(-1)?.part ?? "not explained", this.now());
  }

  private count(part: string, moment: Moment): void {
    const spent = this.spent.get(part) ?? { clock: 0, cpu: 0 };
    spent.clock += moment.clock - this.last.clock;
    spent.cpu += moment.cpu - this.last.cpu;
    this.spent.set(part, spent);
    this.last = moment;
  }
}
