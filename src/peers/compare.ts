/**
 * Several methods side by side on the same data. Each is run on all rows, for what it selects, its time and its
 * memory, and once more without a random part of the rows, for its error on that part. A method that fails says why
 * and the others go on.
 */

import { SparrowError } from "../errors.js";
import { nameOf } from "../families/register.js";
import { COMPARE_METHODS } from "../options/choices.js";
import { type CompareOptions, checkCompare, compareOptions } from "../options/compare.js";
import { usual } from "../options/option.js";
import type { FitResult } from "../selection/answer/result.js";
import type { Environment } from "../selection/environment.js";
import { fitTable } from "../selection/fit-table.js";
import { holdOut } from "../tables/hold-out.js";
import type { Table } from "../tables/table.js";
import type { PeerFit } from "./bayesian.js";
import type { CompareResult, MethodResult } from "./comparison.js";
import { holdOutJudge } from "./hold-out.js";
import { PEER_METHODS } from "./methods.js";
import { prepare } from "./prepare.js";
import type { Prepared } from "./prepared.js";

type Found = MethodResult & { readonly chosen?: readonly number[] };

const ESGLD =
  "Sparrow's default: search by eSGLD, a certificate over all columns, exact inference on the rest";

/**
 * Of the memory: what each of the two stores is told that methods share, so that our own fit may have a third one
 * beside them; what products of columns may take up while that is not there; and what rows may that are held out.
 */
const SHARES = { store: 1 / 3, products: 1 / 2, heldOut: 1 / 8 };

export async function compareTable(
  table: Table,
  options: CompareOptions,
  environment: Environment,
  /** Bytes that the process holds now, where that can be known. */
  held?: () => number,
): Promise<CompareResult> {
  checkCompare(options);
  const { target, exclude = [], signal, onProgress } = options;
  const { seed = usual(compareOptions.seed), holdout: share = usual(compareOptions.holdout) } = options;
  const { train, test } = holdOut(table, share, seed);
  const run = {
    target,
    exclude,
    seed,
    signal,
    onProgress,
    missing: options.missing ?? usual(compareOptions.missing),
    ...(options.threads !== undefined && { threads: options.threads }),
    ...(options.memory !== undefined && { memory: options.memory }),
  };

  const memory = options.memory ?? environment.disk?.memory ?? Number.POSITIVE_INFINITY;
  const shared = { ...run, memory: SHARES.store * memory, products: SHARES.products * memory };
  const whole = await prepare(table, { ...shared, family: options.family ?? "auto" }, environment);
  const family = nameOf(whole.target.family);
  const part = share > 0 ? await prepare(train, { ...shared, family }, environment) : undefined;
  const ours = (of: Prepared) => fitTable(of === part ? train : table, { ...run, family }, environment);
  return compareMethods({ whole, part, test, ours, most: SHARES.heldOut * memory }, options, held);
}

/** The same data for all methods, however they are to be had. */
export interface Compared {
  readonly whole: Prepared;
  /** Without the rows that are held out. */
  readonly part?: Prepared | undefined;
  /** Those that are. */
  readonly test: Table;
  /** Bytes that those may take up before they are read again for each fit. */
  readonly most?: number;
  /** Our own fit, of one of the two. */
  ours(of: Prepared): Promise<FitResult>;
}

