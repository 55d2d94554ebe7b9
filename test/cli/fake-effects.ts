import type { Effects } from "../../src/cli/effects.js";
import { runCli } from "../../src/cli/run.js";
import { paper } from "../../src/report/text/screen.js";

/** Effects that remember what was said. */
export function fakeEffects(): Effects & { output: string; messages: string; opened: string[] } {
  const effects = {
    output: "",
    messages: "",
    opened: [] as string[],
    out(text: string) {
      effects.output += text;
    },
    err(text: string) {
      effects.messages += text;
    },
    open(path: string) {
      effects.opened.push(path);
    },
    terminal: false,
    width: 80,
    screen: paper,
    signal: new AbortController().signal,
    now: () => 0,
  };
  return effects;
}

/** The command line in this process: how it ended, and what it said where. */
export async function sparrowWith(
  more: Partial<Effects>,
  argv: readonly string[],
): Promise<{ status: number; out: string; err: string }> {
  const effects = Object.assign(fakeEffects(), more);
  const status = await runCli(argv, effects);
  return { status, out: effects.output, err: effects.messages };
}

export const sparrow = (...argv: string[]) => sparrowWith({}, argv);
