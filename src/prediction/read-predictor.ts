import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../errors.js";
import type { Predictor } from "./predictor.js";

/** What a run folder knows about new rows. */
export function readPredictor(run: string): Predictor {
  if (!existsSync(run)) throw new SparrowError(`There is no run folder ${run}; check the path.`, "file");
  const path = join(run, "model.json");
  if (!existsSync(path)) {
    throw new SparrowError(
      `${run} is not a run that can predict: it has no model.json, which sparrow fit --out writes.`,
      "file",
    );
  }
  let predictor: Predictor;
  try {
    predictor = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new SparrowError(`${path} is damaged: it is not JSON; fit again.`, "format");
  }
  if (predictor.format !== "sparrow-predictor" || predictor.version !== 1) {
    throw new SparrowError(`${path} is not a model of this version of Sparrow; fit again.`, "format");
  }
  return predictor;
}
