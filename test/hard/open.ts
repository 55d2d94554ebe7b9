/** Problems that are answered wrong under "No problems found", by name. Nobody may join; those that are solved leave. */
export const OPEN: ReadonlySet<string> = new Set([]);
