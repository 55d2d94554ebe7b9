import type { Effects } from "../../src/cli/effects.js";

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
    signal: new AbortController().signal,
    now: () => 0,
  };
  return effects;
}
