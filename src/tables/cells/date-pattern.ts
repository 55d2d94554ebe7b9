/** Dates by a pattern in the way of strftime: %d.%m.%Y, %b %d %y, %Y-%m-%dT%H:%M:%S%z. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { moment, monthOf } from "./calendar.js";

const PARTS: Readonly<Record<string, string>> = {
  Y: "(?<Y>\\d{4})",
  y: "(?<y>\\d{2})",
  m: "(?<m>\\d{1,2})",
  d: "(?<d>\\d{1,2})",
  e: "(?<d>\\d{1,2})",
  b: "(?<b>[A-Za-z]{3,9})\\.?",
  B: "(?<b>[A-Za-z]{3,9})",
  a: "[A-Za-z]{3,9}",
  A: "[A-Za-z]{3,9}",
  H: "(?<H>\\d{1,2})",
  I: "(?<H>\\d{1,2})",
  M: "(?<M>\\d{2})",
  S: "(?<S>\\d{2}(?:[.,]\\d+)?)",
  f: "(?<f>\\d{1,9})",
  p: "(?<p>[AaPp]\\.?[Mm]\\.?)",
  z: "(?<z>Z|[+-]\\d{2}:?\\d{2})",
  "%": "%",
};

const known = new Map<string, RegExp>();

/** The expression of a pattern; an error where it holds something else. */
export function patternOf(format: string): RegExp {
  let expression = known.get(format);
  if (!expression) {
    const source = format.replace(/%(.)|[\\^$.*+?()[\]{}|]/g, (text, part?: string) => {
      if (part === undefined) return `\\${text}`;
      if (PARTS[part] !== undefined) return PARTS[part];
      throw new SparrowError(
        `${option("dateFormat", format)} holds ${text}, which means nothing here; ${Object.keys(PARTS)
          .filter((each) => each !== "%")
          .map((each) => `%${each}`)
          .join(", ")} do.`,
        "option",
      );
    });
    expression = new RegExp(`^${source}$`);
    known.set(format, expression);
  }
  return expression;
}

export function readPattern(cell: string, format: string): number | undefined {
  const parts = patternOf(format).exec(cell)?.groups;
  if (!parts) return undefined;
  const { Y, y, m, b, d = "1", H, M = "00", S = "00", f, p = "", z } = parts;
  const year = Y ?? y;
  const month = m ?? (b === undefined ? "1" : monthOf(b));
  if (year === undefined) return undefined;
  const time = H === undefined ? undefined : `${H}:${M}:${S}${f === undefined ? "" : `.${f}`}${p}`;
  return moment(year, month, d, time, z);
}