export async function compareMethods(
  { whole, part, test, ours, most }: Compared,
  options: CompareOptions,
  held?: () => number,
): Promise<CompareResult> {
  const { target, signal } = options;
  const { seed = usual(compareOptions.seed) } = options;
  const family = nameOf(whole.target.family);
  try {
    const { names } = whole.store;
    const offered = (method: string) => PEER_METHODS[method]?.offers(whole.target.family) ?? true;
    const methods = options.methods ?? COMPARE_METHODS.filter(offered);
    const judge = part && (await holdOutJudge(test, part, most));
    const fitOf = async (method: string, prepared: Prepared): Promise<PeerFit> => {
      if (method !== "esgld") return PEER_METHODS[method].fit(prepared);
      // Our own fit brings its own threads.
      await Promise.all([whole.rest?.(), part?.rest?.()]);
      return esgldFit(await ours(prepared), prepared.store.names);
    };

    const { journal } = whole;
    journal?.onData(whole.store.record.checksum);
    const loop = journal?.loop();
    const results: Found[] = [...((loop?.saved as readonly Found[] | undefined) ?? [])];
    for (const method of methods.slice(results.length)) {
      loop?.keep(() => results, signal?.aborted);
      signal?.throwIfAborted();
      options.onMethod?.(method);
      const explanation = PEER_METHODS[method]?.explanation ?? ESGLD;
      try {
        const { fit, seconds, memory } = await measured(held, () => fitOf(method, whole));
        const trained = part && (await fitOf(method, part));
        results.push({
          method,
          explanation,
          chosen: fit.selected,
          selected: fit.selected.map((j) => ({ name: names[j], coefficient: fit.coefficients[j] })),
          ...(judge && trained && { holdoutError: await judge.errorOf(trained) }),
          seconds: fit.seconds ?? seconds,
          ...(memory !== undefined && { memory }),
          settings: fit.settings,
        });
      } catch (error) {
        if (signal?.aborted) loop?.keep(() => results, true);
        signal?.throwIfAborted();
        const failure = failureOf(error);
        results.push({ method, explanation, failure });
      }
    }
    return {
      family,
      rows: whole.store.layout.rows,
      columns: names.length,
      target,
      seed,
      holdoutRows: judge?.rows ?? 0,
      ...(judge && { nullError: judge.nullError }),
      ...(whole.store.record.notes.length > 0 && { notes: whole.store.record.notes }),
      methods: results.map(({ chosen, ...result }) => ({
        ...result,
        ...agreementOf(
          chosen,
          results.flatMap((other) => (other.method !== result.method && other.chosen ? [other.chosen] : [])),
        ),
      })),
    };
  } finally {
    await whole.close();
    await part?.close();
  }
}

/** In a sentence, whose options are spelt later. */
function failureOf(error: unknown): string {
  if (error instanceof SparrowError) return error.marked;
  return error instanceof Error ? error.message.split("\n")[0] : String(error);
}

function esgldFit(result: FitResult, names: readonly string[]): PeerFit {
  const place = new Map(names.map((name, j) => [name, j]));
  const coefficients = new Float64Array(names.length);
  const selected: number[] = [];
  for (const variable of result.variables) {
    const j = place.get(variable.name);
    if (j === undefined) continue;
    coefficients[j] = variable.mean;
    if (variable.selected) selected.push(j);
  }
  selected.sort((a, b) => a - b);
  const { read: _, ...stages } = result.timing;
  return {
    selected,
    coefficients,
    intercept: result.intercept?.mean ?? 0,
    seconds: Object.values(stages).reduce((sum, seconds) => sum + seconds, 0),
    settings: result.settings,
  };
}

/** Milliseconds between two looks at the memory. */
const LOOK = 20;

async function measured<T>(
  memory: (() => number) | undefined,
  work: () => Promise<T>,
): Promise<{ fit: T; seconds: number; memory?: number }> {
  const before = memory?.() ?? 0;
  let most = before;
  const look = (): void => {
    most = Math.max(most, memory?.() ?? 0);
  };
  const timer = memory && setInterval(look, LOOK);
  const start = performance.now();
  try {
    const fit = await work();
    const seconds = (performance.now() - start) / 1000;
    look();
    return { fit, seconds, ...(memory && { memory: most - before }) };
  } finally {
    clearInterval(timer);
  }
}

function agreementOf(
  chosen: readonly number[] | undefined,
  others: readonly (readonly number[])[],
): { agreement?: number } {
  if (!chosen || others.length === 0) return {};
  const own = new Set(chosen);
  const jaccard = others.map((other) => {
    const common = other.filter((j) => own.has(j)).length;
    const union = own.size + other.length - common;
    return union === 0 ? 1 : common / union;
  });
  return { agreement: jaccard.reduce((a, b) => a + b, 0) / jaccard.length };
}
