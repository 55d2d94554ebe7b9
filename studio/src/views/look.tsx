import { count } from "../parts/numbers.js";
import { table, work } from "../state/session.js";
import { ColumnsTable } from "./columns-table.js";
import { FitPanel } from "./fit-panel.js";
import { ReadingPanel } from "./reading-panel.js";

/** How many odd things are said outright. */
const NOTES = 4;

export function LookView() {
  const opened = table.value;
  if (!opened) return null;
  const { description, name } = opened;
  // Columns that were set aside are seen as such below, with a choice beside them.
  const notes = description.notes.filter((note) => !note.includes("--keep"));
  return (
    <div class="look">
      <header>
        <h1>
          <bdi>{shortName(name)}</bdi>
        </h1>
        <p class="soft">
          {count(description.rows, "row")}, {count(description.columns.length, "column")}
          {work.value?.kind === "describe" ? " · looking at the columns …" : ""}
        </p>
      </header>
      <div class="look-parts">
        <FitPanel />
        <section aria-labelledby="columns-title" class="columns-part">
          <h2 id="columns-title">The columns</h2>
          {notes.length > 0 && (
            <ul class="notes">
              {notes.slice(0, NOTES).map((note) => (
                <li key={note}>{note}</li>
              ))}
              {notes.length > NOTES && (
                <li>
                  <details>
                    <summary>{count(notes.length - NOTES, "more note")}</summary>
                    {notes.slice(NOTES).map((note) => (
                      <p key={note}>{note}</p>
                    ))}
                  </details>
                </li>
              )}
            </ul>
          )}
          <ColumnsTable />
          <ReadingPanel />
        </section>
      </div>
    </div>
  );
}

const shortName = (name: string): string => name.split(/[\\/]/).pop() ?? name;
