/** A password is typed, or taken from the environment; it is shown nowhere and kept by nobody but this process. */

import { isClickHouseAddress, PASSWORD } from "../../engines/clickhouse/address.js";
import type { Effects } from "../effects.js";

/** Asks for the password of the first address among the words, where its server wants one and somebody can type it. */
export async function askForPassword(words: readonly string[], effects: Effects): Promise<void> {
  const address = words.find(isClickHouseAddress);
  if (address === undefined || !effects.secret || process.env[PASSWORD] !== undefined) return;
  const { wantsPassword } = await import("../../engines/clickhouse/login.js");
  const user = await wantsPassword(address);
  if (user === undefined) return;
  const typed = await effects.secret(`Password of "${user}": `);
  if (typed !== undefined) process.env[PASSWORD] = typed;
}

/** What a terminal sends to a program that does without its help. */
const KEYS = { enter: ["\r", "\n"], end: "\u0004", interrupt: "\u0003", erase: ["\b", "\u007f"] } as const;

export interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  on(event: "data", listener: (keys: Buffer) => void): unknown;
  off(event: "data", listener: (keys: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** What is typed until the end of the line, without an echo; undefined where somebody thinks better of it. */
export function typedSecret(
  keyboard: Keyboard,
  show: (text: string) => void,
  question: string,
): Promise<string | undefined> {
  show(question);
  keyboard.setRawMode(true);
  keyboard.resume();
  return new Promise((resolve) => {
    let typed = "";
    const listen = (keys: Buffer): void => {
      for (const key of keys.toString("utf8")) {
        const isEnter = (KEYS.enter as readonly string[]).includes(key);
        if (isEnter || key === KEYS.interrupt || key === KEYS.end) {
          over(isEnter ? typed : undefined);
          return;
        }
        const isErased = (KEYS.erase as readonly string[]).includes(key);
        typed = isErased ? [...typed].slice(0, -1).join("") : typed + key;
      }
    };
    const over = (answer: string | undefined): void => {
      keyboard.off("data", listen);
      keyboard.setRawMode(false);
      keyboard.pause();
      show("\n");
      resolve(answer);
    };
    keyboard.on("data", listen);
  });
}
