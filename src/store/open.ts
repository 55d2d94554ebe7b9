import type { Kernels } from "../kernels/interface.js";
import { residentStore, type Store, type StoreHandle } from "./store.js";

/** Opens a store in another thread; `start` is where that thread's own memory begins. */
export function openStore(handle: StoreHandle, kernels: Kernels, start: number): Store {
  if (handle.kind === "file") throw new Error("not yet");
  return residentStore(handle, kernels, start);
}
