import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SparrowError } from "../errors.js";
import { option } from "../wording.js";
import { type AnyPredictor, isPredictor } from "./any-predictor.js";

/** What a run folder knows about new rows. */
export function readPredictor(run: string): AnyPredictor {
  if (!existsSync(run)) throw new SparrowError(`There is no run folder ${run}; check the path.`, "file");
  const path = join(run, "model.json");
  if (!existsSync(path)) {
    throw new SparrowError(
      `${run} is not a run that can predict: it has no model.json, which sparrow fit and sparrow mixed write with ${option("out", "DIR")}.`,
      "file",
    );
  }
  let predictor: unknown;
  try {
    predictor = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new SparrowError(`${path} is damaged: it is not JSON; fit again.`, "format");
  }
  if (!isPredictor(predictor)) {
    throw new SparrowError(`${path} is not a model of this version of Sparrow; fit again.`, "format");
  }
  return predictor;
}
