import { useSignal } from "@preact/signals";
import { engine } from "../engine/chosen.js";
import type { KeptRun } from "../state/past-runs.js";
import { trouble } from "../state/session.js";
import { download, stemOf } from "./download.js";
import { type Picture, pictures, pngOf, svgText } from "./pictures.js";
import { variablesCsv } from "./variables-csv.js";

export function ExportCard({ run }: { readonly run: KeptRun }) {
  const stem = stemOf(run.name);
  const { result, timing } = run.run;
  const report = async (): Promise<void> => {
    const { report: reportOf } = await import("../read/report.js");
    download(await reportOf(run.run), `${stem}.html`, "text/html");
  };
  const draws = async (format: "parquet" | "arrow"): Promise<void> => {
    const file = await engine.ask("draws", { run: run.run, format });
    download(file, `${stem}-draws.${format}`);
  };
  return (
    <section class="card" aria-labelledby="export-title" data-part="export">
      <h2 id="export-title">Take it with you</h2>
      <p class="note">The report is one file that needs nothing else.</p>
      <div class="buttons export-buttons">
        <Export id="html" words="Report (HTML)" does={report} />
        <Export
          id="json"
          words="Results (JSON)"
          does={() =>
            download(
              `${JSON.stringify({ ...result, timing }, null, 2)}\n`,
              `${stem}.json`,
              "application/json",
            )
          }
        />
        <Export
          id="csv"
          words="Variables (CSV)"
          does={() => download(variablesCsv(result.variables), `${stem}-variables.csv`, "text/csv")}
        />
        <Export
          id="model"
          words="Model (JSON)"
          does={() =>
            download(`${JSON.stringify(run.predictor)}\n`, `${stem}-model.json`, "application/json")
          }
        />
        <Export id="draws" words="Draws (Parquet)" does={() => draws("parquet")} />
        <Export id="arrow" words="Draws (Arrow)" does={() => draws("arrow")} />
      </div>
      <PictureChoice stem={stem} />
    </section>
  );
}

interface ExportProps {
  readonly id: string;
  readonly words: string;
  does(): void | Promise<void>;
}

function Export({ id, words, does }: ExportProps) {
  const busy = useSignal(false);
  const begin = async (): Promise<void> => {
    busy.value = true;
    try {
      await does();
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : String(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <button type="button" data-export={id} disabled={busy.value} onClick={() => void begin()}>
      {words}
    </button>
  );
}

function PictureChoice({ stem }: { readonly stem: string }) {
  const at = useSignal(0);
  const all = pictures();
  if (all.length === 0) return null;
  const chosen: Picture = all[Math.min(at.value, all.length - 1)];
  const name = `${stem}-${stemOf(chosen.name.toLowerCase())}`;
  return (
    <div class="picture-choice">
      <label>
        <span class="note">A picture</span>{" "}
        <select
          value={at.value}
          onChange={(event) => {
            at.value = Number(event.currentTarget.value);
          }}
        >
          {all.map((picture, i) => (
            <option key={picture.name} value={i}>
              {picture.name}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <Export id="svg" words="SVG" does={() => download(svgText(chosen), `${name}.svg`, "image/svg+xml")} />
        <Export id="png" words="PNG" does={async () => download(await pngOf(chosen), `${name}.png`)} />
      </div>
    </div>
  );
}
