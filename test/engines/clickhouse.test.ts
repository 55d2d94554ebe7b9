import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNoCluster } from "../../scripts/cluster.js";
import { clickHouseAddress } from "../../src/engines/clickhouse/address.js";
import { clickHouseEngine } from "../../src/engines/clickhouse/clickhouse.js";
import { arrayColumns, clickHouseColumn } from "../../src/engines/clickhouse/columns.js";
import { clickHouseFault } from "../../src/engines/clickhouse/faults.js";
import { rowBinary } from "../../src/engines/clickhouse/row-binary.js";
import { runEngine } from "../../src/engines/run-engine.js";
import { endCluster, folder, here, theCluster } from "./places.js";

const reason = whyNoCluster();
if (reason !== undefined) console.warn(`Tests on a cluster are skipped: ${reason}.`);

afterAll(async () => {
  await endCluster();
  folder.remove();
});

describe("an address", () => {
  test("is a server, a user, a database and a table", () => {
    expect(clickHouseAddress("clickhouse://ann@host:9123/sales/orders%20x")).toEqual({
      name: "clickhouse://ann@host:9123/sales/orders%20x",
      url: "http://host:9123",
      user: "ann",
      database: "sales",
      table: "orders x",
    });
    const { url, user, database, table } = clickHouseAddress("clickhouse://host/orders?secure=true");
    expect([url, user, database, table]).toEqual(["https://host:8443", "default", "default", "orders"]);
  });

  test("with a password in it is refused, and the password is not repeated", () => {
    const wrong = () => clickHouseAddress("clickhouse://ann:secret@host/orders");
    expect(wrong).toThrow(/SPARROW_CLICKHOUSE_PASSWORD/);
    expect(wrong).not.toThrow(/secret/);
  });
});

test("types become numbers, dates, words or a reason why not, however they are kept", () => {
  const of = (type: string) => clickHouseColumn("c", type, "`c`");
  expect(of("LowCardinality(Nullable(String))")).toMatchObject({ type: "cells", value: "toString(`c`)" });
  expect(of("Nullable(Float32)")).toMatchObject({ type: "number", real: true, bytes: 4 });
  expect(of("UInt64")).toMatchObject({ type: "integer", bytes: 8 });
  expect(of("Decimal(18, 4)")).toMatchObject({ type: "number" });
  expect(of("Bool").type).toBe("boolean");
  expect(of("Date").type).toBe("date");
  expect(of("DateTime64(3, 'UTC')").value).toBe("toFloat64(`c`) / 86400");
  expect(of("Map(String, UInt8)").problem).toBe("values of type Map(String, UInt8)");
  expect(
    arrayColumns("w", "Array(Nullable(Float32))", "`w`", 2).map(({ name, value }) => [name, value]),
  ).toEqual([
    ["w[1]", "toFloat64(`w`[1])"],
    ["w[2]", "toFloat64(`w`[2])"],
  ]);
});

test("rows come whole, wherever the bytes are cut, and what is no row is handed back", async () => {
  const bytes = Buffer.alloc(8 + 1 + 1 + 3 + 8 + 1 + 2);
  bytes.writeDoubleLE(1.5, 0);
  bytes.write("\x00\x03abc", 8, "latin1");
  bytes.writeDoubleLE(Number.NaN, 13);
  bytes.write("\x01", 21, "latin1");
  bytes.write("no", 22, "latin1");
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const rows = rowBinary(pieces(), ["number", "text"]);
    const { value } = await rows.next();
    expect(value).toMatchObject({ rows: 2 });
    const { columns } = value as unknown as { columns: ArrayLike<unknown>[] };
    expect([columns[0][0], columns[1][0], columns[0][1], columns[1][1]]).toEqual([
      1.5,
      "abc",
      Number.NaN,
      null,
    ]);
    expect(await rows.next()).toEqual({ done: true, value: Buffer.from("no") });
  }
});

