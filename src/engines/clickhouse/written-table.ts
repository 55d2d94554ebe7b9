/** A table of predictions in ClickHouse: filled under another name, and given its own when it is whole. */

import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { SparrowError } from "../../errors.js";
import { option } from "../../wording.js";
import type { WrittenColumns, WrittenTable } from "../predictions.js";
import { clickHouseAddress } from "./address.js";
import { clickHouseDialect } from "./clickhouse.js";
import { connected } from "./client.js";
import { clickHouseFault } from "./faults.js";
import { written } from "./row-binary.js";

export async function clickHouseTable(text: string, password: string | undefined): Promise<WrittenTable> {
  const address = clickHouseAddress(text);
  const { name, database, table } = address;
  if (table === undefined) {
    throw new SparrowError(
      `${name} names no table; write ${option("out")} as clickhouse://user@host:8123/database/table.`,
      "file",
    );
  }
  const { identifier, literal } = clickHouseDialect;
  const client = await connected(address, password);
  const named = (own: string): string => `${identifier(database)}.${identifier(own)}`;
  const partial = named(`${table} ${randomUUID().slice(0, 8)}`);
  let isThere = false;
  const saying = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw clickHouseFault(error, address);
    }
  };
  const command = (query: string) => saying(() => client.command({ query }));
  try {
    const found = await saying(async () =>
      (
        await client.query({
          query: `SELECT count() FROM system.tables WHERE database = ${literal(database)} AND name = ${literal(table)}`,
          format: "JSONCompact",
        })
      ).json<unknown[]>(),
    );
    if (Number((found.data[0] as unknown[])[0]) > 0)
      throw new SparrowError(`${name} exists already; choose another ${option("out")} or drop it.`, "write");
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    async append(columns) {
      if (!isThere) {
        const types = Object.entries(columns).map(
          ([column, values]) =>
            `${identifier(column)} ${typeof values[0] === "string" ? "String" : "Float64"}`,
        );
        await command(`CREATE TABLE ${partial} (${types.join(", ")}) ENGINE = MergeTree ORDER BY tuple()`);
        isThere = true;
      }
      const query = `INSERT INTO ${partial} (${Object.keys(columns).map(identifier).join(", ")}) FORMAT RowBinary`;
      await saying(async () => {
        const { stream } = await client.exec({ query, values: Readable.from(rowsOf(columns)) });
        // Whoever does not read the answer does not hear of a fault.
        for await (const _ of stream);
      });
    },
    async publish() {
      await command(`RENAME TABLE ${partial} TO ${named(table)}`);
      await client.close();
    },
    async discard() {
      if (isThere) await client.command({ query: `DROP TABLE IF EXISTS ${partial}` }).catch(() => {});
      await client.close();
    },
  };
}

/** Rows of an insert that are sent at a time. */
const SENT = 4096;

function* rowsOf(columns: WrittenColumns): Iterable<Buffer> {
  const all = Object.values(columns);
  const rows = all[0].length;
  for (let from = 0; from < rows; from += SENT) yield written(all, from, Math.min(rows, from + SENT));
}
