/** How the file is read, for those whose columns came out wrong. */

import { change, setup, table } from "../state/session.js";
import type { ReadWishes } from "../state/setup.js";

const said = (text: string): string | undefined => (text.trim() === "" ? undefined : text);

function set(wish: Partial<Record<keyof ReadWishes, unknown>>): void {
  const reading = Object.fromEntries(
    Object.entries({ ...setup.value.reading, ...wish }).filter(
      ([, value]) => value !== undefined && value !== false,
    ),
  );
  void change({ reading: reading as ReadWishes });
}

export function ReadingPanel() {
  const { reading } = setup.value;
  return (
    <details class="reading-panel">
      <summary>Is something read wrongly?</summary>
      <div class="fields">
        <label>
          Between values
          <select
            value={reading.delimiter ?? ""}
            onChange={(event) => set({ delimiter: event.currentTarget.value || undefined })}
          >
            <option value="">judged from the file</option>
            <option value=",">a comma</option>
            <option value=";">a semicolon</option>
            <option value={"\t"}>a tab</option>
            <option value="|">a bar</option>
          </select>
        </label>
        {/\.xls[xm]$/i.test(table.value?.name ?? "") && (
          <label>
            Sheet
            <input
              type="text"
              placeholder="the first, or a name or number"
              value={reading.sheet ?? ""}
              onChange={(event) => set({ sheet: said(event.currentTarget.value) })}
            />
          </label>
        )}
        <label>
          Decimal sign
          <select
            value={reading.decimal ?? ""}
            onChange={(event) => set({ decimal: said(event.currentTarget.value) })}
          >
            <option value="">judged by column</option>
            <option value=".">a point, 1.5</option>
            <option value=",">a comma, 1,5</option>
          </select>
        </label>
        <label>
          Dates
          <input
            type="text"
            placeholder="judged, or %d.%m.%Y"
            value={reading.dateFormat ?? ""}
            onChange={(event) => set({ dateFormat: said(event.currentTarget.value) })}
          />
        </label>
        <label>
          Words for missing values
          <input
            type="text"
            placeholder="besides NA, ?, - and their like"
            value={reading.na?.join(", ") ?? ""}
            onChange={(event) =>
              set({
                na: said(event.currentTarget.value)
                  ?.split(",")
                  .map((word) => word.trim()),
              })
            }
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={reading.noHeader === true}
            onChange={(event) => set({ noHeader: event.currentTarget.checked || undefined })}
          />
          The first line holds values, not names
        </label>
      </div>
    </details>
  );
}
