/** ClickHouse, by its official client: a table on one server or, `Distributed`, on many; or a query that is read only. */

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { SparrowError } from "../../errors.js";
import type { RawChunk } from "../../tables/judge/raw-table.js";
import { option } from "../../wording.js";
import {
  type Answering,
  type AnswerType,
  type Dialect,
  type Engine,
  type EngineColumn,
  HASHES,
  type Read,
} from "../engine.js";
import { OWN_NAMES } from "../question.js";
import { watching } from "../watching.js";
import { type ClickHouseAddress, clickHouseAddress } from "./address.js";
import { connected } from "./client.js";
import { arrayColumns, clickHouseColumn, isArray } from "./columns.js";
import { clickHouseFault, mayPass } from "./faults.js";
import { readsOf, summaryOf } from "./reads.js";
import { rowBinary } from "./row-binary.js";

const escaped = (text: string, quote: string): string =>
  `${quote}${text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)}${quote}`;

export const clickHouseDialect: Dialect = {
  names: "in front",
  identifier: (name) => escaped(name, "`"),
  literal: (text) => escaped(text, "'"),
  number: (expression) => `ifNull(toFloat64(${expression}), nan)`,
  text: (expression) => `toNullable(toString(${expression}))`,
  isNaN: (expression) => `isNaN(${expression})`,
  // Numbers as they are: to write them as texts first took ten times as long.
  hash: (expressions) => `(cityHash64(${expressions.join(", ")}) % ${HASHES})`,
  ln: (x) => `log(${x})`,
};

/**
 * Of 18.16 it takes 0.2 s to analyse 500 aggregates, and 16 s for 3,000; max_query_size is 262,144 and
 * max_expanded_ast_elements 500,000 unless set.
 */
const LIMITS = { aggregates: 250, columns: 300, letters: 250_000, words: 300_000 };
/** The first that knows what questions use; nothing older was tried. */
const OLDEST = [18, 16] as const;
const TRIES = 3;
/** Milliseconds before the second try; before the third it is four times that. */
const PAUSE = 250;

export interface ClickHouseSettings {
  /** Takes the place of the table. */
  readonly query?: string | undefined;
  /** A condition on its rows. */
  readonly where?: string | undefined;
  readonly password?: string | undefined;
}

