import { readdirSync } from "node:fs";
import { checkFile, jsonOf, MANIFEST, type Manifest, openManifest } from "../../files/manifest.js";
import { readAnyRun } from "../../node/read-run.js";
import { readPredictor } from "../../prediction/read-predictor.js";
import { count } from "../../report/text/numbers.js";
import type { Verified } from "./verified.js";

/** Every file of a run folder, whatever reads it. */
export async function verifyRun(path: string): Promise<Verified> {
  const manifest = openManifest(path);
  for (const name of manifest.files.keys()) checkFile(manifest, name);
  const experiment = reproductionIn(manifest);
  if (experiment !== undefined) return verifiedReproduction(manifest, experiment);
  const { kind, run } = await readAnyRun(path);
  const model = manifest.files.has("model.json");
  if (model) readPredictor(path);
  const { version, data } = run.record;
  return {
    path,
    kind: "run",
    found: `A run of sparrow ${kind}, version ${version}, on ${count(data.rows, "row")} of ${data.name}`,
    checked: [
      listed(manifest),
      "Their numbers are finite, their probabilities lie between 0 and 1, and their lists have lengths that agree.",
      ...(model ? ["The model can predict."] : []),
    ],
    unchecked: unchecked(manifest),
  };
}

const listed = ({ files }: Manifest): string =>
  `${count(files.size, "file")} have the lengths and checksums (SHA-256) that ${MANIFEST} lists.`;

function unchecked({ folder, files }: Manifest): string[] {
  const strangers = readdirSync(folder).filter((name) => name !== MANIFEST && !files.has(name));
  return [
    "Who wrote the run: checksums tell of accidents, not of somebody who computes them anew.",
    ...(strangers.length > 0 ? [`What is not on the list: ${strangers.join(", ")}.`] : []),
  ];
}

/** The experiment whose numbers a folder holds; undefined for a run. */
function reproductionIn(manifest: Manifest): string | undefined {
  if (manifest.files.has("run.json")) return undefined;
  for (const name of manifest.files.keys()) {
    if (!name.endsWith(".json")) continue;
    const { experiment } = (jsonOf(manifest, name) ?? {}) as { readonly experiment?: unknown };
    if (`${experiment}.json` === name) return String(experiment);
  }
  return undefined;
}

function verifiedReproduction(manifest: Manifest, experiment: string): Verified {
  return {
    path: manifest.folder,
    kind: "run",
    found: `What sparrow reproduce ${experiment} came to`,
    checked: [listed(manifest)],
    unchecked: ["The numbers themselves.", ...unchecked(manifest)],
  };
}
