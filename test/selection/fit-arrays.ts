/** `fit` on arrays as a user would call it, or with the search forced on data that are small enough to do without. */

import { kernelMemory, wasmKernels } from "../../src/kernels/wasm.js";
import type { FitOptions } from "../../src/options/fit.js";
import { spokenResult } from "../../src/report/spoken.js";
import type { FitResult, VariableSummary } from "../../src/selection/answer/result.js";
import type { Environment } from "../../src/selection/environment.js";
import { fitTable } from "../../src/selection/fit-table.js";
import { type ArrayColumn, arrayTable } from "../../src/tables/readers/arrays.js";
import { asProperty } from "../../src/wording.js";
import { localPool } from "../../src/workers/pool.js";

/** Private memory and the thread that asks: nothing has to be built first. */
export const oneThread: Environment = {
  kernels: (bytes) => wasmKernels(kernelMemory(bytes, false)),
  pool: async (store) => localPool(store),
  threads: 1,
};

/** Columns are called x0, x1, … and the target y. */
export async function fitRegression(
  { columns, y }: { readonly columns: readonly ArrayColumn[]; readonly y: ArrayColumn },
  options: Omit<FitOptions, "target">,
  direct?: boolean,
): Promise<FitResult> {
  const named = Object.fromEntries(columns.map((values, j) => [`x${j}`, values]));
  const table = arrayTable({ ...named, y });
  return spokenResult(await fitTable(table, { ...options, target: "y" }, oneThread, direct), asProperty);
}

export function variable({ variables }: FitResult, name: string): VariableSummary {
  const found = variables.find((one) => one.name === name);
  if (!found) throw new Error(`no variable ${name}`);
  return found;
}

/** Inclusion probabilities in the order of the columns. */
export function inclusion(result: FitResult): number[] {
  return Array.from(result.variables.keys(), (j) => variable(result, `x${j}`).pip);
}
