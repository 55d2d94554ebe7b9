/** The official client, as this program uses it: nothing is sent that an old server or a user who may only read refuses. */

import type { ClickHouseClient } from "@clickhouse/client";
import { needed } from "../../tables/needed.js";
import { type ClickHouseAddress, PASSWORD } from "./address.js";

/** A day, in milliseconds: whoever asks a warehouse may have to wait. */
const PATIENCE = 86_400_000;

export async function connected(
  address: ClickHouseAddress,
  password = process.env[PASSWORD] ?? "",
): Promise<ClickHouseClient> {
  const { createClient, ClickHouseLogLevel } = await needed(() => import("@clickhouse/client"));
  return createClient({
    url: address.url,
    username: address.user,
    password,
    database: address.database,
    request_timeout: PATIENCE,
    keep_alive: { enabled: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
}
