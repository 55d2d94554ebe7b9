import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { machine } from "../engine/chosen.js";
import { Bird } from "../parts/icons.js";
import { count } from "../parts/numbers.js";
import { keptRun } from "../state/past-runs.js";
import { addressOf, go, type Route, route, type View } from "../state/route.js";
import { answer, halted, open, show, table, trouble, work } from "../state/session.js";
import { FitView } from "./fit.js";
import { LookView } from "./look.js";
import { OpenView } from "./open.js";
import { ReadView } from "./read.js";
import { RunsView } from "./runs.js";
import { SharedView } from "./shared.js";
import { UseView } from "./use.js";

const VIEWS: Readonly<Record<View, () => ComponentChildren>> = {
  open: () => <OpenView />,
  look: () => <LookView />,
  fit: () => <FitView />,
  read: () => <ReadView />,
  use: () => <UseView />,
  runs: () => <RunsView />,
  shared: () => <SharedView />,
};

const TITLES: Readonly<Record<View, string>> = {
  open: "Sparrow: which variables matter?",
  look: "The columns",
  fit: "The search",
  read: "The answer",
  use: "Use the answer",
  runs: "Past runs",
  shared: "A shared answer",
};

export function App() {
  const { view } = route.value;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(view);
  useRestoring();
  useDropping();
  useEffect(() => {
    document.title = view === "open" ? TITLES.open : `${TITLES[view]} · Sparrow`;
    if (shown.current === view) return;
    shown.current = view;
    // Those who do not see the page change are told by where they are.
    main.current?.focus({ preventScroll: true });
    if (!route.value.part) scrollTo({ top: 0, behavior: "instant" });
  }, [view]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Top />
      <main id="main" ref={main} tabIndex={-1}>
        <Trouble />
        {VIEWS[view]()}
      </main>
      <Foot />
    </>
  );
}

/** A file may be dropped anywhere; a browser would leave the page for it. A fit is not ended by it. */
function useDropping(): void {
  useEffect(() => {
    const stay = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      // Rows to predict have a place of their own.
      if ((event.target as Element).matches("[name=predict]")) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file && work.peek()?.kind !== "fit") {
        go({ view: "open" });
        void open({ from: "file", file });
      }
    };
    addEventListener("dragover", stay);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", stay);
      removeEventListener("drop", drop);
    };
  }, []);
}

/** A run of the address that is not the one at hand is looked for among those that were kept. */
function useRestoring(): void {
  useSignalEffect(() => {
    const { view, run } = route.value;
    const known = answer.peek();
    // What the address asks for may be gone: a table after the page was loaded again, a search that has ended.
    if (view === "look" && !table.peek()) return go({ view: "open" });
    if (view === "fit" && work.peek()?.kind !== "fit" && !halted.peek())
      return go({ view: table.peek() ? "look" : "open" });
    if ((view !== "read" && view !== "use") || (run !== undefined && run === known?.id)) return;
    if (run === undefined) return go(known ? { view, run: known.id } : { view: "open" });
    void keptRun(run).then((found) => {
      if (found) show(found);
      else {
        trouble.value = "That run is not kept in this browser.";
        go({ view: "open" });
      }
    });
  });
  useEffect(() => {
    if (machine && route.peek().view === "open") void open({ from: "machine" });
  }, []);
}

const STEPS: readonly { readonly view: View; readonly name: string; ready(): boolean; to(): Route }[] = [
  { view: "open", name: "Open", ready: () => true, to: () => ({ view: "open" }) },
  { view: "look", name: "Look", ready: () => table.value !== undefined, to: () => ({ view: "look" }) },
  {
    view: "fit",
    name: "Fit",
    ready: () => work.value?.kind === "fit" || halted.value,
    to: () => ({ view: "fit" }),
  },
  { view: "read", name: "Read", ready: () => answer.value !== undefined, to: () => ofRun("read") },
  { view: "use", name: "Use", ready: () => answer.value !== undefined, to: () => ofRun("use") },
];

const ofRun = (view: "read" | "use"): Route => ({ view, ...(answer.value && { run: answer.value.id }) });

function Top() {
  const here = route.value.view;
  return (
    <header class="top">
      <div>
        <a class="brand" href="#open">
          <Bird />
          Sparrow
        </a>
        <nav aria-label="Steps">
          <ol class="steps">
            {STEPS.map(({ view, name, ready, to }) => (
              <li key={view}>
                {ready() || view === here ? (
                  <a href={addressOf(to())} aria-current={view === here ? "step" : undefined}>
                    {name}
                  </a>
                ) : (
                  <span>{name}</span>
                )}
              </li>
            ))}
          </ol>
        </nav>
        <nav class="side" aria-label="More">
          <a href="#runs" aria-current={here === "runs" ? "page" : undefined}>
            Past runs
          </a>
        </nav>
      </div>
    </header>
  );
}

/** What went wrong, in a sentence, wherever the user is. */
function Trouble() {
  if (trouble.value === undefined) return null;
  return (
    <div
      class={route.value.view === "open" ? "trouble narrower" : "trouble"}
      role="alert"
      data-part="trouble"
    >
      <p>
        <strong>That did not work.</strong> {trouble.value}
      </p>
      <button
        type="button"
        class="plain"
        data-action="dismiss"
        onClick={() => {
          trouble.value = undefined;
        }}
      >
        Close
      </button>
    </div>
  );
}

function Foot() {
  return (
    <footer class="foot">
      <div>
        <p>Everything is computed {machine ? "on this machine" : "in this tab"}. Nothing leaves it.</p>
        <p data-part="threads">{threadsSentence()}</p>
      </div>
    </footer>
  );
}

function threadsSentence(): string {
  if (machine) return `${count(machine.threads, "thread")} of this machine.`;
  if (globalThis.crossOriginIsolated) {
    return `${count(Math.min(8, navigator.hardwareConcurrency || 1), "thread")} over one shared memory.`;
  }
  return "One thread: a host that sends the headers of cross-origin isolation, as sparrow studio does, would let it use all cores.";
}
