import { type ReadonlySignal, signal } from "@preact/signals";

/** Whether a media query holds, and from then on whenever that changes. */
function media(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const holds = signal(list.matches);
  list.addEventListener("change", () => {
    holds.value = list.matches;
  });
  return holds;
}

export const isNarrow = media("(max-width: 640px)");
export const isDark = media("(prefers-color-scheme: dark)");
