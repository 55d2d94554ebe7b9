import type { Kernels } from "../../kernels/interface.js";
import type { Store, StoreHandle } from "../store.js";
import { readStoreFile } from "./load.js";
import { storeOnDisk } from "./on-disk.js";
import { openResident } from "./resident-in-thread.js";

/** Opens a store in another thread; `start` is where that thread's own memory begins. */
export function openInThread(handle: StoreHandle, kernels: Kernels, start: number): Store {
  return handle.kind === "file"
    ? storeOnDisk(readStoreFile(handle.path), handle, kernels, start)
    : openResident(handle, kernels, start);
}
