/** An answer in an address: settings and summary, never data. */

import type { FitAsked } from "sparrow-bayes/browser";
import type { KeptRun } from "./past-runs.js";

export interface Shared {
  readonly v: 1;
  readonly name: string;
  readonly when: number;
  readonly asked: FitAsked;
  readonly rows: number;
  readonly columns: number;
  readonly headline: string;
  readonly verdict: string;
  readonly exactness: string;
  readonly effectOf: string;
  /** Name, probability, effect and its interval: the most probable variables. */
  readonly variables: readonly (readonly [string, number, number, number, number])[];
  readonly checksum: string;
  readonly command: string;
}

/** Variables that a link carries. */
const CARRIED = 25;

const rounded = (value: number): number => Number(value.toPrecision(5));

export function sharedOf(run: KeptRun): Shared {
  const { result, record } = run.run;
  const shown = result.variables
    .slice(0, Math.max(CARRIED, result.variables.filter(({ selected }) => selected).length))
    .slice(0, 100);
  return {
    v: 1,
    name: run.name.split(/[\\/]/).pop() ?? "",
    when: run.when,
    asked: run.asked,
    rows: result.rows,
    columns: result.columns,
    headline: run.words.headline,
    verdict: run.words.verdict,
    exactness: `${run.words.exactness.kind}: ${run.words.exactness.sentence}`,
    effectOf: run.words.effectOf,
    variables: shown.map((v) => [v.name, v.pip, rounded(v.mean), rounded(v.lower), rounded(v.upper)]),
    checksum: record.data.checksum,
    command: run.command,
  };
}

export async function packed(shared: Shared): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(shared)),
    new CompressionStream("deflate-raw"),
  );
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Undefined where somebody changed the link, or cut it. */
export async function unpacked(text: string): Promise<Shared | undefined> {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const plain = await through(bytes, new DecompressionStream("deflate-raw"));
    const shared: unknown = JSON.parse(new TextDecoder().decode(plain));
    return isShared(shared) ? shared : undefined;
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const TEXTS = ["name", "headline", "verdict", "exactness", "effectOf", "checksum", "command"] as const;

/** Links come from others: what is not as it should be is not shown. */
function isShared(value: unknown): value is Shared {
  if (typeof value !== "object" || value === null) return false;
  const shared = value as Partial<Record<keyof Shared, unknown>>;
  const { asked, variables } = shared;
  return (
    shared.v === 1 &&
    TEXTS.every((name) => typeof shared[name] === "string") &&
    [shared.when, shared.rows, shared.columns].every((number) => typeof number === "number") &&
    typeof asked === "object" &&
    asked !== null &&
    typeof (asked as { target?: unknown }).target === "string" &&
    Array.isArray(variables) &&
    variables.every(
      (row) =>
        Array.isArray(row) &&
        typeof row[0] === "string" &&
        row.slice(1).every((cell) => typeof cell === "number"),
    )
  );
}
