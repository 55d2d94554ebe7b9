/** A mixed model of a file: any table that DuckDB reads, or a folder with MovieLens in it. */

import { SparrowError } from "../errors.js";
import { checkPath, formatOf } from "../tables/open.js";
import { option } from "../wording.js";
import { fitMixed, type MixedFit } from "./fit.js";
import { checkOptions, type MixedOptions } from "./options.js";
import { columnKinds, type Grouped, grouped } from "./read/grouped.js";
import { isMovieLens, MOVIELENS_COLUMNS, movielens } from "./read/movielens.js";

/** Beyond this many, the fixed columns have to be named: the cross-products grow with their square. */
const MANY = 40;

export async function mixed(path: string, options: Partial<MixedOptions>): Promise<MixedFit> {
  checkOptions(options);
  const from = performance.now();
  const { read, settings } = isMovieLens(path) ? films(path, options) : await table(path, options);
  const { data, warnings } = await read();
  for (const warning of warnings) options.onMessage?.(warning);
  const seconds = (performance.now() - from) / 1000;
  const fit = await fitMixed(data, settings);
  const { result } = fit;
  return {
    ...fit,
    result: {
      ...result,
      diagnostics: { ...result.diagnostics, warnings: [...warnings, ...result.diagnostics.warnings] },
      timing: { read: seconds, ...result.timing },
    },
  };
}

interface Plan {
  read(): Promise<Grouped>;
  readonly settings: MixedOptions;
}

/** The paper's model unless told: every predictor with a fixed and a random effect. */
function films(folder: string, options: Partial<MixedOptions>): Plan {
  const {
    target = "rating",
    group = "userId",
    fixed = MOVIELENS_COLUMNS,
    random = MOVIELENS_COLUMNS,
  } = options;
  if (target !== "rating" || group !== "userId") {
    throw new SparrowError(`${folder} holds MovieLens: its target is "rating" and its group "userId".`);
  }
  return {
    read: () => movielens(folder, limited(options)),
    settings: { ...options, target, group, fixed, random },
  };
}

async function table(file: string, options: Partial<MixedOptions>): Promise<Plan> {
  const { target, group, random = [] } = options;
  if (target === undefined)
    throw new SparrowError(`${option("target")} is missing: name the column to explain.`, "option");
  if (group === undefined)
    throw new SparrowError(`${option("group")} is missing: name the column of the groups.`, "option");
  checkPath(file);
  const format = formatOf(file);
  if (format === "store" || format === "libsvm" || format === "arrow") {
    throw new SparrowError(
      `${file} is a file of the kind ${format}; mixed needs CSV, JSON lines or Parquet.`,
    );
  }
  const fixed = options.fixed ?? (await remaining(file, target, group, options));
  for (const name of [...fixed, ...random]) {
    if (name === target || name === group) {
      throw new SparrowError(
        `Column "${name}" cannot be a predictor as well: take it out of ${option("fixed")} and ${option("random")}.`,
      );
    }
  }
  const columns = [...new Set([...fixed, ...random])];
  return {
    read: () => grouped(file, { target, group, columns, ...limited(options) }),
    settings: { ...options, target, group, fixed, random },
  };
}

/** The memory that DuckDB may use, in its own words. */
function limited({ memory }: Partial<MixedOptions>): { memory?: string } {
  return memory === undefined ? {} : { memory: `${Math.floor(memory / 1e6)}MB` };
}

/** Every column of numbers that has no other part to play. */
async function remaining(
  file: string,
  target: string,
  group: string,
  { random = [], onMessage }: Partial<MixedOptions>,
): Promise<string[]> {
  const { numeric, other } = await columnKinds(file);
  const fixed = numeric.filter((name) => name !== target && name !== group);
  if (fixed.length > MANY) {
    throw new SparrowError(
      `${file} has ${fixed.length} columns of numbers: name those to use with ${option("fixed")}.`,
    );
  }
  const left = other.filter((name) => name !== target && name !== group && !random.includes(name));
  if (left.length > 0) onMessage?.(`Not columns of numbers, so left out: ${left.join(", ")}.`);
  return fixed;
}
