import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { askForPassword, type Keyboard, typedSecret } from "../../src/cli/world/password.js";
import { PASSWORD } from "../../src/engines/clickhouse/address.js";
import { fakeEffects } from "./fake-effects.js";

const before = process.env[PASSWORD];

afterEach(() => {
  if (before === undefined) delete process.env[PASSWORD];
  else process.env[PASSWORD] = before;
});

class FakeKeyboard extends EventEmitter implements Keyboard {
  readonly modes: boolean[] = [];
  setRawMode(isRaw: boolean) {
    this.modes.push(isRaw);
  }
  resume() {}
  pause() {}
}

async function typing(keys: readonly string[]) {
  const keyboard = new FakeKeyboard();
  const shown: string[] = [];
  const typed = typedSecret(keyboard, (text) => void shown.push(text), "Password: ");
  for (const key of keys) keyboard.emit("data", Buffer.from(key));
  return { typed: await typed, shown: shown.join(""), modes: keyboard.modes };
}

test("what is typed is not shown, can be mended, and ends with the line", async () => {
  expect(await typing(["sec", "rx", "\u007f", "et\r"])).toEqual({
    typed: "secret",
    shown: "Password: \n",
    modes: [true, false],
  });
  expect((await typing(["half", "\u0003"])).typed).toBeUndefined();
});

test("a password is asked for where the server wants one, and goes nowhere but to it", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const key = String(request.headers["x-clickhouse-key"] ?? request.headers.authorization ?? "");
    seen.push(key);
    // An answer before the question has come would cut the connection while it is being sent.
    request.resume().once("end", () => {
      response
        .writeHead(key === "" || key === "Basic YW5uOg==" ? 403 : 200)
        .end("Code: 516. DB::Exception: ann: Authentication failed. (AUTHENTICATION_FAILED)");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `clickhouse://ann@127.0.0.1:${(server.address() as AddressInfo).port}/default/t`;
  delete process.env[PASSWORD];
  const asked: string[] = [];
  const effects = {
    ...fakeEffects(),
    secret: async (question: string) => {
      asked.push(question);
      return undefined;
    },
  };
  // Nobody to ask, or no address: nothing is asked.
  await askForPassword(["fit", address], fakeEffects());
  await askForPassword(["fit", "data.csv"], effects);
  expect(asked).toEqual([]);
  await askForPassword(["fit", address, "--target", "y"], effects);
  expect(asked).toEqual(['Password of "ann": ']);
  expect(process.env[PASSWORD]).toBeUndefined();
  await askForPassword([address], { ...effects, secret: async () => "s3cret" });
  expect(process.env[PASSWORD]).toBe("s3cret");
  // Whoever has one already is not asked again.
  await askForPassword([address], effects);
  expect(asked.length).toBe(1);
  expect(seen.some((key) => key.includes("s3cret"))).toBe(false);
  await new Promise((resolve) => server.close(resolve));
});
