/** What the machine behind the page answers: of the data that were named on the command line, and of nothing else. */

import { commandLine, libraryCode } from "../../browser/equivalent.js";
import { type News, telling } from "../../browser/news.js";
import { compareData } from "../../node/compare-data.js";
import { describeData } from "../../node/describe-data.js";
import { runData } from "../../node/run-data.js";
import { threads } from "../../node/threads.js";
import type { CompareOptions } from "../../options/compare.js";
import type { FitOptions, Progress } from "../../options/fit.js";
import { storedRun } from "../../report/run-record.js";
import { runWords } from "../../report/run-words.js";
import { spokenCompare, spokenDescription, spokenRun } from "../../report/spoken.js";
import { asFlag } from "../../wording.js";
import { failureOf } from "../failure.js";
import { type Answering, jsonLines } from "./server.js";

type Data = string | readonly string[];
type Options = Readonly<Record<string, unknown>>;

interface Asking {
  readonly signal: AbortSignal;
  onNews(news: Progress | News): void;
}

interface Question {
  readonly id: string;
  readonly kind: string;
  readonly asks: Readonly<Record<string, unknown>>;
}

/** What would lead to other data than those that were named, or is for the one at the terminal to say. */
const NOT_FOR_PAGES: readonly string[] = ["query", "where", "engine", "memory", "signal", "onProgress"];

function allowed(options: unknown): Options {
  if (typeof options !== "object" || options === null) return {};
  return Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_FOR_PAGES.includes(name)));
}

/** `given` are the options of the command line, which hold unless the page says otherwise. */
export function answeringFor(data: Data, given: Options, ended: AbortSignal): Answering {
  const running = new Map<string, AbortController>();
  return async (what, body, response) => {
    const { id, kind, asks } = body as Question;
    if (what === "stop") {
      running.get(id)?.abort();
      response.writeHead(204).end();
      return;
    }
    const stopper = new AbortController();
    const signal = AbortSignal.any([stopper.signal, ended]);
    const say = jsonLines(response);
    // A page that was closed waits for nothing.
    response.on("close", () => stopper.abort());
    running.set(id, stopper);
    try {
      if (!Object.hasOwn(ANSWERS, kind)) throw new Error(`Nobody answers "${kind}".`);
      const answer = ANSWERS[kind as keyof typeof ANSWERS];
      say({ answer: await answer(data, { ...given, ...askedOf(asks) }, asking(say, signal)) });
    } catch (error) {
      const { message } = failureOf(error);
      const kindOf = signal.aborted ? "stopped" : "said";
      say({ failure: { message: message.replace(/^sparrow: /, "").trim(), kind: kindOf } });
    } finally {
      running.delete(id);
      response.end();
    }
  };
}

function askedOf({ reading, options, target }: Question["asks"]): Options {
  return { ...allowed(reading), ...allowed(options), ...(typeof target === "string" && { target }) };
}

/** Milliseconds between two pieces of news. */
const BETWEEN = 80;

function asking(say: (message: unknown) => void, signal: AbortSignal): Asking {
  let [last, stage] = [Number.NEGATIVE_INFINITY, ""];
  return {
    signal,
    onNews(news) {
      const now = performance.now();
      if (news.stage === stage && now - last < BETWEEN) return;
      [last, stage] = [now, news.stage];
      say({ news });
    },
  };
}

type Answer = (data: Data, options: Options, asking: Asking) => Promise<unknown>;

const describe: Answer = async (data, options, { signal, onNews }) =>
  spokenDescription(await describeData(data, { ...options, signal, onProgress: onNews }), asFlag);

const fit: Answer = async (data, options, { signal, onNews }) => {
  const { environment, onProgress } = telling(threads, onNews);
  const asked = options as Partial<FitOptions>;
  const fitted = spokenRun(
    await runData(data, { ...asked, signal, onProgress }, undefined, environment),
    asFlag,
  );
  const run = storedRun(fitted, options);
  const { name } = fitted.data;
  return {
    run,
    words: runWords(run),
    predictor: fitted.details.predictor(),
    command: commandLine(name, options),
    code: libraryCode(name, options),
  };
};

const compare: Answer = async (data, options, { signal, onNews }) => {
  const asked = { ...(options as Partial<CompareOptions>), signal, onProgress: onNews };
  return spokenCompare(await compareData(data, asked), asFlag);
};

const ANSWERS = { open: describe, describe, fit, compare };
