import { join } from "node:path";
import { SparrowError } from "../errors.js";
import { jsonOf, openManifest } from "../files/manifest.js";
import { type AnyPredictor, predictorIn } from "./any-predictor.js";

const MODEL = "model.json";

/** What a run folder knows about new rows. */
export function readPredictor(run: string): AnyPredictor {
  const model = jsonOf(openManifest(run), MODEL);
  if (model !== undefined) return predictorIn(join(run, MODEL), model);
  throw new SparrowError(`${run} is not a run that can predict: it has no ${MODEL}.`, "file");
}