test("faults are a sentence each, of old servers and of new ones", () => {
  const address = clickHouseAddress("clickhouse://ann@host/sales/orders");
  const said = (error: unknown) => clickHouseFault(error, address).message;
  const old = new Error(
    "Code: 60, e.displayText() = DB::Exception: Table sales.orders doesn't exist., e.what() = DB::Exception",
  );
  const modern = Object.assign(new Error("Table sales.orders does not exist."), {
    code: "60",
    type: "UNKNOWN_TABLE",
  });
  for (const error of [old, modern])
    expect(said(error)).toBe(
      'clickhouse://ann@host/sales/orders: there is no table "orders" in the database "sales".',
    );
  expect(said(Object.assign(new Error("x"), { code: "516", type: "AUTHENTICATION_FAILED" }))).toMatch(
    /refused the password of "ann"/,
  );
  expect(said(new Error("Code: 241, e.displayText() = DB::Exception: Memory limit"))).toMatch(
    /more memory than/,
  );
  expect(said(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }))).toMatch(
    /the connection was cut/,
  );
  expect(
    said(new Error("Code: 999, e.displayText() = DB::Exception: All is lost, e.what() = DB::Exception")),
  ).toMatch(/could not answer: All is lost\.$/);
});

test.skipIf(spawnSync("openssl", ["version"]).error !== undefined)(
  "a server whose certificate nobody knows is not trusted",
  async () => {
    const [key, cert] = ["key", "crt"].map((end) => join(folder.path, `own.${end}`));
    const asked = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(" ");
    spawnSync("openssl", [...asked, "-keyout", key, "-out", cert], { stdio: "ignore" });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end("no"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await expect(
      clickHouseEngine(`clickhouse://ann@127.0.0.1:${port}/sales/orders?secure=true`, { password: "secret" }),
    ).rejects.toThrow(/cannot be asked: self-signed certificate; .*NODE_EXTRA_CA_CERTS\.$/);
    await new Promise((resolve) => server.close(resolve));
  },
);

describe.skipIf(reason !== undefined)("on a cluster of three", () => {
  let port = 0;
  const address = (table: string, user = "reader", at = port) =>
    `clickhouse://${user}@127.0.0.1:${at}/default/${table}`;
  const password = "sparrow";

  beforeAll(async () => {
    const { run, servers } = await theCluster();
    port = servers[0].port;
    const types =
      "i Int32, n Nullable(Float32), day Date, at DateTime, flag UInt8, wide Array(Float32), kind Enum8('a' = 1, 'b' = 2), y Float64";
    const row =
      "number AS i, if(number % 10 = 3, NULL, toFloat32(number % 17)) AS n, toDate('2020-01-01') + number % 90 AS day, toDateTime('2020-01-01 12:00:00') + 3600 * (number % 50) AS at, number % 2 AS flag, [toFloat32(number % 7), toFloat32(number % 11)] AS wide, if(number % 3 = 0, 'a', 'b') AS kind, (number % 7) + 0.5 * (number % 2) + sin(number) AS y";
    for (const [s] of servers.entries()) {
      await run(s, `CREATE TABLE part (${types}) ENGINE = MergeTree ORDER BY i`);
      await run(
        s,
        `INSERT INTO part SELECT ${row} FROM (SELECT number * 3 + ${s} AS number FROM system.numbers LIMIT 100)`,
      );
    }
    await run(0, "CREATE TABLE whole AS part ENGINE = Distributed(three, default, part)");
  });

  test("every kind of column is fitted, by a user who may only read", async () => {
    const engine = await clickHouseEngine(address("whole"), { password });
    const settings = { environment: here, sampleRows: 90 };
    const { result, details, questions } = await runEngine(
      engine,
      { target: "y", missing: "drop", exclude: ["i"] },
      settings,
    );
    await engine.close();
    expect(result.rows).toBe(270);
    expect(result.variables.map(({ name }) => name).sort()).toEqual([
      "at",
      "day",
      "flag",
      "kind=a",
      "n",
      "wide[1]",
      "wide[2]",
    ]);
    expect(details.predictor().encoding!.columns.find(({ column }) => column === "day")?.kind).toBe("date");
    expect(result.variables.find(({ name }) => name === "wide[1]")?.mean).toBeCloseTo(1, 1);
    expect(JSON.stringify(questions)).not.toContain(password);
  });

  test("a query takes the place of the table, and a condition leaves rows out", async () => {
    const query = "SELECT wide[1] AS a, wide[2] AS b, y, i FROM whole WHERE flag = 1 -- odd ones;\n;";
    const engine = await clickHouseEngine(address("", "reader"), { password, query, where: "i < 200" });
    const { result } = await runEngine(
      engine,
      { target: "y", exclude: ["i"] },
      { environment: here, sampleRows: 50 },
    );
    await engine.close();
    expect(result.rows).toBe(100);
    expect(result.variables.map(({ name }) => name).sort()).toEqual(["a", "b"]);
  });

  test("a small table is read whole, in an order that does not depend on the machines", async () => {
    const runs: string[] = [];
    for (let k = 0; k < 2; k++) {
      const engine = await clickHouseEngine(address("whole"), { password });
      const { result } = await runEngine(
        engine,
        { target: "y", columns: ["flag", "wide*"] },
        { environment: here },
      );
      await engine.close();
      const { timing: _, ...rest } = result;
      runs.push(JSON.stringify(rest));
    }
    expect(runs[0]).toBe(runs[1]);
  });

  test("what is wrong is said in a sentence", async () => {
    const open = (table: string, settings: object = {}, user = "reader", at = port) =>
      clickHouseEngine(address(table, user, at), { password, ...settings });
    await expect(open("nowhere")).rejects.toThrow(/there is no table "nowhere" in the database "default"/);
    await expect(open("whole", { password: "wrong" })).rejects.toThrow(/refused the password of "reader"/);
    await expect(open("whole", {}, "nobody")).rejects.toThrow(/knows no user "nobody"/);
    await expect(open("whole", {}, "reader", 1)).rejects.toThrow(/no server answers there/);
    const engine = await open("whole", { where: "colour = 'red'" });
    await expect(runEngine(engine, { target: "y" }, { environment: here })).rejects.toThrow(
      /does not know a column/,
    );
    await expect(
      runEngine({ ...engine, where: "1" }, { target: "z" }, { environment: here }),
    ).rejects.toThrow(/no column "z"/);
    await engine.close();
  });

  test("a query that nobody waits for any more is ended on the server", async () => {
    const { run } = await theCluster();
    const engine = await clickHouseEngine(address("whole", "default"), { password: "" });
    const stop = new AbortController();
    const running = async () =>
      Number(await run(0, "SELECT count() FROM system.processes WHERE query LIKE '%endless%'")) - 1;
    const asked = (async () => {
      const sql = "SELECT toFloat64(sum(number)) AS endless FROM system.numbers";
      for await (const _ of engine.rows(sql, ["number"], { signal: stop.signal }))
        throw new Error("It ended.");
    })();
    const settled = expect(asked).rejects.toThrow("enough");
    while ((await running()) === 0) await new Promise((resume) => setTimeout(resume, 20));
    stop.abort(new Error("enough"));
    await settled;
    while ((await running()) > 0) await new Promise((resume) => setTimeout(resume, 20));
    await engine.close();
  });

  test("whoever stops a fit ends its question on the server, and a user who may only read may do so", async () => {
    const { run } = await theCluster();
    const endless = "SELECT number AS a, number % 7 AS b, number % 11 AS y FROM system.numbers";
    const engine = await clickHouseEngine(address(""), { password, query: endless });
    const stop = new AbortController();
    const running = async () =>
      Number(await run(0, "SELECT count() FROM system.processes WHERE user = 'reader'"));
    const settings = { environment: here, sampleRows: 50 };
    const fit = runEngine(engine, { target: "y", signal: stop.signal }, settings);
    const settled = expect(fit).rejects.toThrow("enough");
    while ((await running()) === 0) await new Promise((resume) => setTimeout(resume, 20));
    stop.abort(new Error("enough"));
    await settled;
    while ((await running()) > 0) await new Promise((resume) => setTimeout(resume, 20));
    await engine.close();
  });

  test("a server that dies in the middle is an error, not half an answer, and the fit can be started again", async () => {
    const cluster = await theCluster();
    const options = { target: "y", missing: "drop" as const, exclude: ["i"] };
    const settings = { environment: here, sampleRows: 90 };
    const engine = await clickHouseEngine(address("whole"), { password });
    const whole = await runEngine(engine, options, settings);
    let dead: Promise<void> | undefined;
    const dying = {
      ...engine,
      async *rows(...asked: Parameters<typeof engine.rows>) {
        if (/s_v1 \* s_v2/.test(asked[0])) dead ??= cluster.kill(2);
        await dead;
        yield* engine.rows(...asked);
      },
    };
    await expect(runEngine(dying, options, settings)).rejects.toThrow(
      /^(A server that holds a part of|The connection to a server that holds a part of) .*start again when all of them are up\.$/,
    );
    expect(dead).toBeDefined();
    await cluster.revive(2);
    const again = await runEngine(engine, options, settings);
    await engine.close();
    // Sums that come from three servers are added as they come, in one order or another.
    const inclusion = new Map(whole.result.variables.map(({ name, pip }) => [name, pip]));
    expect(again.result.variables.length).toBe(inclusion.size);
    for (const { name, pip } of again.result.variables) expect(pip).toBeCloseTo(inclusion.get(name)!, 9);
  });
});
