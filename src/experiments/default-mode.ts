/** The default mode on the data of Table 1, against least squares on the true model. */

import { selectionError } from "../diagnostics/selection-error.js";
import { cholesky, solve } from "../math/linear.js";
import type { Environment } from "../selection/environment.js";
import { fitTable } from "../selection/fit-table.js";
import type { Chunk, ColumnTable } from "../tables/table.js";
import { simulatedTable, trueCoefficients } from "./simulated.js";

export interface DefaultModeRun {
  /** Smallest inclusion probability of a true variable, largest of any other. */
  readonly weakest: number;
  readonly strongest: number;
  readonly modelSize: number;
  readonly mse1: number;
  /** MSE1 of least squares on the true variables and an intercept. */
  readonly oracleMse1: number;
  readonly complete: boolean;
  /** After reading: by the clock, and of the processor over all threads. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export async function defaultModeRun(
  settings: { readonly rows: number; readonly columns: number; readonly seed: number },
  environment: Environment,
  cpu: () => number,
): Promise<DefaultModeRun> {
  const { columns } = settings;
  const truth = trueCoefficients(columns);
  const real = Array.from({ length: columns }, (_, j) => j).filter((j) => truth[j] !== 0);
  const oracle = watched(simulatedTable({ kind: "linear", ...settings }), real, columns);
  let start = cpu();
  const result = await fitTable(
    oracle.table,
    {
      target: "y",
      seed: settings.seed,
      onProgress: ({ stage, done, total }) => {
        if (stage === "read" && done === total) start = cpu();
      },
    },
    environment,
  );
  const cpuSeconds = cpu() - start;
  const estimate = new Float64Array(columns);
  let [weakest, strongest] = [1, 0];
  for (const { name, mean, pip } of result.variables) {
    const j = Number(name.slice(1)) - 1;
    estimate[j] = mean;
    if (truth[j] !== 0) weakest = Math.min(weakest, pip);
    else strongest = Math.max(strongest, pip);
  }
  const best = new Float64Array(columns);
  oracle.leastSquares().forEach((value, i) => {
    best[real[i]] = value;
  });
  const { read: _, ...after } = result.timing;
  return {
    weakest,
    strongest,
    modelSize: result.modelSize.mean,
    mse1: selectionError([], estimate, truth).mse1,
    oracleMse1: selectionError([], best, truth).mse1,
    complete: result.certificate?.complete === true,
    seconds: Object.values(after).reduce((sum, value) => sum + value, 0),
    cpuSeconds,
  };
}

/** A table that gathers the normal equations of some of its columns while it is read. */
function watched(table: ColumnTable, columns: readonly number[], target: number) {
  const k = columns.length + 1;
  const gram = new Float64Array(k * k);
  const cross = new Float64Array(k);
  function add({ rows, columns: values }: Chunk): void {
    const x: ArrayLike<number>[] = [new Float64Array(rows).fill(1), ...columns.map((c) => values[c])];
    const y = values[target];
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < k; i++) {
        cross[i] += x[i][r] * y[r];
        for (let j = 0; j <= i; j++) gram[i * k + j] += x[i][r] * x[j][r];
      }
    }
  }
  return {
    table: {
      ...table,
      async *chunks(wanted: readonly number[]) {
        for await (const chunk of table.chunks(wanted)) {
          add(chunk);
          yield chunk;
        }
      },
    },
    leastSquares(): Float64Array {
      cholesky(gram, k);
      solve(gram, k, cross);
      return cross.subarray(1);
    },
  };
}
