import type { Kernels } from "../../kernels/interface.js";
import type { Store, StoreHandle, StoreRecord } from "../store.js";
import { readStoreFile } from "./load.js";
import { storeOnDisk } from "./on-disk.js";
import { residentStore } from "./resident.js";

/** Opens a store in another thread; `start` is where that thread's own memory begins. */
export function openInThread(handle: StoreHandle, kernels: Kernels, start: number): Store {
  if (handle.kind === "file") return storeOnDisk(readStoreFile(handle.path), handle, kernels, start);
  let record: StoreRecord | undefined;
  const recordOf = (): StoreRecord => {
    record ??= JSON.parse(handle.record) as StoreRecord;
    return record;
  };
  return residentStore(handle, kernels, recordOf, start);
}
