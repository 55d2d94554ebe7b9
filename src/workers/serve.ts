/** A thread of the pool: opens the shared store once, where there is one, then does one job after the other. */

import type { Kernels } from "../kernels/interface.js";
import { wasmKernels } from "../kernels/wasm.js";
import { Arena } from "../store/batch/arena.js";
import type { Store, StoreHandle } from "../store/store.js";
import type { AnyJob, Workplace } from "./job.js";
import { ABORT, type Assignment, PROGRESS, problemOf, type Report, type WorkerSetup } from "./protocol.js";
import type { Port } from "./thread.js";

/** How a thread opens what another one has opened; `start` is where its own memory begins. */
export type OpenInThread = (handle: StoreHandle, kernels: Kernels, start: number) => Store;

export async function serve(jobs: readonly AnyJob[], port: Port, open: OpenInThread): Promise<void> {
  const named = new Map(jobs.map((job) => [job.name, job]));
  const report = (message: Report, made: readonly unknown[] = []): void =>
    port.report(message, handedOver(made));
  let here = await placed(port.setup, open);

  const work = ({ id, job, input, saving }: Assignment): void => {
    const { place, flags, mine } = here;
    try {
      const own = named.get(job)!;
      const work = own.start(place(), input, saving?.from);
      let saved = performance.now();
      const tell = () => {
        if (work.save) report({ id, state: work.save() });
        saved = performance.now();
      };
      while (Atomics.load(flags, ABORT) === 0 && work.next()) {
        Atomics.store(flags, mine, work.done);
        if (saving && performance.now() - saved > saving.interval) tell();
      }
      if (saving && Atomics.load(flags, ABORT) !== 0) tell();
      Atomics.store(flags, mine, 0);
      const result = work.result();
      report({ id, done: work.done, result }, own.made?.(result) ?? [result]);
    } catch (error) {
      report({ id, problem: problemOf(error) });
    }
  };
  port.hear((message) => {
    if (!("control" in message)) {
      work(message);
      return;
    }
    // Nothing is asked of a thread before it is ready.
    void placed(message, open).then((found) => {
      here = found;
      report({ ready: true });
    });
  });
  report({ ready: true });
}

/** What a thread works on, and the flags that it shares with the pool. */
async function placed(setup: WorkerSetup, open: OpenInThread) {
  return {
    place: await workplace(setup, open),
    flags: new Int32Array(setup.control),
    mine: PROGRESS + setup.index,
  };
}

/** Sums that a job made for its answer change hands instead of being copied: a thread has no more use for them. */
function handedOver(made: readonly unknown[]): ArrayBuffer[] {
  return made.flatMap((sums) => {
    if (!(sums instanceof Float64Array || sums instanceof Float32Array)) return [];
    if (!(sums.buffer instanceof ArrayBuffer)) return [];
    return sums.byteLength === sums.buffer.byteLength ? [sums.buffer] : [];
  });
}

/** What every job is given: the store, and an arena of its own. */
async function workplace({ place }: WorkerSetup, open: OpenInThread): Promise<() => Workplace | undefined> {
  if (place === undefined) return () => undefined;
  const { handle, scratch } = place;
  const store = open(handle, await wasmKernels(handle.memory), scratch.start);
  return () => ({ store, arena: new Arena(handle.memory, store.end, scratch.end) });
}
