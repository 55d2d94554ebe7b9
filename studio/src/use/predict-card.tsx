import { useSignal } from "@preact/signals";
import { engine } from "../engine/chosen.js";
import type { Predicted } from "../engine/protocol.js";
import { count } from "../parts/numbers.js";
import { ProgressLine } from "../parts/progress.js";
import type { KeptRun } from "../state/past-runs.js";
import { stop, work, working } from "../state/session.js";
import { download, stemOf } from "./download.js";

/** New rows in, the same rows with predictions out. */
export function PredictCard({ run }: { readonly run: KeptRun }) {
  const done = useSignal<(Predicted & { readonly name: string }) | undefined>(undefined);
  const { target } = run.run.result;
  const predict = async (file: File): Promise<void> => {
    done.value = undefined;
    const predicted = await working("predict", `Predicting ${file.name}`, (signal, onNews) =>
      engine.ask("predict", { predictor: run.predictor, file }, { signal, onNews }),
    );
    if (predicted) done.value = { ...predicted, name: file.name };
  };
  return (
    <section class="card" aria-labelledby="predict-title" data-part="predict">
      <h2 id="predict-title">Predict new rows</h2>
      <p class="note">
        A file with the same columns; <bdi>{target}</bdi> may be missing. It stays on this machine as well.
      </p>
      {work.value?.kind === "predict" ? (
        <>
          <ProgressLine />
          <button type="button" onClick={stop}>
            Cancel
          </button>
        </>
      ) : (
        <div class="buttons">
          <span class="file-button">
            Choose a file
            <input
              type="file"
              name="predict"
              aria-label="Choose a file to predict"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                event.currentTarget.value = "";
                if (file) void predict(file);
              }}
            />
          </span>
        </div>
      )}
      {done.value && <Done predicted={done.value} />}
    </section>
  );
}

function Done({ predicted }: { readonly predicted: Predicted & { readonly name: string } }) {
  const { csv, rows, scores, notes, name } = predicted;
  return (
    <div role="status" data-part="predicted">
      <p>{count(rows, "row")} predicted.</p>
      {notes.map((note) => (
        <p class="note" key={note}>
          Note: {note}
        </p>
      ))}
      {scores && scores.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">score</span>
              </th>
              <th scope="col">model average</th>
              <th scope="col">median model</th>
            </tr>
          </thead>
          <tbody>
            {scores.map(([label, ...cells]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{cells[0]}</td>
                <td>{cells[1]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="download-predictions"
          onClick={() => download(csv, `${stemOf(name)}-predicted.csv`)}
        >
          Download the predictions
        </button>
      </div>
    </div>
  );
}
