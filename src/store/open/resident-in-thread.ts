import type { Kernels } from "../../kernels/interface.js";
import type { ResidentHandle, Store, StoreRecord } from "../store.js";
import { residentStore } from "./resident.js";

/** Opens a store in memory in another thread; `start` is where that thread's own memory begins. */
export function openResident(handle: ResidentHandle, kernels: Kernels, start: number): Store {
  let record: StoreRecord | undefined;
  const recordOf = (): StoreRecord => {
    record ??= JSON.parse(handle.record) as StoreRecord;
    return record;
  };
  return residentStore(handle, kernels, recordOf, start);
}
