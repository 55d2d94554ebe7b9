/** Names and paths are data: always quoted, never executed. */

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A path as DuckDB's readers take it, who would expand the patterns in it once more. */
export function file(path: string): string {
  return literal(path.replace(/[[*?]/g, "[$&]"));
}

/** A list of paths. */
export function files(paths: readonly string[]): string {
  return `[${paths.map(file).join(", ")}]`;
}

/** The columns of a struct of types, as DuckDB's readers take them. */
export function types(columns: readonly { readonly name: string; readonly type: string }[]): string {
  return `{${columns.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(", ")}}`;
}
