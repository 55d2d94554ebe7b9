/** Passes over all columns, shared out to the threads by columns, so that nothing depends on how many there are. */

import type { Target } from "../../families/target.js";
import type { Store } from "../../store/store.js";
import type { Job } from "../../workers/jobs.js";
import type { Team } from "../../workers/team.js";
import type { DevianceJob, DeviancePlan } from "../search/deviances.js";
import { type Screen, screenFrom } from "./screen.js";

export async function screenStore(store: Store, team: Team): Promise<Screen> {
  const columns = store.layout.columns + 1;
  const pieces = Math.min(team.size, columns);
  const jobs = Array.from({ length: pieces }, (_, i): Job & { kind: "screen" } => ({
    kind: "screen",
    first: Math.floor((i * columns) / pieces),
    last: Math.floor(((i + 1) * columns) / pieces),
  }));
  return screenFrom(await team.run(jobs), store.layout.rows);
}

export async function deviances(
  store: Store,
  team: Team,
  screen: Screen,
  target: Target,
): Promise<Float64Array> {
  const { columns } = store.layout;
  const plan: DeviancePlan = {
    ...screen,
    family: target.family === "poisson" ? "poisson" : "binomial",
    target: target.scaling,
    targetMean: target.scaling.slope * screen.mean[columns] + target.scaling.offset,
    targetSd: target.scaling.slope * screen.sd[columns],
  };
  const pieces = Math.min(team.size, columns);
  const jobs = Array.from(
    { length: pieces },
    (_, i): DevianceJob => ({
      kind: "deviances",
      plan,
      first: Math.floor((i * columns) / pieces),
      last: Math.floor(((i + 1) * columns) / pieces),
    }),
  );
  const deviance = new Float64Array(columns);
  for (const part of await team.run(jobs)) deviance.set(part.deviance, part.first);
  return deviance;
}
