import type { Screen } from "../report/text/screen.js";

/** What a command may do to the world. Tests pass fakes. */
export interface Effects {
  /** Standard output: results only. */
  out(text: string): void;
  /** Standard error: progress and messages. */
  err(text: string): void;
  /** Whether standard error is a terminal that can redraw a line. */
  readonly terminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Where results are read. */
  readonly screen: Screen;
  /** Aborts at the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** What the process is to end with where that left no result; 1 where nobody says. */
  stopStatus?(): number | undefined;
  /** Shows a file in the user's browser. */
  open(path: string): void;
  /** What somebody types, without showing it; absent where nobody can. */
  secret?(question: string): Promise<string | undefined>;
  /** Holds less memory from now on, and takes longer. */
  spare?(): void;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
}
