/** The rows of Table S2 of Song et al. (2020) for Lasso, MCP and SCAD: the fit on the path that is as large as eSGLD's model. */

import { average } from "../diagnostics/selection-error.js";
import { binomial } from "../families/binomial.js";
import { nameOf } from "../families/register.js";
import { threadsKeeping } from "../node/threads.js";
import { binomialPath } from "../peers/penalized/binomial.js";
import { atSize, type PathPoint } from "../peers/penalized/path.js";
import { lasso, mcp, type Penalty, scad } from "../peers/penalized/penalty.js";
import { prepare } from "../peers/prepare.js";
import { rowsOf } from "../peers/prepared.js";
import type { ColumnTable } from "../tables/table.js";
import { cpuMeter } from "./cpu-meter.js";
import { type Keeping, keeping } from "./simulation-study.js";
import type { TableS2Row } from "./table-s2.js";

/** γ refers to the curvature of a binomial likelihood, at most ¼. MCP and SCAD gave the paper no result in 24 hours. */
const PENALTIES: Readonly<Record<string, { penalty: Penalty; paper?: NonNullable<TableS2Row["paper"]> }>> = {
  lasso: { penalty: lasso, paper: { modelSize: 63, predictionError: 0.1644, cpuSeconds: 1272 } },
  mcp: { penalty: mcp(3, 1 / 4) },
  scad: { penalty: scad(3.7, 1 / 4) },
};

export const S2_PEERS = Object.keys(PENALTIES);

export interface S2PeerSettings {
  readonly train: () => Promise<ColumnTable> | ColumnTable;
  readonly test: () => Promise<ColumnTable> | ColumnTable;
  readonly methods: readonly string[];
  /** Variables in the model of eSGLD. */
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
  readonly onMethod?: (method: string) => void;
  readonly keeping?: Keeping;
}

const TARGET = "label";

export async function tableS2PeerRows(settings: S2PeerSettings): Promise<TableS2Row[]> {
  const { methods, size, signal } = settings;
  if (methods.length === 0) return [];
  const journal = settings.keeping?.journal;
  const train = await settings.train();
  const prepared = await prepare(
    train,
    { target: TARGET, family: nameOf(binomial), signal },
    threadsKeeping(journal),
  );
  train.close?.();
  const { part } = keeping(journal);
  try {
    const { gram } = prepared;
    const data = rowsOf(prepared, "A penalised path");
    const target = prepared.target.scaling;
    const rows: TableS2Row[] = [];
    const fitted = async (method: string): Promise<TableS2Row> => {
      const { penalty, paper } = PENALTIES[method];
      const meter = cpuMeter();
      // A little beyond the size that is asked for, so that the nearest fit is known.
      const maxSize = Math.ceil(1.2 * size) + 2;
      const path = await binomialPath({ ...data, folds: gram.folds, target }, { penalty, maxSize, signal });
      signal?.throwIfAborted();
      const point = atSize(path, size);
      const cpuSeconds = meter.seconds();
      return {
        method,
        preset: "paper",
        modelSize: average([point.variables.length]),
        predictionError: average([await errorRate(await settings.test(), point)]),
        cpuSeconds: average([cpuSeconds]),
        ...(paper && { paper }),
      };
    };
    for (const method of methods) {
      rows.push(await part(() => fitted(method)));
      settings.onMethod?.(method);
    }
    return rows;
  } finally {
    await prepared.close();
  }
}

/** Share of the rows whose class has the other sign; classes are 0 and 1, or −1 and 1. */
async function errorRate(test: ColumnTable, { intercept, variables, values }: PathPoint): Promise<number> {
  const names = test.columns.map(({ name }) => name);
  const label = names.indexOf(TARGET);
  const predictors = names.map((_, i) => i).filter((i) => i !== label);
  let wrong = 0;
  let seen = 0;
  for await (const { rows, columns } of test.chunks([
    ...Array.from(variables, (j) => predictors[j]),
    label,
  ])) {
    seen += rows;
    for (let i = 0; i < rows; i++) {
      let eta = intercept;
      for (let c = 0; c < values.length; c++) eta += values[c] * columns[c][i];
      if (eta > 0 !== columns[values.length][i] > 0) wrong += 1;
    }
  }
  test.close?.();
  return wrong / seen;
}
