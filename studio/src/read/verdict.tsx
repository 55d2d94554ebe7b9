import type { FamilyName } from "sparrow-bayes/browser";
import { count, probability, whole } from "../parts/numbers.js";
import type { KeptRun } from "../state/past-runs.js";
import { addressOf } from "../state/route.js";
import { stop, work } from "../state/session.js";
import { setMarks } from "./sets.js";

const KINDS_OF_TARGET: Readonly<Record<FamilyName, string>> = {
  gaussian: "the target is a number",
  binomial: "the target is one of two classes",
  poisson: "the target is a count",
};

/** Names that are listed at the top. */
const NAMED = 30;

export function VerdictSection({ run }: { readonly run: KeptRun }) {
  const { result } = run.run;
  const { words } = run;
  const marks = setMarks(result);
  const selected = result.variables.filter((variable) => variable.selected);
  return (
    <section id="part-verdict" data-part="verdict" aria-label="The answer">
      <p class="about">
        <bdi>{run.name.split(/[\\/]/).pop()}</bdi> · {count(result.rows, "row")} ·{" "}
        {KINDS_OF_TARGET[result.family]}
      </p>
      <h1>{words.headline}</h1>
      {selected.length > 0 && (
        <ul class="names" aria-label="Selected variables">
          {selected.slice(0, NAMED).map((v) => (
            <li key={v.name}>
              <Badge set={marks.get(v.name)} />
              <bdi title={v.name}>{v.name}</bdi>
              <small>{probability(v.pip)}</small>
            </li>
          ))}
          {selected.length > NAMED && (
            <li>
              <small>and {whole(selected.length - NAMED)} more</small>
            </li>
          )}
        </ul>
      )}
      <Judgement run={run} selected={selected.length} />
      {words.notes.map((note) => (
        <p class="note" key={note}>
          Note: {note}
        </p>
      ))}
      <p class="next">
        <a href={addressOf({ view: "use", run: run.id })}>Predict, compare, export or share</a>
      </p>
    </section>
  );
}

function Judgement({ run, selected }: { readonly run: KeptRun; readonly selected: number }) {
  const { verdict, checked, exactness, conclusion } = run.words;
  const doubt = !verdict.startsWith("No problems");
  const [first, ...rest] = verdict.split(/(?<=\.) /);
  return (
    <div class={doubt ? "verdict doubt" : "verdict"} role="status">
      {first && (
        <p>
          <strong>{first}</strong> {rest.join(" ")}
        </p>
      )}
      {selected === 0 && <p>{conclusion}</p>}
      {checked !== "" && <p>{checked}</p>}
      <p>
        <span class={`kind ${exactness.kind}`}>{exactness.kind}</span> {exactness.sentence}
      </p>
    </div>
  );
}

/** The letter of a set of substitutes. */
export function Badge({ set }: { readonly set: number | undefined }) {
  if (set === undefined) return null;
  return (
    <span class="set" style={{ background: `var(--set${(set % 6) + 1})` }}>
      {String.fromCharCode(65 + (set % 26))}
    </span>
  );
}

export function StopButton() {
  if (work.value?.kind !== "fit") return null;
  return (
    <button
      type="button"
      class="primary"
      data-action="stop"
      disabled={work.value.stopping === true}
      onClick={stop}
    >
      {work.value.stopping ? "Stopping …" : "Stop with what there is"}
    </button>
  );
}
