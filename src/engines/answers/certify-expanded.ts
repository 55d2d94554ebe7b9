/** The certificate's pass where the likelihood is expanded: products of every column, weighted at the mode. */

import type { Certified } from "../../selection/certify/certify.js";
import { type CertifyExpandedInput, expandedVerdicts } from "../../selection/expansion/certify.js";
import type { Asked } from "../asking-pool.js";
import { certifyExpandedQueries, PURPOSES } from "../plan/planned.js";
import { rectangleTiles, tiled } from "../plan/products.js";
import { ETA, variableName, written } from "../question.js";
import { likelihoodLayers, SCORE, WEIGHT } from "./likelihood.js";
import { range } from "./moments.js";

const panelName = (c: number): string => `s_p${c}`;

export async function answerCertifyExpanded(
  asked: Asked,
  inputs: readonly CertifyExpandedInput[],
): Promise<Certified[]> {
  if (inputs.length === 0) return [];
  const [{ judges, family, point, centres, response }] = inputs;
  const { asker } = asked;
  const { columns, scaling } = judges;
  const k = columns.length;
  const size = k + 2;
  // The judges' columns, the working response and the weights alone.
  const panel = Object.fromEntries([
    ...columns.map((j, c) => [panelName(c), `(${WEIGHT} * ${variableName(j)})`]),
    [panelName(k), `(${WEIGHT} * (${ETA} - ${written(response)}) + ${SCORE})`],
    [panelName(k + 1), WEIGHT],
  ]);
  const outside = inputs.flatMap(({ first, last, outside: marks }) =>
    range(first, last).filter((j) => marks[j - first] === 1),
  );
  const base = likelihoodLayers(asked, { family, scaling, point }, [...columns, ...outside]);
  const layers = [...base, panel];
  const purpose = PURPOSES.certifyExpanded;
  const { limits } = asker.rows.engine;
  asker.plan(purpose, certifyExpandedQueries(k, outside.length, limits));
  const totals = await asker.sums(purpose, {
    layers,
    aggregates: Array.from({ length: size }, (_, c) => `sum(${panelName(c)})`),
  });
  const means = new Map(
    inputs.flatMap(({ first, last, means: own }) => range(first, last).map((j) => [j, own[j - first]])),
  );
  const sums = new Map(outside.map((j) => [j, new Float64Array(size)]));
  const squares = new Map<number, number>();
  await tiled(
    asker,
    {
      purpose,
      layers,
      expression(a, b) {
        const u = variableName(outside[b]);
        if (a < size) return `${panelName(a)} * ${u}`;
        const away = `(${u} - ${written(means.get(outside[b])!)})`;
        return `${WEIGHT} * ${away} * ${away}`;
      },
    },
    rectangleTiles(size + 1, outside.length, limits),
    (a, b, sum) => {
      if (a < size) sums.get(outside[b])![a] = sum;
      else squares.set(outside[b], sum);
    },
  );
  // From W·u of the judges' columns to W·(x − centre).
  const asSeen = (of: Float64Array): Float64Array =>
    of.map((sum, c) =>
      c < k ? scaling.slope[columns[c]] * sum + (scaling.offset[columns[c]] - centres[c]) * of[k + 1] : sum,
    );
  const panelTotals = asSeen(totals);
  return inputs.map((input) => {
    const { judge, finish } = expandedVerdicts(input);
    for (const j of range(input.first, input.last)) {
      if (input.outside[j - input.first] === 1)
        judge(j, { sums: asSeen(sums.get(j)!), square: squares.get(j)!, totals: panelTotals });
    }
    return finish();
  });
}
