/**
 * A cluster of three ClickHouse servers on this machine's own address, from the package that Debian has:
 *
 *     npm run cluster          starts it, says where it is, and stops it at Ctrl-C
 *
 * Its data are in a folder of temporary files and go with it. The user `default` may do everything; `reader`, with the
 * password `sparrow`, may only read; so may `narrow`, by one thread a server. A table `… ENGINE = Distributed(three, database, table)` lies on all three.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Server {
  /** Of its HTTP interface. */
  readonly port: number;
  /** By which the other servers ask it. */
  readonly tcp: number;
  readonly process: ChildProcess;
}

export interface Cluster {
  readonly servers: readonly Server[];
  readonly version: string;
  /** Runs a statement on a server, without results. */
  run(server: number, sql: string): Promise<string>;
  /** Ends a server as a cut cable would; `revive` starts it again, with its data. */
  kill(server: number): Promise<void>;
  revive(server: number): Promise<void>;
  stop(): Promise<void>;
}

/** Why there can be no cluster here; undefined where there can. */
export function whyNoCluster(): string | undefined {
  const found = spawnSync("clickhouse-server", ["--help"], { stdio: "ignore" });
  return found.error ? "clickhouse-server is not installed (apt-get install clickhouse-server)" : undefined;
}

/** In `kept` data stay when the servers are stopped, and are there when they are started again. */
export async function startCluster(count = 3, kept?: string): Promise<Cluster> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "sparrow-cluster-"));
  const ports = await freePorts(3 * count);
  const shards = Array.from({ length: count }, (_, i) => ports[3 * i + 1]);
  const spawned = (i: number): Server => ({
    port: ports[3 * i],
    tcp: shards[i],
    process: spawn("clickhouse-server", [`--config-file=${join(folder, String(i), "config.xml")}`], {
      stdio: "ignore",
    }),
  });
  const servers = shards.map((tcp, i): Server => {
    const home = join(folder, String(i));
    mkdirSync(join(home, "tmp"), { recursive: true });
    writeFileSync(
      join(home, "config.xml"),
      config(home, { http: ports[3 * i], tcp, between: ports[3 * i + 2] }, shards),
    );
    writeFileSync(join(home, "users.xml"), USERS);
    return spawned(i);
  });
  const stop = async () => {
    await Promise.all(servers.map((server) => ended(server.process)));
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const run = (server: number, sql: string) => ask(servers[server].port, sql);
  try {
    await Promise.all(servers.map(answers));
    return {
      ...{ servers, run, stop },
      version: (await run(0, "SELECT version()")).trim(),
      kill: (server) => ended(servers[server].process),
      async revive(server) {
        servers[server] = spawned(server);
        await answers(servers[server]);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ask(port: number, sql: string): Promise<string> {
  // A connection that waits is given up by the server, and the next question would find it dead.
  const headers = { connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: sql, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** A machine that is busy may take its time over a start. */
const PATIENCE = 60_000;

/** Whether it answers us and the other servers: it listens to us first. */
async function answers({ port, tcp, process: server }: Server): Promise<void> {
  const until = performance.now() + PATIENCE;
  while (performance.now() < until) {
    if (server.exitCode !== null) throw new Error("A ClickHouse server ended before it answered.");
    const isUp = await ask(port, "SELECT 1").catch(() => undefined);
    if (isUp && (await listens(tcp))) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error("A ClickHouse server does not answer.");
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    // They take their time to end well, and nothing of theirs is kept.
    server.kill("SIGKILL");
  });
}

async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = held.map((server) => (server.address() as { port: number }).port);
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly between: number;
}

function config(home: string, { http, tcp, between }: Ports, shards: readonly number[]): string {
  const replicas = shards
    .map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`)
    .join("");
  return `<yandex>
  <logger><level>warning</level><log>${home}/log</log><errorlog>${home}/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${between}</interserver_http_port>
  <max_concurrent_queries>100</max_concurrent_queries><mark_cache_size>67108864</mark_cache_size>
  <path>${home}/</path><tmp_path>${home}/tmp/</tmp_path>
  <users_config>users.xml</users_config><default_profile>default</default_profile>
  <default_database>default</default_database><timezone>UTC</timezone>
  <remote_servers><three>${replicas}</three></remote_servers>
</yandex>
`;
}

const anybody = "<networks><ip>127.0.0.1</ip></networks><quota>default</quota>";
const USERS = `<yandex>
  <profiles>
    <default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads><max_query_size>10000000</max_query_size></default>
    <readonly><readonly>1</readonly><max_threads>2</max_threads></readonly>
    <narrow><readonly>1</readonly><max_threads>1</max_threads></narrow>
  </profiles>
  <users>
    <default><password></password><profile>default</profile>${anybody}</default>
    <reader><password>sparrow</password><profile>readonly</profile>${anybody}</reader>
    <narrow><password>sparrow</password><profile>narrow</profile>${anybody}</narrow>
  </users>
  <quotas><default><interval><duration>3600</duration></interval></default></quotas>
</yandex>
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reason = whyNoCluster();
  if (reason !== undefined) {
    console.error(`There can be no cluster here: ${reason}.`);
    process.exit(1);
  }
  const cluster = await startCluster();
  console.log(`ClickHouse ${cluster.version}, a cluster called three:`);
  for (const { port } of cluster.servers) console.log(`  clickhouse://127.0.0.1:${port}/default/TABLE`);
  console.log("Ctrl-C stops it, and its data are gone.");
  const end = () => void cluster.stop().then(() => process.exit(0));
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}
