import type { Kernels } from "../../kernels/interface.js";
import { residentStore, type Store, type StoreHandle } from "../store.js";
import { readStoreFile } from "./load.js";
import { fileStore } from "./on-disk.js";

/** Opens a store in another thread; `start` is where that thread's own memory begins. */
export function openStore(handle: StoreHandle, kernels: Kernels, start: number): Store {
  if (handle.kind === "file") return fileStore(readStoreFile(handle.path), handle, kernels, start);
  return residentStore(handle, kernels, start);
}