export async function clickHouseEngine(text: string, settings: ClickHouseSettings = {}): Promise<Engine> {
  const address = clickHouseAddress(text);
  const { query, where, password } = settings;
  const table = asked(address, query);
  const client = await connected(address, password);
  const fetch: Fetch = async (sql, id, signal) => {
    const { stream, summary } = await client.exec({
      query: `${sql} FORMAT RowBinary`,
      query_id: id,
      ...(signal && { abort_signal: signal }),
    });
    return { stream, read: summaryOf(summary) };
  };
  const kill = (id: string) =>
    client
      .command({ query: `KILL QUERY WHERE startsWith(query_id, ${clickHouseDialect.literal(id)})` })
      .catch(() => {});
  const rows: Engine["rows"] = (sql, types, how) => answer({ fetch, kill, address }, sql, types, how);
  try {
    await checkVersion(address, rows);
    return {
      name: address.name,
      dialect: clickHouseDialect,
      limits: LIMITS,
      table,
      ...(where !== undefined && { where }),
      columns: await columnsOf(address, table, rows, (sql) =>
        client.query({ query: sql, format: "JSONCompact" }).then((found) => found.json<unknown[]>()),
      ),
      rows,
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw clickHouseFault(error, address);
  }
}

function asked({ name, database, table }: ClickHouseAddress, query: string | undefined): string {
  const { identifier } = clickHouseDialect;
  if (query !== undefined) return `(${query.trim().replace(/;+$/, "")}\n)`;
  if (table !== undefined) return `${identifier(database)}.${identifier(table)}`;
  throw new SparrowError(
    `${name} names no table; write clickhouse://user@host:8123/database/table, or give a ${option("query")}.`,
    "file",
  );
}

interface Fetched {
  readonly stream: AsyncIterable<Uint8Array>;
  /** As the server says in front of its answer, where it is new enough. */
  readonly read: Read | undefined;
}

type Fetch = (sql: string, id: string, signal: AbortSignal | undefined) => Promise<Fetched>;

interface Access {
  readonly fetch: Fetch;
  kill(id: string): Promise<unknown>;
  readonly address: ClickHouseAddress;
}

/** A query that was cut off half-way ends in a message instead of rows: what is no row is an error. */
async function* answer(
  { fetch, kill, address }: Access,
  sql: string,
  types: readonly AnswerType[],
  { signal, expected, onRead }: Answering,
): AsyncIterable<RawChunk> {
  // A server goes on with a query whose asker has left, unless somebody ends it by its name.
  const id = `sparrow ${randomUUID()}`;
  const stop = () => void kill(id);
  signal?.addEventListener("abort", stop, { once: true });
  const watched = onRead && watching(() => readsOf(id, fetch), onRead);
  let done = 0;
  try {
    for (let tries = 1; ; tries++) {
      try {
        const { stream, read } = await fetch(sql, `${id} ${tries}`, signal);
        if (read) onRead?.(read);
        for await (const chunk of wholeRows(rowBinary(stream, types))) {
          done += chunk.rows;
          yield chunk;
        }
        break;
      } catch (error) {
        // What has been handed over cannot be taken back; a question that has no answer yet is asked again.
        if (signal?.aborted || done > 0 || tries === TRIES || !mayPass(error)) throw error;
        await setTimeout(PAUSE * tries ** 2, undefined, signal && { signal });
      }
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : clickHouseFault(error, address);
  } finally {
    watched?.();
    signal?.removeEventListener("abort", stop);
  }
  if (expected !== undefined && done !== expected) {
    throw new SparrowError(
      `${address.name} gave ${done} rows where ${expected} were counted: it changed, or the answer was cut off; start again.`,
      "data",
    );
  }
}

/** What is no row at the end is what the server said instead. */
async function* wholeRows(chunks: AsyncGenerator<RawChunk, Uint8Array>): AsyncGenerator<RawChunk> {
  for (;;) {
    const { value, done } = await chunks.next();
    if (!done) {
      yield value;
      continue;
    }
    if (value.length > 0) throw new Error(Buffer.from(value).toString("utf8"));
    return;
  }
}

async function checkVersion(address: ClickHouseAddress, rows: Engine["rows"]): Promise<void> {
  let version = "";
  for await (const { columns } of rows("SELECT toNullable(version())", ["text"], {}))
    version = String(columns[0][0]);
  const [major, minor] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new SparrowError(
    `${address.name} runs ClickHouse ${version}, which is too old; ${OLDEST.join(".")} is the oldest that was tried.`,
    "file",
  );
}

async function columnsOf(
  { name }: ClickHouseAddress,
  table: string,
  rows: Engine["rows"],
  describe: (sql: string) => Promise<{ readonly data: readonly unknown[] }>,
): Promise<EngineColumn[]> {
  const { data } = await describe(`DESCRIBE TABLE ${table}`);
  const columns: EngineColumn[] = [];
  for (const [own, type] of data as readonly (readonly [string, string])[]) {
    if (own.match(OWN_NAMES)?.[0] === own) {
      throw new SparrowError(
        `${name} has a column "${own}", a name that questions use themselves; give it another one in a ${option("query")}.`,
        "column",
      );
    }
    const quoted = clickHouseDialect.identifier(own);
    if (!isArray(type)) {
      columns.push(clickHouseColumn(own, type, quoted));
      continue;
    }
    const lengths = `SELECT toFloat64(min(length(${quoted}))), toFloat64(max(length(${quoted}))) FROM ${table}`;
    for await (const { columns: found } of rows(lengths, ["number", "number"], {})) {
      const [least, most] = found.map((values) => Number(values[0]));
      if (least === most) columns.push(...arrayColumns(own, type, quoted, most));
      else columns.push({ ...clickHouseColumn(own, type, quoted), problem: "lists of different lengths" });
    }
  }
  return columns;
}
