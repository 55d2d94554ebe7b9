/** The most probable models beside each other; the one that is picked shows its coefficients. */

import { type Signal, useSignal } from "@preact/signals";
import type { FitResult, StoredRun, VariableSummary } from "sparrow-bayes/browser";
import { count, list, percent, whole } from "../parts/numbers.js";
import { useWidth } from "../parts/width.js";
import type { KeptRun } from "../state/past-runs.js";
import { Coefficients } from "./coefficients.js";

type ModelList = NonNullable<StoredRun["models"]>;

/** Variables that are drawn, models that are listed. */
const [MAX_ROWS, LISTED] = [20, 10];
const ROW = 24;
const MARGIN = { right: 8, top: 4, bottom: 26 };

export function ModelsSection({ run }: { readonly run: KeptRun }) {
  const picked = useSignal(0);
  const { result } = run.run;
  const models = run.run.models ?? listed(result);
  const covered = models.models.reduce((sum, model) => sum + model.probability, 0);
  const { rows, common, hidden } = differing(models, result.variables);
  return (
    <section id="part-models" aria-labelledby="models-title" data-part="models">
      <h2 id="models-title">
        Which models are likely{" "}
        <span class={`kind ${run.words.exactness.kind}`}>{run.words.exactness.kind}</span>
      </h2>
      <p>
        The most probable model has {percent(models.models[0].probability)} of the probability;{" "}
        {models.models.length === 1
          ? "nothing else comes near."
          : `the ${whole(models.models.length)} shown have ${percent(covered)}.`}
        {common.length > 0 && models.models.length > 1 && (
          <>
            {" "}
            All of them hold <bdi>{list(common, 20)}</bdi>.
          </>
        )}
      </p>
      {rows.length > 0 && models.models.length > 1 && (
        <figure>
          <Space models={models} rows={rows} picked={picked} />
          <figcaption>
            Each column is a model, as wide as it is probable; pick one to see its coefficients.{" "}
            <span class="keyed">
              <span class="key square positive" />
              positive,
            </span>{" "}
            <span class="keyed">
              <span class="key square negative" />
              negative effect.
            </span>
            {hidden > 0 &&
              ` ${count(hidden, "variable")} in which the models hardly differ ${hidden === 1 ? "is" : "are"} not drawn.`}
          </figcaption>
        </figure>
      )}
      <div class="model-parts">
        <ol
          class="model-list"
          aria-label={
            common.length > 0 ? "The most probable models, beyond what all hold" : "The most probable models"
          }
        >
          {models.models.slice(0, LISTED).map((model, i) => (
            <li key={model.variables.join()}>
              <button
                type="button"
                class="plain"
                aria-pressed={picked.value === i}
                data-model={i}
                onClick={() => {
                  picked.value = i;
                }}
              >
                <span class="number">{percent(model.probability)}</span>
                <bdi>
                  {toldApart(
                    model.variables.map((variable) => models.names[variable]),
                    common,
                  )}
                </bdi>
              </button>
            </li>
          ))}
        </ol>
        <Coefficients run={run} models={models} index={Math.min(picked.value, models.models.length - 1)} />
      </div>
    </section>
  );
}

/** Models in a list are told by what not all of them hold. */
function toldApart(names: readonly string[], common: readonly string[]): string {
  const own = names.filter((name) => !common.includes(name));
  if (names.length === 0) return "no variable";
  if (own.length === 0) return common.length === 1 ? `${common[0]} alone` : "nothing beyond what all hold";
  return common.length > 0 ? `also ${list(own, 8)}` : list(own, 8);
}

function listed({ models = [] }: FitResult | StoredRun["result"]): ModelList {
  const names = [...new Set(models.flatMap(({ variables }) => variables))];
  const at = new Map(names.map((name, i) => [name, i]));
  return {
    exact: false,
    names,
    models: models.map(({ variables, probability }) => ({
      variables: variables.map((name) => at.get(name) ?? 0),
      probability,
    })),
  };
}

/** What all models agree on is said; the picture is of what they differ in, those near one half above all. */
function differing({ names, models }: ModelList, variables: readonly VariableSummary[]) {
  const used = new Map<string, number>();
  for (const model of models)
    for (const j of model.variables) used.set(names[j], (used.get(names[j]) ?? 0) + 1);
  const times = (name: string): number => used.get(name) ?? 0;
  const unlike = variables.filter(({ name }) => times(name) > 0 && times(name) < models.length);
  const doubt = ({ pip }: VariableSummary): number => Math.min(pip, 1 - pip);
  const kept = new Set([...unlike].sort((a, b) => doubt(b) - doubt(a)).slice(0, MAX_ROWS));
  return {
    rows: unlike.filter((variable) => kept.has(variable)),
    common: variables.filter(({ name }) => times(name) === models.length).map(({ name }) => name),
    hidden: unlike.length - kept.size,
  };
}

