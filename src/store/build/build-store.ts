/** From columns to a store in memory, in one step: for those who choose their columns themselves. */

import type { Kernels } from "../../kernels/interface.js";
import type { Store } from "../store.js";
import { columnRows } from "./column-rows.js";
import { layOut } from "./lay-out.js";
import { type ColumnSettings, readColumns } from "./read-columns.js";
import type { ReadSettings } from "./read-table.js";
import { memoryStage } from "./row-stage.js";

export interface BuildSettings extends Omit<ColumnSettings, "blockRows" | "family"> {
  readonly blockRows: number;
  /** Judged by its values unless said otherwise. */
  readonly family?: ReadSettings["family"];
  /** Bytes to leave free behind the data for the threads that will work on it. */
  readonly scratch: number;
  readonly kernels: (bytes: number) => Promise<Kernels>;
}

/** A store in memory of whatever columns are given, with no opinion on them unless told. */
export async function buildStore(settings: BuildSettings): Promise<Store> {
  const { blockRows, family = "auto", plain = true, kernels, scratch } = settings;
  const stage = memoryStage(columnRows(settings.predictors.length + 1), settings.seed);
  try {
    const imported = await readColumns({ ...settings, family, plain, blockRows: () => blockRows }, stage);
    return await layOut(imported, kernels, scratch);
  } finally {
    stage.close();
  }
}
