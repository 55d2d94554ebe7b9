/** The certificate's pass: products of every column with those of the models that judge, and the verdicts from them. */

import { type CertifiedColumns, type CertifyInput, certifyColumns } from "../../selection/certify/certify.js";
import { Arena } from "../../store/batch/arena.js";
import { seenName } from "../asked-variables.js";
import type { Asked } from "../asking-pool.js";
import { certifyQueries, PURPOSES } from "../plan/planned.js";
import { rectangleTiles, tiled } from "../plan/products.js";
import { variableName } from "../question.js";
import { range } from "./moments.js";

export async function answerCertify(
  { asker, variables, store }: Asked,
  inputs: readonly CertifyInput[],
): Promise<CertifiedColumns[]> {
  if (inputs.length === 0) return [];
  const { columns, scaling } = inputs[0].judges;
  const unknown = columns.filter((_, c) => !inputs[0].known[c]);
  const all = inputs.flatMap(({ first, last }) => range(first, last));
  const products = new Map(unknown.map((c) => [c, new Float64Array(variables.columns)]));
  const { limits } = asker.rows.engine;
  asker.plan(PURPOSES.certify, certifyQueries(unknown.length, all.length, limits));
  await tiled(
    asker,
    {
      purpose: PURPOSES.certify,
      layers: [variables.stored([...all, ...unknown]), variables.seen(unknown, scaling)],
      expression: (a, b) => `${seenName(unknown[a])} * ${variableName(all[b])}`,
    },
    rectangleTiles(unknown.length, all.length, limits),
    (a, b, sum) => {
      products.get(unknown[a])![all[b]] = sum;
    },
  );
  const { memory } = store.kernels;
  return inputs.map((input) => {
    const { first, last, kept } = input;
    const own = (c: number) => products.get(c)!.slice(first, last);
    const known = columns.map((c, i) => input.known[i] ?? own(c));
    // With all products known no row is looked at.
    const verdicts = certifyColumns(store, new Arena(memory, store.end, memory.buffer.byteLength), {
      ...input,
      known,
    });
    return { ...verdicts, fresh: unknown.slice(0, kept).map(own) };
  });
}
