/**
 * What the page and its worker (or the machine behind it) say to each other. Every question has a number; news of it
 * may come, and then exactly one answer or failure.
 */

import type {
  CompareAsked,
  CompareResult,
  Description,
  FitAsked,
  News,
  Predictor,
  Progress,
  ReadAsked,
  RunWords,
  StoredRun,
} from "sparrow-bayes/browser";

/** Tables that are made in the tab. */
export type ExampleName = "crime" | "classes" | "counts" | "table1";

/** Where a table comes from. */
export type Source =
  | { readonly from: "file"; readonly file: File }
  | { readonly from: "example"; readonly example: ExampleName }
  /** What was named on the command line of `sparrow studio`. */
  | { readonly from: "machine" };

/** Everything of a fit that the page shows and keeps: plain data, and no rows but a few with their predictions. */
export interface Answer {
  readonly run: StoredRun;
  readonly words: RunWords;
  readonly predictor: Predictor;
  /** The same fit on the command line, and in a program. */
  readonly command: string;
  readonly code: string;
}

export interface Predicted {
  readonly csv: Blob;
  readonly rows: number;
  /** Lines of a name and a number for each kind of prediction; absent where no row holds the target. */
  readonly scores: readonly (readonly string[])[] | undefined;
  readonly notes: readonly string[];
}

/** Questions with what they bring and what comes back. */
export interface Questions {
  /** The table stays open for what follows. */
  open: { asks: { readonly source: Source; readonly reading: ReadAsked }; answers: Description };
  describe: { asks: { readonly target?: string; readonly reading: ReadAsked }; answers: Description };
  fit: { asks: { readonly options: FitAsked }; answers: Answer };
  predict: { asks: { readonly predictor: Predictor; readonly file: File }; answers: Predicted };
  compare: { asks: { readonly options: CompareAsked }; answers: CompareResult };
  /** The draws of a run as a file. */
  draws: {
    asks: { readonly run: Pick<StoredRun, "draws">; readonly format: "parquet" | "arrow" };
    answers: Blob;
  };
}

export type Kind = keyof Questions;

/** What a question may tell before it is answered: how far it is, and of a fit what the search has come to. */
export type Told = Progress & Partial<Pick<News, "seconds" | "left" | "search">>;

export type ToWorker =
  | { [K in Kind]: { readonly id: number; readonly kind: K; readonly asks: Questions[K]["asks"] } }[Kind]
  | { readonly id: number; readonly kind: "stop" };

export type FromWorker =
  | { readonly id: number; readonly news: Told }
  | { readonly id: number; readonly answer: Questions[Kind]["answers"] }
  | { readonly id: number; readonly failure: Failure };

export interface Failure {
  readonly message: string;
  /** Whether it was meant: a sentence for people, or the user's own wish. */
  readonly kind: "said" | "stopped" | "unforeseen";
}
