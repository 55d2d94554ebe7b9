/** Methods side by side on data that stay where they are: those that need sums alone have them asked for, by fold. */

import { nameOf } from "../families/register.js";
import { type CompareOptions, checkCompare, compareOptions } from "../options/compare.js";
import type { FitOptions } from "../options/fit.js";
import { usual } from "../options/option.js";
import { type Compared, compareMethods, compareTable } from "../peers/compare.js";
import type { CompareResult } from "../peers/comparison.js";
import { FOLDS, type Prepared } from "../peers/prepared.js";
import type { Environment } from "../selection/environment.js";
import { readingsOf } from "../store/layout/encoding.js";
import type { Layout } from "../store/layout/layout.js";
import { readingOf } from "../tables/reading-asked.js";
import { askedVariables } from "./asked-variables.js";
import type { Engine } from "./engine.js";
import { countRows, engineTable } from "./engine-table.js";
import { askedGramSource } from "./folds.js";
import { type AskedData, everyRow, hashed, keyOf, readAsked } from "./reading/read.js";
import { recordOf, runEngine, SCORED, telling, USUAL_MEMORY } from "./run-engine.js";
import { picking, sampleSize } from "./sample.js";

export async function compareEngine(
  engine: Engine,
  options: CompareOptions,
  environment: Environment,
  { sampleRows, held }: { readonly sampleRows?: number; held?(): number } = {},
): Promise<CompareResult> {
  checkCompare(options);
  const { target, exclude, family, signal, memory, threads, onProgress } = options;
  const { seed = usual(compareOptions.seed), holdout = usual(compareOptions.holdout) } = options;
  const asker = everyRow(engine, { signal, onRead: telling(options) });
  const rows = await countRows(asker, "how many rows there are");
  const most = Math.min(sampleRows ?? rows, sampleSize(rows, engine.columns.length, memory ?? USUAL_MEMORY));
  if (rows <= most) {
    const order = hashed(engine, engine.key ?? keyOf(engine, [...engine.columns.keys()]), seed, "sample");
    const { engine: _, where: __, query: ___, ...others } = options;
    const table = await engineTable(asker, { count: rows, order }, readingOf(options));
    return compareTable(table, others, environment, held);
  }
  const asked: FitOptions = {
    ...definite(readingOf(options)),
    target,
    seed,
    signal,
    onProgress,
    missing: options.missing ?? usual(compareOptions.missing),
    ...(exclude && { exclude }),
    ...(family && { family }),
    ...(memory !== undefined && { memory }),
    ...(threads !== undefined && { threads }),
  };
  const everything = await readAsked(asker, asked);
  const whole = await preparedAsked(engine, everything, { seed, signal });
  // The target is judged once, by all rows.
  const own = { ...asked, family: nameOf(everything.encoded.target.family) };
  const trained = holdout > 0 ? await readAsked(asker, { ...own, holdout }) : undefined;
  const part = trained && (await preparedAsked(engine, trained, { seed, signal }));
  const ours: Compared["ours"] = async (of) => {
    const fitted = of === part ? { ...own, holdout } : own;
    return (await runEngine(engine, fitted, { environment, sampleRows: most })).result;
  };
  const test = trained
    ? await heldOutRows(trained, asked)
    : { by: "columns" as const, name: engine.name, columns: [], chunks: () => [] };
  return compareMethods({ whole, part, test, ours }, options, held);
}

/** Without what was not asked for. */
function definite<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

async function preparedAsked(
  engine: Engine,
  data: AskedData,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal | undefined },
): Promise<Prepared> {
  const { asker, rows, names, shift, key, expressions } = data;
  const variables = askedVariables(expressions, shift);
  const columns = names.length;
  const layout: Layout = { rows, columns, dense: columns, blocks: 1, stride: rows, bytes: 0 };
  const { target } = data.encoded;
  const record = { ...recordOf(engine, data, seed), family: nameOf(target.family) };
  const folded = { asker, variables, shift, rows, key, seed };
  return {
    target,
    seed,
    signal,
    store: { layout, names, shift, record },
    gram: await askedGramSource(folded, 1),
    folded: () => askedGramSource(folded, FOLDS),
    close: async () => {},
  };
}

/** Some of the rows that no method has seen. */
async function heldOutRows(data: AskedData, options: FitOptions) {
  const { seed = 1 } = options;
  const all = await countRows(data.heldOut!, "how many rows are held out");
  const { engine, conditions } = data.heldOut!.rows;
  const asker = data.heldOut!.about({
    engine,
    conditions: [...conditions, ...picking(data, SCORED, all, seed)],
  });
  const count = await countRows(asker, "how many of them are scored");
  const order = hashed(engine, data.key, seed, "sample");
  return engineTable(
    asker,
    { count, order },
    { ...readingOf(options), ...readingsOf(data.encoded.encoding) },
  );
}
