/**
 * The parts of the printed report that have nothing to act on are taken from it, so that page and report say the same.
 * It is drawn after the answer is on the screen, when there is time.
 */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KeptRun } from "../state/past-runs.js";

export interface ReportPart {
  readonly id: string;
  readonly title: string;
  readonly element: Element;
}

export const reportParts = signal<readonly ReportPart[]>([]);
const pending = signal(false);
let shown: string | undefined;

/** By the headings of the report. */
const NAMES: Readonly<Record<string, string>> = {
  "Which variables matter": "variables",
  "How much they matter": "effects",
  "How good it is": "goodness",
  "Which models are likely": "models",
  "Variables taken together": "together",
  "How large the model is": "size",
};

export function useReport(run: KeptRun): void {
  useEffect(() => {
    if (shown === run.id) return;
    shown = run.id;
    reportParts.value = [];
    pending.value = true;
    const begin = setTimeout(() => void draw(run), 60);
    return () => {
      clearTimeout(begin);
      if (pending.value) shown = undefined;
    };
  }, [run]);
}

async function draw(run: KeptRun): Promise<void> {
  try {
    const { report } = await import("./report.js");
    const text = await report(run.run);
    if (shown !== run.id) return;
    reportParts.value = partsOf(new DOMParser().parseFromString(text, "text/html"));
  } catch (error) {
    console.warn("The report was not drawn:", error);
  } finally {
    pending.value = false;
  }
}

/** What was parsed this way runs no scripts; the report has none. */
function partsOf(page: Document): ReportPart[] {
  return Array.from(page.querySelectorAll("main > section"), (section) => {
    const heading = section.querySelector("h2");
    const title = heading?.firstChild?.textContent?.trim() ?? "";
    // A picture is told by its own label; those of its pieces say nothing to anybody.
    for (const piece of section.querySelectorAll("svg [aria-label], svg [aria-description]")) {
      piece.removeAttribute("aria-label");
      piece.removeAttribute("aria-description");
    }
    const id = NAMES[title] ?? title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
    return { id, title, element: document.importNode(section, true) };
  });
}

export function ReportSection({ part }: { readonly part: ReportPart }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.replaceChildren(part.element);
  }, [part]);
  return <div class="from-report" id={`part-${part.id}`} data-part={part.id} ref={box} />;
}

export function PendingReport() {
  return pending.value ? (
    <p class="soft" role="status">
      Drawing the rest …
    </p>
  ) : null;
}
