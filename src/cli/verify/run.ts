import { readdirSync } from "node:fs";
import { checkFile, MANIFEST, openManifest } from "../../files/manifest.js";
import { readAnyRun } from "../../node/read-run.js";
import { readPredictor } from "../../prediction/read-predictor.js";
import { count } from "../../report/text/numbers.js";
import type { Verified } from "./verified.js";

/** Every file of a run folder, whatever reads it. */
export async function verifyRun(path: string): Promise<Verified> {
  const manifest = openManifest(path);
  for (const name of manifest.files.keys()) checkFile(manifest, name);
  const { kind, run } = await readAnyRun(path);
  const model = manifest.files.has("model.json");
  if (model) readPredictor(path);
  const strangers = readdirSync(path).filter((name) => name !== MANIFEST && !manifest.files.has(name));
  const { version, data } = run.record;
  return {
    path,
    kind: "run",
    found: `A run of sparrow ${kind}, version ${version}, on ${count(data.rows, "row")} of ${data.name}`,
    checked: [
      `${count(manifest.files.size, "file")} have the lengths and checksums (SHA-256) that ${MANIFEST} lists.`,
      "Their numbers are finite, their probabilities lie between 0 and 1, and their lists have lengths that agree.",
      ...(model ? ["The model can predict."] : []),
    ],
    unchecked: [
      "Who wrote the run: checksums tell of accidents, not of somebody who computes them anew.",
      ...(strangers.length > 0 ? [`What is not on the list: ${strangers.join(", ")}.`] : []),
    ],
  };
}
