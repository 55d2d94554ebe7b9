/** Names and paths are data: always quoted, never executed. */

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A list of paths, as DuckDB's readers take them. */
export function files(paths: readonly string[]): string {
  return `[${paths.map(literal).join(", ")}]`;
}

/** The columns of a struct of types, as DuckDB's readers take them. */
export function types(columns: readonly { readonly name: string; readonly type: string }[]): string {
  return `{${columns.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(", ")}}`;
}
