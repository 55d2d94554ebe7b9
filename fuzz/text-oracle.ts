/** Text tables read the plain way, where there is no doubt about what they hold: what the readers must agree with. */

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/;

/** The columns that are numbers in every row, by name; undefined where anything is unusual. */
export type PlainTable = ReadonlyMap<string, readonly number[]>;

export function readDelimited(text: string, delimiter: string): PlainTable | undefined {
  // Anything that a reader may have rules for: quotes, other separators, blanks, letters beyond the English ones.
  if (/["'\r\0;|]|[^\n\t -~]|\n\n|^\n| /.test(text) || (delimiter === "," && text.includes("\t")))
    return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  const [names, ...rows] = lines.map((line) => line.split(delimiter));
  if (names.some((name) => !/^[a-z]\w*$/i.test(name)) || new Set(names).size < names.length) return undefined;
  if (rows.length === 0 || rows.some((row) => row.length !== names.length)) return undefined;
  return numbersOf(
    names,
    rows.map((row) => row.map((cell) => (NUMBER.test(cell) ? Number(cell) : undefined))),
  );
}

export function readJsonLines(text: string): PlainTable | undefined {
  if (/[^\n -~]|\n\n|^\n/.test(text)) return undefined;
  const rows: Record<string, unknown>[] = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    // A flat object without anything that JSON has two ways of writing.
    if (!/^\{("\w+":("\w*"|-?[\d.eE+-]+),?)+\}$/.test(line)) return undefined;
    try {
      rows.push(JSON.parse(line) as Record<string, unknown>);
    } catch {
      return undefined;
    }
    if (Object.keys(rows[rows.length - 1]).length !== line.split(":").length - 1) return undefined;
  }
  const names = Object.keys(rows[0] ?? {});
  if (rows.some((row) => Object.keys(row).join() !== names.join())) return undefined;
  return numbersOf(
    names,
    rows.map((row) =>
      names.map((name) => (typeof row[name] === "number" ? (row[name] as number) : undefined)),
    ),
  );
}

function numbersOf(names: readonly string[], rows: readonly (readonly (number | undefined)[])[]): PlainTable {
  const columns = new Map<string, number[]>();
  names.forEach((name, c) => {
    const values = rows.flatMap((row) => row[c] ?? []);
    if (values.length === rows.length && values.every(Number.isFinite)) columns.set(name, values);
  });
  return columns;
}
