/** LIBSVM read the plain way, line by line and word by word: what the fast reader must agree with. */

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Rows as texts; undefined where a line is not what the format allows, so that a reader should refuse it. */
export function readLibsvm(text: string): string | undefined {
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    const words = line
      .split("#")[0]
      .split(/[ \t\r]+/)
      .filter((word) => word !== "");
    if (words.length === 0) continue;
    const [label, ...pairs] = words;
    if (!NUMBER.test(label) || !Number.isFinite(Number(label))) return undefined;
    const entries: string[] = [];
    for (const pair of pairs) {
      if (/^qid:-?\d+$/.test(pair)) continue;
      const [index, value, ...more] = pair.split(":");
      if (more.length > 0 || !/^\d+$/.test(index) || !NUMBER.test(value ?? "")) return undefined;
      if (Number(value) !== 0) entries.push(`${Number(index)}:${Number(value)}`);
    }
    rows.push([Number(label), ...entries].join(" "));
  }
  return rows.join("\n");
}
