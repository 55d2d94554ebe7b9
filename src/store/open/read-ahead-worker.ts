/** The thread that reads ahead: see read-ahead.ts. */

import { open } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { MADE, PAIRS, QUEUE, type ReadAheadSetup, TAKEN } from "./read-ahead.js";

/** Reads under way at a time: Node has as many threads for them unless told otherwise. */
const AT_ONCE = 4;
/** Milliseconds after which an idle thread looks whether it is still wanted. */
const NAP = 1000;

const { path, queue } = workerData as ReadAheadSetup;
const counters = new Int32Array(queue, 0, 2);
const pairs = new Float64Array(queue, PAIRS);
const file = await open(path);

async function reader(): Promise<void> {
  let bytes = new Uint8Array(1 << 20);
  for (let taken = next(); taken >= 0; taken = next()) {
    const at = pairs[2 * (taken % QUEUE)];
    const size = pairs[2 * (taken % QUEUE) + 1];
    if (bytes.length < size) bytes = new Uint8Array(size);
    await file.read(bytes, 0, size, at);
  }
}

/** The oldest request that nobody has taken up, or −1. */
function next(): number {
  const taken = Atomics.load(counters, TAKEN);
  if (taken === Atomics.load(counters, MADE)) return -1;
  Atomics.store(counters, TAKEN, taken + 1);
  return taken;
}

for (;;) {
  Atomics.wait(counters, MADE, Atomics.load(counters, TAKEN), NAP);
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
}
