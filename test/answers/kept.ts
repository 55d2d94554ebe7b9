/** What is kept of a fit: all that a user can get at, the draws as hashes of their bytes. */

import { type FitOptions, run as runHere } from "../../src/index.js";
import { type ForFiles, type Run, run } from "../../src/node.js";
import type { Table } from "./data.js";
import { plain, sha256 } from "./plain.js";

export interface Case {
  readonly name: string;
  /** What is stored: plain JSON. */
  run(): Promise<unknown>;
}

type Options = Omit<FitOptions, "target"> & { readonly target?: string };

export function kept({ result, data, details, search }: Run): unknown {
  return plain({
    ...{ result, data, search },
    predictor: details.predictor(),
    models: details.models?.(),
    draws: hashedDraws(details.draws()),
  });
}

/** A hash for each quantity that was drawn, over all chains. */
function hashedDraws({ chains, ...head }: ReturnType<Run["details"]["draws"]>): unknown {
  const columns = chains.map((chain) =>
    Object.entries(chain).filter(([, values]) => ArrayBuffer.isView(values)),
  );
  const names = [...new Set(columns.flat().map(([name]) => name))];
  const bytes = (name: string) =>
    columns
      .flat()
      .flatMap(([own, { buffer, byteOffset, byteLength }]) =>
        own === name ? [Buffer.from(buffer, byteOffset, byteLength)] : [],
      );
  const hashes = names.map((name) => [name, sha256(Buffer.concat(bytes(name)))]);
  return { ...head, chains: chains.length, ...Object.fromEntries(hashes) };
}

/** A fit of arrays in this thread. */
export const fitted = async (table: Table, options: Options = {}): Promise<unknown> =>
  kept(await runHere(table, { target: "y", ...options }));

/** A fit of a file, with threads. */
export const fittedFile = async (path: string, options: ForFiles<FitOptions> = {}): Promise<unknown> =>
  kept(await run(path, { target: "y", threads: 2, ...options }));
