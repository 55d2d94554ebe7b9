/** What an encoding must look like, wherever it was kept. */

import { and, either, finite, list, names, object, oneOf, type Shape, text } from "../../shape.js";
import { type ColumnEncoding, type Encoding, variableNames } from "./encoding.js";

const KINDS = ["number", "boolean", "date"];

const columnShape: Shape = (value, name) => {
  const isText = (value as ColumnEncoding | undefined)?.kind === "text";
  const shape = isText
    ? object({ column: text, baseline: text, levels: names })
    : object({ column: text, kind: oneOf(...KINDS) }, { fill: finite });
  return shape(value, name);
};

export const encodingShape: Shape = and<Encoding>(
  object({
    target: object(
      { column: text, kind: oneOf(...KINDS, "text") },
      { values: list(either(text, finite), 2) },
    ),
    columns: list(columnShape),
    missing: oneOf("error", "drop", "mean", "impute"),
  }),
  (encoding, name) => names(variableNames(encoding), `the list of variables of ${name}`),
);
