/** What ClickHouse and the way to it say when something fails, in a sentence each. */

import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import { type ClickHouseAddress, PASSWORD } from "./address.js";

/** By the numbers that ClickHouse gives to its exceptions. */
const SENTENCES: Readonly<Record<number, (address: ClickHouseAddress, said: string) => string>> = {
  32: ({ name }) => lostServer(name),
  47: ({ name }, said) =>
    `${name} does not know a column that was asked for (${said}); check ${option("where")} and ${option("query")}.`,
  60: ({ name, database, table }) => `${name}: there is no table "${table}" in the database "${database}".`,
  62: ({ name }, said) =>
    `${name} does not understand a question (${said}); check ${option("where")} and ${option("query")}.`,
  81: ({ name, database }) => `${name}: there is no database "${database}".`,
  159: ({ name }) =>
    `A question took ${name} longer than it allows; ask somebody to raise max_execution_time.`,
  160: ({ name }) => `A question would take ${name} longer than it allows; ask somebody to raise the limit.`,
  164: ({ name, user }) =>
    `The user "${user}" may only read at ${name}; somebody who may write is needed for that.`,
  209: ({ name }) => lostServer(name),
  210: ({ name }) => lostServer(name),
  192: ({ name, user }) =>
    `${name} knows no user "${user}"; write clickhouse://user@host:8123/database/table.`,
  193: ({ name, user }) => refusedLogin(name, user),
  194: ({ name, user }) => refusedLogin(name, user),
  516: ({ name, user }) => refusedLogin(name, user),
  241: ({ name }) =>
    `A question took more memory than ${name} allows; ask somebody to raise max_memory_usage.`,
  279: ({ name }) =>
    `A server that holds a part of ${name} does not answer; start again when all of them are up.`,
  394: ({ name }) => `A question was cancelled at ${name}; start again.`,
  497: ({ name, user }) => `The user "${user}" may not read ${name}.`,
};

const lostServer = (name: string): string =>
  `The connection to a server that holds a part of ${name} was cut; start again when all of them are up.`;

const refusedLogin = (name: string, user: string): string =>
  `${name} refused the password of "${user}"; put the right one into the environment as ${PASSWORD}.`;

const NOT_THERE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server answers there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host cannot be looked up now",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the host",
  ETIMEDOUT: "the server does not answer",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
};

/** An answer of another server that was cut off, a network that failed, too many queries at once, a server that is away. */
const PASSING = [32, 209, 210, 202, 279];

/** Faults that may be gone a moment later; a question asks for nothing but numbers, so it can be asked again. */
export function mayPass(error: unknown): boolean {
  const { code, message } = told(error);
  return (
    /ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN/.test(code) ||
    /socket hang up/i.test(message) ||
    PASSING.includes(number(message) ?? 0)
  );
}

/** Of a password that is wrong, or missing. */
export function isRefusedLogin(error: unknown): boolean {
  return [193, 194, 516].includes(number(told(error).message) ?? 0);
}

export function clickHouseFault(error: unknown, address: ClickHouseAddress): Error {
  if (error instanceof SparrowError) return error;
  const { code, message } = told(error);
  const sentence = SENTENCES[number(message) ?? -1];
  if (sentence) return new SparrowError(sentence(address, saidOf(message)), "data");
  if (number(message) !== undefined)
    return new SparrowError(`${address.name} could not answer: ${saidOf(message)}.`, "data");
  const why = NOT_THERE[code] ?? (/socket hang up/i.test(message) ? NOT_THERE.ECONNRESET : undefined);
  if (why)
    return new SparrowError(
      `${address.name} cannot be asked: ${why}; check the address and the server.`,
      "file",
    );
  if (/certificate|self.signed|SSL|TLS|EPROTO/i.test(`${code} ${message}`))
    return new SparrowError(
      `${address.name} cannot be asked: ${message.split("\n")[0]}; certificates that the system does not know can be named in NODE_EXTRA_CA_CERTS.`,
      "file",
    );
  return error instanceof Error ? error : new Error(String(error));
}

function told(error: unknown): { code: string; message: string } {
  const { code, message, type } = error as { code?: unknown; message?: unknown; type?: unknown };
  // What the client has parsed it has taken the number from.
  const prefix = type !== undefined && /^\d+$/.test(String(code)) ? `Code: ${code}. ` : "";
  return { code: String(code ?? ""), message: `${prefix}${message ?? error}` };
}

function number(message: string): number | undefined {
  const found = /Code: (\d+)/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The first sentence of an exception, without what was asked: that may be long. */
function saidOf(message: string): string {
  const said =
    /DB::Exception: (?:Received from [^:]*:\d+, [^:]*\. DB::Exception: )?([^\n]*)/.exec(message)?.[1] ??
    message;
  return said
    .split(/, e\.what\(\)|\. \(version| \(version|: While processing|: in query/)[0]
    .trim()
    .replace(/\.+$/, "")
    .slice(0, 200);
}
