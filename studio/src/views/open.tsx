import { useSignal } from "@preact/signals";
import { machine } from "../engine/chosen.js";
import type { ExampleName } from "../engine/protocol.js";
import { Lock } from "../parts/icons.js";
import { ProgressLine } from "../parts/progress.js";
import { RunLines } from "../parts/run-lines.js";
import { runLines } from "../state/past-runs.js";
import { expected, open, stop, work } from "../state/session.js";

const FORMATS =
  ".csv,.tsv,.xlsx,.xlsm,.txt,.dat,.jsonl,.ndjson,.json,.parquet,.pq,.arrow,.feather,.ipc,.libsvm,.svm,.svmlight,.gz,.zst,.bz2,.xz";

export function OpenView() {
  const reading = work.value?.kind === "open";
  return (
    <div class="open">
      <h1>Which variables matter?</h1>
      <p class="lead">
        Open a table, say which column is to be explained, and read which of the others explain it, how much,
        and how sure that is.
      </p>
      {reading ? <Reading /> : <Drop />}
      {machine && !reading && (
        <p class="named">
          <bdi>{machine.name}</bdi> was named on the command line.{" "}
          <button type="button" data-action="machine" onClick={() => void open({ from: "machine" })}>
            Open it
          </button>
        </p>
      )}
      <p class="private">
        <Lock />
        <span>
          Nothing leaves your machine: the file is read and fitted in this tab, and nothing is sent anywhere.
        </span>
      </p>
      {expected.value && <p class="note">The settings of the link hold for the file that you open now.</p>}
      <Gallery />
      {runLines.value.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">Where you were</h2>
          <RunLines lines={runLines.value.slice(0, 4)} />
        </section>
      )}
    </div>
  );
}

function Drop() {
  const over = useSignal(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file) void open({ from: "file", file });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the input inside does.
    <div
      class={over.value ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => {
        over.value = false;
      }}
      onDrop={() => {
        over.value = false;
      }}
    >
      <strong>Drop a file here</strong>
      <span class="choose" aria-hidden="true">
        Choose a file
      </span>
      <small>CSV, TSV, Excel, JSON lines, Parquet, Arrow or LIBSVM, also gzipped</small>
      <input
        type="file"
        accept={FORMATS}
        aria-label="Choose a file"
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

function Reading() {
  return (
    <div class="reading">
      <header>
        <strong>{work.value?.words}</strong>
        <button type="button" data-action="cancel" onClick={stop}>
          Cancel
        </button>
      </header>
      <ProgressLine />
    </div>
  );
}

interface Example {
  readonly name: ExampleName;
  readonly title: string;
  readonly words: string;
  readonly size: string;
}

const EXAMPLES: readonly Example[] = [
  {
    name: "crime",
    title: "Crime in 47 states, 1960",
    words: "What goes with crime rates? Fifteen measures of 47 US states; the classic of the field.",
    size: "47 × 15 · a number",
  },
  {
    name: "classes",
    title: "Yes or no",
    words: "A simulated two-way outcome with eight true causes among forty correlated columns.",
    size: "2,000 × 40 · two classes",
  },
  {
    name: "counts",
    title: "How many",
    words: "Simulated counts, such as visits or defects, with the same eight causes.",
    size: "1,500 × 40 · counts",
  },
  {
    name: "table1",
    title: "The paper's Table 1",
    words: "A hundred million numbers, made in this tab, and eight causes to find among two thousand.",
    size: "50,000 × 2,000 · 400 MB",
  },
];

function Gallery() {
  return (
    <section aria-labelledby="try">
      <h2 id="try">Or try it on one of these</h2>
      <ul class="gallery">
        {EXAMPLES.map(({ name, title, words, size }) => (
          <li key={name}>
            <button
              type="button"
              data-example={name}
              disabled={work.value !== undefined}
              onClick={() => void open({ from: "example", example: name })}
            >
              <strong>{title}</strong>
              <span>{words}</span>
              <small>{size}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
