/** A comparison of methods as text: one line a method, then which variables they select. */

import { familyNamed } from "../../families/register.js";
import type { CompareResult, MethodResult } from "../../peers/comparison.js";
import { aligned } from "./lines.js";
import { megabytes } from "./numbers.js";

/** Variables shown in the second table. */
const SHOWN = 30;

export function comparisonText(comparison: CompareResult): string {
  const { methods, family, rows, columns, target, holdoutRows, nullError } = comparison;
  const number = (value: number | undefined, digits = 3): string =>
    value === undefined ? "" : String(Number(value.toPrecision(digits)));
  const errorName = familyNamed(family).words.error;
  const head = ["method", "selected", "agreement", errorName, "seconds", "memory"];
  const body = methods.map((row) =>
    row.failure === undefined
      ? [
          row.method,
          String(row.selected?.length ?? 0),
          number(row.agreement, 2),
          number(row.holdoutError, 4),
          number(row.seconds, 2),
          row.memory === undefined ? "" : megabytes(row.memory),
        ]
      : [row.method, "failed"],
  );
  const baseline = nullError === undefined ? [] : [["(constant)", "0", "", number(nullError, 4)]];
  const lines = [
    `${target}: ${family}, ${rows} rows, ${columns} columns`,
    "",
    ...aligned([head, ...body, ...baseline]),
    "",
    ...aligned(methods.map(({ method, explanation }) => [method, explanation])),
  ];
  const failures = methods.flatMap(({ method, failure }) =>
    failure ? [`${method} failed: ${failure}`] : [],
  );
  if (failures.length > 0) lines.push("", ...failures);
  lines.push("", ...variableTable(comparison));
  if (holdoutRows > 0) {
    lines.push(
      "",
      `The column "${errorName}" is of ${holdoutRows} rows that were left out of a second fit; all else is from all rows.`,
    );
  }
  for (const note of comparison.notes ?? []) lines.push(`Note: ${note}`);
  lines.push("Agreement is the mean Jaccard index of a selection with those of the other methods.", "");
  return lines.join("\n");
}

function variableTable({ methods }: CompareResult): string[] {
  const done = methods.filter(({ selected }) => selected !== undefined);
  const names = ranked(done);
  if (names.length === 0) return ["No method selects a variable."];
  const rows = names.slice(0, SHOWN).map((name) => [
    name,
    ...done.map(({ selected = [] }) => {
      const found = selected.find((variable) => variable.name === name);
      return found ? String(Number(found.coefficient.toPrecision(3))) : "·";
    }),
  ]);
  const more = names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : [];
  return [...aligned([["coefficient", ...done.map(({ method }) => method)], ...rows]), ...more];
}

/** The variables that any method selects, those that most of them select first. */
export function ranked(methods: readonly MethodResult[]): string[] {
  const votes = new Map<string, number>();
  for (const { selected = [] } of methods)
    for (const { name } of selected) votes.set(name, (votes.get(name) ?? 0) + 1);
  return [...votes].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}
