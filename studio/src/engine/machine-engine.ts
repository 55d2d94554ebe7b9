/** Asks the machine that serves the page: one request a question, whose answer comes line by line as JSON. */

import { type Engine, EngineError, type Hearing } from "./engine.js";
import type { FromWorker, Kind, Questions } from "./protocol.js";

/** What `sparrow studio DATA` says of itself in the page that it serves. */
export interface Machine {
  /** Of the data that were named. */
  readonly name: string;
  readonly threads: number;
}

export function machineOf(page: Document): Machine | undefined {
  const said = page.querySelector('meta[name="sparrow-machine"]')?.getAttribute("content");
  return said ? (JSON.parse(said) as Machine) : undefined;
}

/** The machine reads what it was named and nothing else; files that the user opens are this page's own. */
export function machineEngine(_: Machine, own: Engine): Engine {
  let asksMachine = false;
  return {
    ask(kind, asks, hearing = {}) {
      if (kind === "open") asksMachine = (asks as Questions["open"]["asks"]).source.from === "machine";
      return asksMachine && kind !== "predict" && kind !== "draws"
        ? asked(kind, asks, hearing)
        : own.ask(kind, asks, hearing);
    },
  };
}

let last = 0;

async function asked<K extends Kind>(
  kind: K,
  asks: Questions[K]["asks"],
  hearing: Hearing,
): Promise<Questions[K]["answers"]> {
  last += 1;
  const id = `${last}`;
  // A fit that is stopped still answers: the request goes on, and the machine is told.
  hearing.signal?.addEventListener("abort", () => void post("stop", { id }).catch(() => {}), { once: true });
  const response = await post("ask", { id, kind, asks }).catch(() => {
    throw new EngineError({
      message: "The command behind this page has ended; start sparrow studio again.",
      kind: "said",
    });
  });
  for await (const line of linesOf(response)) {
    const message = JSON.parse(line, bulkNumbers) as FromWorker;
    if ("news" in message) hearing.onNews?.(message.news);
    else if ("failure" in message) throw new EngineError(message.failure);
    else return message.answer as Questions[K]["answers"];
  }
  throw new EngineError({
    message: "The command behind this page has ended; start sparrow studio again.",
    kind: "said",
  });
}

/** Numbers in bulk come as they lay in the memory of the machine, whose order of bytes is that of this one. */
function bulkNumbers(_: string, value: unknown): unknown {
  const text = (value as { float64?: unknown } | null)?.float64;
  if (typeof text !== "string") return value;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

function post(what: "ask" | "stop", body: object): Promise<Response> {
  return fetch(`./api/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function* linesOf(response: Response): AsyncIterable<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
