/** The worker of the page: opens, looks, fits, predicts and compares, one question after another. */

import {
  commandLine,
  compare,
  type DataInPage,
  type Description,
  describe,
  drawsFile,
  libraryCode,
  type OpenedFile,
  open,
  predict,
  predictionsCsv,
  run,
  runWords,
  SimulatedData,
  SparrowError,
  scoreLines,
  storedRun,
} from "sparrow-bayes/browser";
import { exampleData } from "./examples.js";
import type { Answer, Failure, FromWorker, Kind, Questions, Told, ToWorker } from "./protocol.js";

interface Asking {
  readonly signal: AbortSignal;
  onNews(news: Told): void;
}

type Answerer<K extends Kind> = (
  asks: Questions[K]["asks"],
  asking: Asking,
) => Promise<Questions[K]["answers"]>;

const threadProgram = new URL("./thread.js", import.meta.url);

let data: DataInPage | undefined;

function opened(): DataInPage {
  if (data === undefined) throw new SparrowError("Open a file first.");
  return data;
}

const answerers: { readonly [K in Kind]: Answerer<K> } = {
  async open({ source, reading }, asking) {
    if (source.from === "machine") throw new SparrowError("There is no machine behind this page.");
    const next = source.from === "file" ? await fileThatFits(source.file) : await exampleData(source.example);
    const description = await look(next, reading, asking);
    data = next;
    return description;
  },

  describe: ({ target, reading }, asking) =>
    look(opened(), { ...reading, ...(target !== undefined && { target }) }, asking),

  async fit({ options }, { signal, onNews }): Promise<Answer> {
    const page = { worker: threadProgram, onNews, ...SPELLING };
    const fitted = await run(opened(), { ...options, signal }, page);
    const stored = storedRun(fitted, options);
    const name = fitted.data.name;
    return {
      run: stored,
      words: runWords(stored),
      predictor: fitted.details.predictor(),
      command: commandLine(name, options),
      code: libraryCode(name, options),
    };
  },

  async predict({ predictor, file }, { signal, onNews }) {
    const result = await predict(predictor, await open(file), { signal, onProgress: onNews }, SPELLING);
    return {
      csv: new Blob([predictionsCsv(result)], { type: "text/csv" }),
      rows: result.rows,
      scores: result.scores && scoreLines(result.scores.average, result.scores.median),
      notes: result.notes ?? [],
    };
  },

  compare: ({ options }, { signal, onNews }) =>
    compare(opened(), { ...options, signal, onProgress: onNews }, { worker: threadProgram, ...SPELLING }),

  draws: async ({ run: stored, format }) => new Blob([new Uint8Array(await drawsFile(stored, format))]),
};

/** Before anything is read: what reads a file may need all of it to tell its columns. */
async function fileThatFits(file: File): Promise<OpenedFile> {
  const found = await open(file);
  if (found.tooLarge !== undefined) throw new SparrowError(found.tooLarge);
  return found;
}

/** Data that are made as they are read would have to be made for every look: their first rows tell enough. */
const LOOKED_AT = 1000;

async function look(of: DataInPage, options: object, { signal, onNews }: Asking): Promise<Description> {
  const asked = { ...options, signal, onProgress: onNews };
  if (!(of instanceof SimulatedData) || of.simulation.rows <= 2 * LOOKED_AT)
    return describe(of, asked, SPELLING);
  const { rows } = of.simulation;
  const few = new SimulatedData(of.name, { ...of.simulation, rows: LOOKED_AT });
  const found = await describe(few, asked, SPELLING);
  const said = `The columns are shown by their first ${LOOKED_AT.toLocaleString("en-US")} rows.`;
  return { ...found, rows, notes: [said, ...found.notes] };
}

/** Sentences name options as the command line does, whose answer this is. */
const SPELLING = { spelling: "command" } as const;

const running = new Map<number, AbortController>();
const say = (message: FromWorker): void => postMessage(message);

/** Milliseconds between two pieces of news: more often than a screen shows them they only keep the page busy. */
const BETWEEN_NEWS = 80;

async function answer<K extends Kind>(id: number, kind: K, asks: Questions[K]["asks"]): Promise<void> {
  const stopper = new AbortController();
  running.set(id, stopper);
  let [last, stage] = [Number.NEGATIVE_INFINITY, ""];
  const onNews = (news: Told): void => {
    const now = performance.now();
    if (news.stage === stage && now - last < BETWEEN_NEWS) return;
    [last, stage] = [now, news.stage];
    say({ id, news });
  };
  try {
    const found = await answerers[kind](asks, { signal: stopper.signal, onNews });
    say({ id, answer: found });
  } catch (error) {
    say({ id, failure: failureOf(error, stopper.signal) });
  } finally {
    running.delete(id);
  }
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (signal.aborted) return { message, kind: "stopped" };
  return { message, kind: error instanceof SparrowError ? "said" : "unforeseen" };
}

addEventListener("message", ({ data: message }: MessageEvent<ToWorker>): void => {
  if (message.kind === "stop") running.get(message.id)?.abort();
  else void answer(message.id, message.kind, message.asks);
});
