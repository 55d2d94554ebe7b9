/** All that the page knows, and what can happen to it. */

import { batch, computed, signal } from "@preact/signals";
import type { Description, Progress } from "sparrow-bayes/browser";
import { engine } from "../engine/chosen.js";
import { EngineError } from "../engine/engine.js";
import type { Answer, Source, Told } from "../engine/protocol.js";
import { type KeptRun, keep } from "./past-runs.js";
import { go } from "./route.js";
import { fitOptionsOf, likelyTarget, NOTHING_SAID, readingOf, type Setup } from "./setup.js";

export interface OpenedTable {
  readonly source: Source;
  readonly name: string;
  readonly description: Description;
}

/** Work that the user waits for, and can end. */
export interface Work {
  readonly kind: "open" | "describe" | "fit" | "predict" | "compare";
  readonly words: string;
  readonly began: number;
  readonly progress?: Told;
  readonly stopping?: boolean;
}

export const table = signal<OpenedTable | undefined>(undefined);
export const setup = signal<Setup>(NOTHING_SAID);
export const work = signal<Work | undefined>(undefined);
export const trouble = signal<string | undefined>(undefined);
export const answer = signal<KeptRun | undefined>(undefined);
/** What the search that is under way has come to. */
export const search = signal<Told["search"]>(undefined);
/** The stages that a fit has come through, the one under way last. */
export const stages = signal<readonly Progress["stage"][]>([]);

/** Whether the last search was stopped before anything of it counted: where its chains were can still be seen. */
export const halted = signal(false);

export const busy = computed(() => work.value !== undefined);

let stopper: AbortController | undefined;

/** Ends what is under way: a fit with what there is, anything else with nothing. */
export function stop(): void {
  if (work.value) work.value = { ...work.value, stopping: true };
  stopper?.abort();
}

/** One piece of work at a time; its troubles are shown, and a wish to stop is none. */
export async function working<T>(
  kind: Work["kind"],
  words: string,
  does: (signal: AbortSignal, onNews: (news: Told) => void) => Promise<T>,
): Promise<T | undefined> {
  stopper?.abort();
  const own = new AbortController();
  stopper = own;
  batch(() => {
    trouble.value = undefined;
    work.value = { kind, words, began: performance.now() };
  });
  try {
    return await does(own.signal, (progress) => {
      if (stopper === own && work.value) work.value = { ...work.value, progress };
    });
  } catch (error) {
    if (stopper === own) trouble.value = troubleOf(kind, error);
    return undefined;
  } finally {
    if (stopper === own) {
      stopper = undefined;
      work.value = undefined;
    }
  }
}

const nameOf = (source: Source): string => {
  if (source.from === "file") return source.file.name;
  return source.from === "example" ? source.example : "the data";
};

/** A wish to stop that was heard is no trouble, unless something was hoped for. */
function troubleOf(kind: Work["kind"], error: unknown): string | undefined {
  if (!(error instanceof EngineError && error.kind === "stopped")) {
    return error instanceof Error ? error.message : String(error);
  }
  return kind === "fit" && search.value === undefined
    ? "The search was stopped before there was a result; let it go on a little longer."
    : undefined;
}

/** Settings that were asked for beforehand (a shared link) hold for the next table. */
export const expected = signal<Setup | undefined>(undefined);

export async function open(source: Source): Promise<void> {
  const before = expected.value ?? NOTHING_SAID;
  const words =
    source.from === "example" && source.example === "table1"
      ? "Making the data"
      : `Reading ${nameOf(source)}`;
  const description = await working("open", words, (signal, onNews) =>
    engine.ask("open", { source, reading: readingOf(before) }, { signal, onNews }),
  );
  if (!description) return;
  const known = new Set(description.columns.map(({ name }) => name));
  const wished = before.target !== undefined && known.has(before.target) ? before.target : undefined;
  const target = wished ?? description.target?.name ?? likelyTarget(description.columns);
  batch(() => {
    table.value = { source, name: description.name, description };
    setup.value = { ...before, target };
    answer.value = undefined;
    search.value = undefined;
    halted.value = false;
    expected.value = undefined;
  });
  go({ view: "look" });
  if (target !== undefined) await describe();
}

/** Columns that are read otherwise, or another target, change what is shown of them. */
export async function change(to: Partial<Setup>): Promise<void> {
  const before = setup.value;
  const next = { ...before, ...to };
  setup.value = next;
  const rereads = JSON.stringify(readingOf(before)) !== JSON.stringify(readingOf(next));
  if (rereads || before.target !== next.target) await describe();
}

async function describe(): Promise<void> {
  const { target } = setup.value;
  const described = await working("describe", "Looking at the columns", (signal, onNews) =>
    engine.ask(
      "describe",
      { reading: readingOf(setup.value), ...(target !== undefined && { target }) },
      { signal, onNews },
    ),
  );
  if (described && table.value) table.value = { ...table.value, description: described };
}

export async function fit(): Promise<void> {
  const opened = table.value;
  if (!opened || setup.value.target === undefined) return;
  const asked = fitOptionsOf(setup.value);
  batch(() => {
    search.value = undefined;
    stages.value = [];
    halted.value = false;
  });
  const found = await working("fit", `Explaining ${asked.target}`, (signal, onNews) => {
    go({ view: "fit" });
    return engine.ask(
      "fit",
      { options: asked },
      {
        signal,
        onNews(told) {
          onNews(told);
          if (told.search) search.value = told.search;
          if (stages.value.at(-1) !== told.stage) stages.value = [...stages.value, told.stage];
        },
      },
    );
  });
  if (found) return answered(found, opened, asked);
  halted.value = trouble.value === undefined && search.value !== undefined;
  if (!halted.value) go({ view: "look" });
}

async function answered(found: Answer, opened: OpenedTable, asked: KeptRun["asked"]): Promise<void> {
  const run: KeptRun = {
    id: crypto.randomUUID().slice(0, 8),
    when: Date.now(),
    name: opened.name,
    from: opened.source.from === "example" ? opened.source.example : undefined,
    asked,
    ...found,
  };
  show(run);
  go({ view: "read", run: run.id });
  await keep(run);
}

/** For scripts and tests, the object that `fit --json` prints. */
export function show(run: KeptRun): void {
  answer.value = run;
  const { result, timing } = run.run;
  Object.assign(globalThis, { sparrow: { result: { ...result, timing } } });
}
