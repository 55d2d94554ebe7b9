/**
 * A fit of Parquet files (make-parquet.ts) that are asked by DuckDB, beside an import and a fit of what was imported, stage
 * by stage: `node --import tsx bench/engines/files.ts FOLDER STORE [asked|imported] [MEMORY]`; needs a build.
 */

import { rmSync } from "node:fs";
import { commandMeasured, tellFit } from "./measured.js";

const [folder, store, which, memory = "1.5GB"] = process.argv.slice(2);
const files = `${folder}/*.parquet`;
const limits = ["--memory", memory];
if (which !== "imported") {
  const words = ["fit", files, "--target", "y", "--engine", "duckdb", "--json", ...limits];
  tellFit({ stage: "asked" }, await commandMeasured(words));
}
if (which !== "asked") {
  rmSync(store, { recursive: true, force: true });
  const words = ["import", files, "--target", "y", "--out", store, ...limits];
  const { out: _, err: __, ...took } = await commandMeasured(words);
  console.log(JSON.stringify({ stage: "imported", ...took }));
  tellFit({ stage: "fitted" }, await commandMeasured(["fit", store, "--json", ...limits]));
}
