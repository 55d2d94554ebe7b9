/** Reads a run back: every file against its checksum first, then against what it must look like. */

import { join } from "node:path";
import { DRAW_INDEX, type DrawTable } from "../draws/posterior-draws.js";
import { checkFile, damagedRun, jsonOf, type Manifest, openManifest } from "../files/manifest.js";
import type { GroupEffects } from "../mixed/group-effects.js";
import type { RunRecord, StoredGrouping, StoredMixed, StoredRun } from "../report/stored-run.js";
import {
  clustersShape,
  mixedSummaryShape,
  modelsShape,
  predictedShape,
  recordShape,
  searchShape,
  statesShape,
  summaryShape,
  timingShape,
} from "../report/stored-shape.js";
import type { Shape } from "../shape.js";
import { labelOf } from "../tables/labels.js";
import { csv } from "../tables/readers/csv.js";
import { parquet } from "../tables/readers/parquet.js";
import { furtherGroups } from "./mixed-files.js";

const GROUPS = "groups.csv";
const DRAWS = "draws.parquet";

export type AnyStored =
  | { readonly kind: "fit"; readonly run: StoredRun }
  | { readonly kind: "mixed"; readonly run: StoredMixed }
  | { readonly kind: "clusters" | "states"; readonly run: StoredGrouping };

/** What only a run of clusters or of states has: where every row belongs. */
const GROUPINGS = { clusters: clustersShape, states: statesShape } as const;

export async function readAnyRun(path: string): Promise<AnyStored> {
  const manifest = openManifest(path);
  for (const kind of ["clusters", "states"] as const) {
    if (manifest.files.has(`${kind}.csv`)) return { kind, run: await readGrouping(manifest, kind) };
  }
  return manifest.files.has(GROUPS)
    ? { kind: "mixed", run: await readMixedRun(manifest) }
    : { kind: "fit", run: await readFitRun(manifest) };
}

/** Reads the run of a `fit` back, for the report. */
export async function readRun(path: string): Promise<StoredRun> {
  return readFitRun(openManifest(path));
}

async function readFitRun(manifest: Manifest): Promise<StoredRun> {
  const optional = {
    timing: checked(manifest, "timing.json", timingShape),
    models: checked(manifest, "models.json", modelsShape),
    search: checked(manifest, "search.json", searchShape),
    predicted: checked(manifest, "predicted.json", predictedShape),
    draws: manifest.files.has(DRAWS) ? await readDraws(manifest) : undefined,
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    ...present,
    result: needed(manifest, "summary.json", summaryShape) as StoredRun["result"],
    record: needed(manifest, "run.json", recordShape) as RunRecord,
  };
}

async function readMixedRun(manifest: Manifest): Promise<StoredMixed> {
  const result = needed(manifest, "summary.json", mixedSummaryShape) as StoredMixed["result"];
  return {
    result,
    record: needed(manifest, "run.json", recordShape) as RunRecord,
    draws: await readDraws(manifest),
    groups: await readAllGroups(manifest, result),
  };
}

async function readGrouping(manifest: Manifest, kind: keyof typeof GROUPINGS): Promise<StoredGrouping> {
  return {
    result: needed(manifest, "summary.json", GROUPINGS[kind]) as StoredGrouping["result"],
    record: needed(manifest, "run.json", recordShape) as RunRecord,
    draws: await readDraws(manifest),
  };
}

function needed(manifest: Manifest, name: string, shape: Shape): unknown {
  const value = checked(manifest, name, shape);
  if (value === undefined) throw damagedRun(manifest.folder, `it has no ${name}`);
  return value;
}

/** Undefined where the run has no such file. */
function checked(manifest: Manifest, name: string, shape: Shape): unknown {
  const value = jsonOf(manifest, name);
  const problem = value === undefined ? undefined : shape(value, "");
  if (problem !== undefined) throw damagedRun(join(manifest.folder, name), problem);
  return value;
}

export async function readDraws(manifest: Manifest): Promise<DrawTable> {
  const path = join(manifest.folder, DRAWS);
  if (!checkFile(manifest, DRAWS)) throw damagedRun(manifest.folder, `it has no ${DRAWS}`);
  const table = await parquet.open([path], { name: path });
  try {
    const names = table.by === "columns" ? table.columns.map(({ name }) => name) : [];
    if (
      table.by !== "columns" ||
      table.rows === undefined ||
      !DRAW_INDEX.every((name, i) => names[i] === name)
    ) {
      throw damagedRun(path, "it holds no draws");
    }
    const { rows } = table;
    const columns = table.columns.map(() => new Float64Array(rows));
    let row = 0;
    for await (const chunk of table.chunks(table.columns.map((_, i) => i))) {
      chunk.columns.forEach((values, c) => {
        for (let i = 0; i < chunk.rows; i++) columns[c][row + i] = values[i];
      });
      row += chunk.rows;
    }
    if (columns.some((values) => values.some(Number.isNaN))) throw damagedRun(path, "a draw is missing");
    return { names, columns };
  } finally {
    table.close?.();
  }
}

/** Of the first grouping, and of the others of a formula. */
async function readAllGroups(manifest: Manifest, result: StoredMixed["result"]): Promise<GroupEffects> {
  const first = await readGroups(manifest, GROUPS, result.groups, result.random.names.length);
  const others: GroupEffects[] = [];
  for (const [t, { groups, names }] of (result.terms ?? []).slice(1).entries()) {
    others.push(await readGroups(manifest, furtherGroups(t), groups, names.length));
  }
  return others.length > 0 ? { ...first, others } : first;
}

/** By position: first the group, then mean and standard deviation of every effect. */
async function readGroups(manifest: Manifest, name: string, count: number, q: number): Promise<GroupEffects> {
  const path = join(manifest.folder, name);
  if (!checkFile(manifest, name)) throw damagedRun(manifest.folder, `it has no ${name}`);
  const table = await csv.open([path], { name: path, keys: ["group"] });
  try {
    if (table.by !== "columns" || table.columns.length !== 1 + 2 * q) {
      throw damagedRun(path, "it holds other columns");
    }
    const codes: number[] = [];
    const [mean, sd]: [number[], number[]] = [[], []];
    for await (const { rows, columns } of table.chunks(table.columns.map((_, i) => i))) {
      for (let i = 0; i < rows; i++) {
        codes.push(columns[0][i]);
        for (let j = 0; j < q; j++) {
          mean.push(columns[1 + 2 * j][i]);
          sd.push(columns[2 + 2 * j][i]);
        }
      }
    }
    if (codes.length !== count) throw damagedRun(path, `it holds ${codes.length} groups, not ${count}`);
    if (![...mean, ...sd].every(Number.isFinite)) throw damagedRun(path, "an effect is no number");
    const [column] = table.columns;
    return {
      groups: codes.map((code) => labelOf(column, code)),
      mean: Float64Array.from(mean),
      sd: Float64Array.from(sd),
    };
  } finally {
    table.close?.();
  }
}
