/** Runs that were kept in this browser: answers, never the data that they came from. */

import { signal } from "@preact/signals";
import type { FitAsked } from "sparrow-bayes/browser";
import type { Answer, ExampleName } from "../engine/protocol.js";

export interface KeptRun extends Answer {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly when: number;
  readonly name: string;
  readonly from: ExampleName | undefined;
  readonly asked: FitAsked;
}

/** What a list shows of a run. */
export interface RunLine {
  readonly id: string;
  readonly when: number;
  readonly name: string;
  readonly headline: string;
}

/** Newest first. */
export const runLines = signal<readonly RunLine[]>([]);

const [DATABASE, RUNS, LINES] = ["sparrow", "runs", "lines"];
/** Older ones make room. */
const KEPT = 50;

let opened: Promise<IDBDatabase | undefined> | undefined;

/** Absent where the browser keeps nothing (a private window, a policy): the page works without. */
function database(): Promise<IDBDatabase | undefined> {
  opened ??= new Promise((resolve) => {
    try {
      const asked = indexedDB.open(DATABASE, 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore(RUNS, { keyPath: "id" });
        asked.result.createObjectStore(LINES, { keyPath: "id" });
      };
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => resolve(undefined);
      asked.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
  return opened;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export async function listRuns(): Promise<void> {
  const db = await database();
  if (!db) return;
  const lines = await settled<RunLine[]>(db.transaction(LINES).objectStore(LINES).getAll());
  runLines.value = lines.sort((a, b) => b.when - a.when);
}

export async function keptRun(id: string): Promise<KeptRun | undefined> {
  const db = await database();
  return db && settled<KeptRun | undefined>(db.transaction(RUNS).objectStore(RUNS).get(id));
}

/** A run that cannot be kept (no room, no permission) is still shown. */
export async function keep(run: KeptRun): Promise<void> {
  try {
    const db = await database();
    if (!db) return;
    const transaction = db.transaction([RUNS, LINES], "readwrite");
    const { id, when, name, words } = run;
    transaction.objectStore(RUNS).put(run);
    await settled(
      transaction.objectStore(LINES).put({ id, when, name, headline: words.headline } satisfies RunLine),
    );
    await listRuns();
    for (const old of runLines.value.slice(KEPT)) await forget(old.id);
  } catch (error) {
    console.warn("The run was not kept:", error);
  }
}

export async function forget(id: string): Promise<void> {
  const db = await database();
  if (!db) return;
  const transaction = db.transaction([RUNS, LINES], "readwrite");
  transaction.objectStore(RUNS).delete(id);
  await settled(transaction.objectStore(LINES).delete(id));
  await listRuns();
}

export async function forgetAll(): Promise<void> {
  const db = await database();
  if (!db) return;
  const transaction = db.transaction([RUNS, LINES], "readwrite");
  transaction.objectStore(RUNS).clear();
  await settled(transaction.objectStore(LINES).clear());
  await listRuns();
}
