/** The engine of this page: the machine that serves it where `sparrow studio` was given data, else a worker. */

import type { Engine } from "./engine.js";
import { machineEngine, machineOf } from "./machine-engine.js";
import { workerEngine } from "./worker-engine.js";

const own = workerEngine(new URL("./worker.js", import.meta.url));

/** What the command line named, if it named something. */
export const machine = machineOf(document);

/** Files that the user opens are read here in any case: nothing is sent anywhere. */
export const engine: Engine = machine ? machineEngine(machine, own) : own;
