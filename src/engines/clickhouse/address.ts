/** `clickhouse://user@host:8123/database/table`, with `?secure=true` for TLS. A password is never part of it. */

import { SparrowError } from "../../errors.js";

/** Where the password is looked for: nowhere that a history, a run folder or a list of processes shows it. */
export const PASSWORD = "SPARROW_CLICKHOUSE_PASSWORD";

export interface ClickHouseAddress {
  /** As the user may see it. */
  readonly name: string;
  /** Of the HTTP interface. */
  readonly url: string;
  readonly user: string;
  readonly database: string;
  /** Undefined where a query takes its place. */
  readonly table: string | undefined;
}

const SCHEME = /^clickhouse:\/\//i;

export const isClickHouseAddress = (data: unknown): data is `clickhouse://${string}` =>
  typeof data === "string" && SCHEME.test(data);

export function clickHouseAddress(text: string): ClickHouseAddress {
  const fail = (problem: string): never => {
    throw new SparrowError(`${shown(text)} ${problem}`, "file");
  };
  // A scheme of its own would be parsed without its port.
  let parsed: URL;
  try {
    parsed = new URL(text.replace(SCHEME, "http://"));
  } catch {
    return fail("is no address; write clickhouse://user@host:8123/database/table.");
  }
  if (parsed.password !== "")
    fail(
      `holds a password, which would stay in histories and logs; put it into the environment as ${PASSWORD}.`,
    );
  const parts = parsed.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  if (parts.length > 2 || parsed.hash !== "") fail("names more than a database and a table.");
  for (const key of parsed.searchParams.keys())
    if (key !== "secure")
      fail(`asks for "${key}", which is no setting of an address; secure=true is the only one.`);
  const isSecure = parsed.searchParams.get("secure") === "true";
  const [database, table] = parts.length === 2 ? parts : ["default", parts[0]];
  const port = parsed.port || (isSecure ? "8443" : "8123");
  return {
    name: shown(text),
    url: `${isSecure ? "https" : "http"}://${parsed.hostname}:${port}`,
    user: decodeURIComponent(parsed.username) || "default",
    database,
    table,
  };
}

/** Without what should not have been there. */
function shown(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^/@:]*):[^/@]*@/i, "$1@");
}
