/** The data of a shape on disk, the same numbers for all methods: column-major float32, or LIBSVM. */

import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { denseRows } from "./dense-draws.js";
import type { Shape } from "./shapes.js";
import { sparseRows } from "./sparse-draws.js";

/** Beside the data, for whoever reads them. */
export interface ShapeFile {
  readonly rows: number;
  readonly columns: number;
  readonly family: Shape["family"];
  readonly format: "dense" | "libsvm";
  readonly effects: number;
}

/** `x.f32` and `y.f32`, or `data.svm`; and `shape.json`. */
export function writeData(folder: string, shape: Shape, seed: number): void {
  const { rows, columns, family, effects, law } = shape;
  const sparse = law.kind === "sparse";
  if (sparse) writeSparse(join(folder, "data.svm"), shape, seed);
  else writeDense(folder, shape, seed);
  const format = sparse ? "libsvm" : "dense";
  const file: ShapeFile = { rows, columns, family, format, effects };
  writeFileSync(join(folder, "shape.json"), JSON.stringify(file));
}

function writeDense(folder: string, shape: Shape, seed: number): void {
  const { rows } = shape;
  const x = openSync(join(folder, "x.f32"), "w");
  const y = new Float32Array(rows);
  try {
    for (const drawn of denseRows(shape, rows, seed)) {
      let j = 0;
      for (const column of drawn.columns()) {
        writeSync(x, column, 0, column.byteLength, 4 * (j * rows + drawn.first));
        j++;
      }
      y.set(drawn.y, drawn.first);
    }
  } finally {
    closeSync(x);
  }
  writeFileSync(join(folder, "y.f32"), y);
}

/** Characters that are written at once. */
const TEXT = 2 ** 22;

function writeSparse(path: string, shape: Shape, seed: number): void {
  const file = openSync(path, "w");
  try {
    let text = "";
    for (const { y, entries } of sparseRows(shape, shape.rows, seed)) {
      text += `${Math.fround(y)}`;
      for (const j of entries) text += ` ${j + 1}:1`;
      text += "\n";
      if (text.length < TEXT) continue;
      writeSync(file, text);
      text = "";
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
