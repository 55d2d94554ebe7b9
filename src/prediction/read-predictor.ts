import { join } from "node:path";
import { SparrowError } from "../errors.js";
import { jsonOf, openManifest } from "../files/manifest.js";
import { type AnyPredictor, predictorIn } from "./any-predictor.js";

const MODEL = "model.json";

/** What a run folder knows about new rows. */
export function readPredictor(run: string): AnyPredictor {
  const manifest = openManifest(run);
  const model = jsonOf(manifest, MODEL);
  if (model !== undefined) return predictorIn(join(run, MODEL), model);
  const summary = jsonOf(manifest, "summary.json") as { readonly model?: unknown } | undefined;
  if (summary?.model === "clusters" || summary?.model === "states") {
    throw new SparrowError(
      `${run} is a run of sparrow ${summary.model}, which finds groups in the rows that it was given and predicts no others; membership and probabilities of new rows are in the library.`,
      "file",
    );
  }
  throw new SparrowError(`${run} is not a run that can predict: it has no ${MODEL}.`, "file");
}
