/** Passes over all columns, shared out to the threads by columns, so that nothing depends on how many there are. */

import { nameOf } from "../../families/register.js";
import type { Target } from "../../families/target.js";
import type { Store } from "../../store/store.js";
import type { Pool } from "../../workers/pool.js";
import { type DevianceInput, type DeviancePlan, devianceJob } from "../search/deviances.js";
import { type Screen, screenFrom, screenJob } from "./screen.js";

export async function screenStore(store: Store, pool: Pool): Promise<Screen> {
  const columns = store.layout.columns + 1;
  const pieces = Math.min(pool.size, columns);
  const jobs = Array.from({ length: pieces }, (_, i) => ({
    first: Math.floor((i * columns) / pieces),
    last: Math.floor(((i + 1) * columns) / pieces),
  }));
  return screenFrom(await pool.run(screenJob, jobs), store.layout.rows);
}

export async function deviances(
  store: Store,
  pool: Pool,
  screen: Screen,
  target: Target,
): Promise<Float64Array> {
  const { columns } = store.layout;
  const plan: DeviancePlan = {
    ...screen,
    family: nameOf(target.family),
    target: target.scaling,
    targetMean: target.scaling.slope * screen.mean[columns] + target.scaling.offset,
    targetSd: target.scaling.slope * screen.sd[columns],
  };
  const pieces = Math.min(pool.size, columns);
  const jobs = Array.from(
    { length: pieces },
    (_, i): DevianceInput => ({
      plan,
      first: Math.floor((i * columns) / pieces),
      last: Math.floor(((i + 1) * columns) / pieces),
    }),
  );
  const deviance = new Float64Array(columns);
  for (const part of await pool.run(devianceJob, jobs)) deviance.set(part.deviance, part.first);
  return deviance;
}
