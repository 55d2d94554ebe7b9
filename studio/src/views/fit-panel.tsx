/** What is to be explained and how: the few choices that matter, the others behind "more". */

import type { FamilyName } from "sparrow-bayes/browser";
import { count } from "../parts/numbers.js";
import { change, fit, setup, table, work } from "../state/session.js";
import { partOf } from "../state/setup.js";
import { MoreOptions } from "./more-options.js";
import { Choice, setFit } from "./option-fields.js";

export function FitPanel() {
  const { description } = table.value!;
  const { target } = setup.value;
  const busy = work.value !== undefined && work.value.kind !== "describe";
  const problem = target === undefined ? undefined : description.target?.problem;
  return (
    <form
      class="fit-panel"
      aria-label="What to explain"
      onSubmit={(event) => {
        event.preventDefault();
        void fit();
      }}
    >
      <label class="target">
        <span>Explain</span>
        <select
          name="target"
          value={target ?? ""}
          onChange={(event) => void change({ target: event.currentTarget.value || undefined })}
        >
          <option value="">choose a column …</option>
          {description.columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {problem ? (
        <p class="problem" role="status">
          {sentenceOf(problem)}
        </p>
      ) : (
        <FamilyWords />
      )}
      <Main />
      <details class="more">
        <summary>More</summary>
        <MoreOptions />
      </details>
      <div class="begin">
        <button
          type="submit"
          class="primary go"
          data-action="fit"
          disabled={target === undefined || busy || problem !== undefined}
        >
          Find what matters
        </button>
        <p class="note">{candidates()}</p>
      </div>
    </form>
  );
}

/** Problems are sentences, or go on after the name of the column. */
const sentenceOf = (problem: string): string =>
  problem.startsWith("holds ") ? `The column ${problem}, which cannot be explained.` : problem;

/** How many variables compete, said before anything is fitted. */
function candidates(): string {
  const { description } = table.value!;
  const columns = description.columns.filter((column) => {
    const part = partOf(column, setup.value);
    return part === "variable" || part === "always";
  });
  if (setup.value.target === undefined) return "Choose the column that the others are to explain.";
  const variables = columns.reduce((sum, column) => sum + Math.max(1, column.variables), 0);
  return `${count(variables, "variable")} from ${count(columns.length, "column")} will be weighed.`;
}

/** What a family means for the reader of effects. */
const FAMILIES: Readonly<Record<FamilyName, { readonly name: string; readonly words: string }>> = {
  gaussian: {
    name: "a number",
    words: "is taken as a number: effects are changes in its own units.",
  },
  binomial: {
    name: "one of two classes",
    words: "has two classes: effects are changes of the log odds.",
  },
  poisson: {
    name: "a count",
    words: "counts something: effects are changes of the logarithm of its mean.",
  },
};

function FamilyWords() {
  const { target, fit: wishes } = setup.value;
  const judged = table.value?.description.target;
  if (target === undefined) return null;
  const family = wishes.family && wishes.family !== "auto" ? wishes.family : judged?.family;
  return (
    <div class="family">
      {family && (
        <p>
          <bdi>{target}</bdi> {FAMILIES[family].words}
        </p>
      )}
      <Choice
        label="Its kind"
        value={wishes.family ?? "auto"}
        choices={[
          ["auto", judged?.family ? `judged: ${FAMILIES[judged.family].name}` : "judged from its values"],
          ...Object.entries(FAMILIES).map(([value, { name }]) => [value, name] as const),
        ]}
        onChoice={(value) => setFit({ family: value === "auto" ? undefined : (value as FamilyName) })}
      />
    </div>
  );
}

function Main() {
  const { fit: wishes, target } = setup.value;
  const holes = table.value!.description.columns.some(({ missing, name }) => missing > 0 && name !== target);
  return (
    <div class="fields">
      {holes && (
        <Choice
          label="Missing values"
          value={wishes.missing ?? "impute"}
          choices={[
            ["impute", "are drawn along with the model"],
            ["drop", "leave out their rows"],
            ["mean", "become the column's mean"],
          ]}
          onChoice={(value) =>
            setFit({ missing: value === "impute" ? undefined : (value as "drop" | "mean") })
          }
        />
      )}
      <Choice
        label="Test predictions on"
        value={String(wishes.holdout ?? 0)}
        choices={[
          ["0", "no rows: all are fitted"],
          ["0.1", "a tenth of the rows"],
          ["0.2", "a fifth of the rows"],
          ["0.3", "three tenths of the rows"],
        ]}
        onChoice={(value) => setFit({ holdout: Number(value) || undefined })}
      />
      <Choice
        label="Take at most"
        value={String(wishes.seconds ?? 0)}
        choices={[
          ["0", "the time it needs"],
          ["5", "5 seconds"],
          ["20", "20 seconds"],
          ["60", "a minute"],
          ["300", "five minutes"],
        ]}
        onChoice={(value) => setFit({ seconds: Number(value) || undefined })}
      />
    </div>
  );
}
