/** The gallery's data: a classic, and simulations that are made in the tab. */

import { type DataInPage, open, SimulatedData } from "sparrow-bayes/browser";
import type { ExampleName } from "./protocol.js";

const SIMULATED = {
  classes: { kind: "logistic", rows: 2000, columns: 40, seed: 1 },
  counts: { kind: "poisson", rows: 1500, columns: 40, seed: 1 },
  table1: { kind: "linear", rows: 50_000, columns: 2000, seed: 1 },
} as const;

export async function exampleData(name: ExampleName): Promise<DataInPage> {
  if (name !== "crime") return new SimulatedData(`${name}.csv`, SIMULATED[name]);
  const { default: text } = await import("../../../examples/crime.csv");
  return open(new File([text], "crime.csv"));
}