interface SpaceProps {
  readonly models: ModelList;
  readonly rows: readonly VariableSummary[];
  readonly picked: Signal<number>;
}

function Space({ models: { names, models }, rows, picked }: SpaceProps) {
  const [box, width] = useWidth<HTMLDivElement>(704);
  const under = useSignal<number | undefined>(undefined);
  const left = Math.min(
    width * 0.36,
    14 + 7.2 * rows.reduce((most, { name }) => Math.max(most, name.length), 3),
  );
  const covered = models.reduce((sum, model) => sum + model.probability, 0);
  const scale = (width - left - MARGIN.right) / covered;
  const height = MARGIN.top + ROW * rows.length + MARGIN.bottom;
  const at = new Map(names.map((name, j) => [name, j]));
  const starts: number[] = [];
  let reached = 0;
  for (const model of models) {
    starts.push(reached);
    reached += model.probability;
  }
  const modelAt = (event: MouseEvent): number => {
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    const mass = (event.clientX - frame.left - left) / scale;
    const found = starts.findLastIndex((start) => start <= mass);
    return Math.max(0, Math.min(models.length - 1, found));
  };
  const marked = under.value ?? picked.value;
  return (
    <div class="space" ref={box}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label="The most probable models and the variables in which they differ"
        onPointerMove={(event) => {
          under.value = modelAt(event);
        }}
        onPointerLeave={() => {
          under.value = undefined;
        }}
        onClick={(event) => {
          picked.value = modelAt(event);
        }}
      >
        {rows.map(({ name, meanIfIncluded }, i) => (
          <g key={name} transform={`translate(0 ${MARGIN.top + i * ROW})`}>
            <text x={left - 8} y={ROW / 2} dy="0.32em" text-anchor="end">
              {cut(name, left)}
            </text>
            <rect
              x={left}
              y="2"
              width={covered * scale}
              height={ROW - 4}
              fill="var(--faint)"
              opacity="0.35"
            />
            <path
              fill={meanIfIncluded < 0 ? "var(--negative)" : "var(--positive)"}
              d={stretches(models, at.get(name) ?? -1)
                .map(
                  ([from, to]) =>
                    `M${(left + from * scale).toFixed(1)} 2H${(left + to * scale).toFixed(1)}v${ROW - 4}H${(left + from * scale).toFixed(1)}z`,
                )
                .join("")}
            />
          </g>
        ))}
        <path
          stroke="var(--paper)"
          d={starts
            .filter((_, i) => i > 0 && models[i - 1].probability > 0.01)
            .map((start) => `M${(left + start * scale).toFixed(1)} 0V${height - MARGIN.bottom}`)
            .join("")}
        />
        <rect
          class="picked-model"
          x={left + starts[marked] * scale}
          y="1"
          width={Math.max(2, models[marked].probability * scale)}
          height={height - MARGIN.bottom}
        />
        {[0, 0.25, 0.5, 0.75, 1]
          .filter((tick) => tick <= covered + 1e-9)
          .map((tick) => (
            <text
              key={tick}
              x={left + tick * scale}
              y={height - 8}
              text-anchor={tick === 0 ? "start" : "middle"}
            >
              {percent(tick)}
            </text>
          ))}
      </svg>
      <p class="under number" aria-hidden="true">
        Model {marked + 1}: {percent(models[marked].probability)},{" "}
        {count(models[marked].variables.length, "variable")}
      </p>
    </div>
  );
}

/** Where a variable is in, from and to, in probability; neighbours make one stretch. */
function stretches(models: ModelList["models"], j: number): [number, number][] {
  const found: [number, number][] = [];
  let reached = 0;
  let last: [number, number] | undefined;
  for (const { variables, probability } of models) {
    const end = reached + probability;
    if (!variables.includes(j)) last = undefined;
    else if (last) last[1] = end;
    else {
      last = [reached, end];
      found.push(last);
    }
    reached = end;
  }
  return found;
}

function cut(name: string, pixels: number): string {
  const most = Math.max(4, Math.floor((pixels - 12) / 7.4));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
