/** All variables: sorted, filtered, with their numbers. */

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { VariableSummary } from "sparrow-bayes/browser";
import { isNarrow } from "../parts/media.js";
import { amount, count, probability, whole } from "../parts/numbers.js";
import { inSight, VirtualRows } from "../parts/virtual-rows.js";
import type { KeptRun } from "../state/past-runs.js";
import { Overview } from "./overview.js";
import { setMarks } from "./sets.js";
import { VariableCard } from "./variable-card.js";
import { Badge } from "./verdict.js";

type Order = "pip" | "effect" | "name" | "data";
/** From how many variables on a search helps. */
const MANY = 12;

/** Effects of a standard deviation of each variable, which can be compared. */
export interface Scaled {
  readonly variable: VariableSummary;
  readonly unit: number;
  /** Place in the data. */
  readonly at: number;
}

export function scaledVariables({ run }: KeptRun): readonly Scaled[] {
  const { columns, sd } = run.record.data;
  const places = new Map(columns.map((name, j) => [name, j]));
  return run.result.variables.map((variable) => {
    const at = places.get(variable.name) ?? -1;
    return { variable, unit: at >= 0 ? (sd?.[at] ?? 1) : 1, at };
  });
}

/** x2 before x10. */
const byName = new Intl.Collator(undefined, { numeric: true });

const ORDERS: Readonly<Record<Order, (a: Scaled, b: Scaled) => number>> = {
  pip: (a, b) => b.variable.pip - a.variable.pip || effectOf(b) - effectOf(a),
  effect: (a, b) => effectOf(b) - effectOf(a),
  name: (a, b) => byName.compare(a.variable.name, b.variable.name),
  data: (a, b) => a.at - b.at,
};

const effectOf = ({ variable, unit }: Scaled): number => Math.abs(variable.mean * unit);

export function VariablesSection({ run }: { readonly run: KeptRun }) {
  const query = useSignal("");
  const order = useSignal<Order>("pip");
  const only = useSignal(false);
  const picked = useSignal<string | undefined>(undefined);
  const all = useComputed(() => scaledVariables(run));
  const shown = useComputed(() => {
    const wanted = query.value.toLowerCase();
    return all.value
      .filter(
        ({ variable }) => (!only.value || variable.selected) && variable.name.toLowerCase().includes(wanted),
      )
      .sort(ORDERS[order.value]);
  });
  const reach = useComputed(() =>
    all.value.reduce(
      (most, { variable, unit }) =>
        variable.pip >= 0.05
          ? Math.max(most, Math.abs(variable.lower * unit), Math.abs(variable.upper * unit))
          : most,
      0,
    ),
  );
  const marks = setMarks(run.run.result);
  const height = isNarrow.value ? 52 : 38;
  const list = shown.value;
  return (
    <section id="part-variables" aria-labelledby="variables-title">
      <h2 id="variables-title">
        Which variables matter{" "}
        <span class={`kind ${run.words.exactness.kind}`}>{run.words.exactness.kind}</span>
      </h2>
      <p>The probability that a variable is in the model, given the data. Above one half it is selected.</p>
      <Overview run={run} picked={picked} />
      {all.value.length > MANY && (
        <Tools query={query} only={only} found={list.length} of={all.value.length} />
      )}
      <VirtualRows
        count={list.length}
        height={height}
        label="Variables"
        most={isNarrow.value ? inSight(list.length, 9, 12) : inSight(list.length, 14, 20)}
        part="variables"
        head={<Head order={order} />}
        row={(i) => (
          <VariableRow
            key={list[i].variable.name}
            scaled={list[i]}
            index={i}
            height={height}
            reach={reach.value}
            set={marks.get(list[i].variable.name)}
            isPicked={picked.value === list[i].variable.name}
            onPick={() => {
              picked.value = picked.value === list[i].variable.name ? undefined : list[i].variable.name;
            }}
          />
        )}
      />
      {list.length === 0 && <p class="soft">No variable has that in its name.</p>}
      <p class="note">
        Effect: the change of {run.words.effectOf} when the variable rises by one unit, averaged over models.
        The lines compare effects of one standard deviation each, with their 95% intervals.
      </p>
      {picked.value !== undefined && (
        <VariableCard
          run={run}
          name={picked.value}
          onClose={() => {
            picked.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface ToolsProps {
  readonly query: Signal<string>;
  readonly only: Signal<boolean>;
  readonly found: number;
  readonly of: number;
}

function Tools({ query, only, found, of }: ToolsProps) {
  return (
    <div class="tools">
      <label>
        <span class="unseen">Find a variable</span>
        <input
          type="search"
          placeholder="Find a variable"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={only.value}
          onChange={(event) => {
            only.value = event.currentTarget.checked;
          }}
        />{" "}
        selected only
      </label>
      <span role="status" class="number">
        {found < of ? `${count(found, "variable")} of ${whole(of)}` : ""}
      </span>
    </div>
  );
}

const HEADS: readonly (readonly [string, string, Order?])[] = [
  ["name", "variable", "name"],
  ["pip", "probability", "pip"],
  ["line", "", "effect"],
  ["effect", "effect", "effect"],
  ["interval", "95% interval"],
];

function Head({ order }: { readonly order: { value: Order } }) {
  return (
    <div role="row" class="variable-row" aria-rowindex={1}>
      {HEADS.map(([id, name, by]) => (
        <span
          role="columnheader"
          key={id}
          class={`v-${id}`}
          aria-sort={by && order.value === by && name ? sense(by) : undefined}
        >
          {by && name ? (
            <button
              type="button"
              class="plain sort"
              data-sort={by}
              onClick={() => {
                order.value = order.value === by ? "data" : by;
              }}
            >
              {name}
              <span aria-hidden="true">{order.value === by ? (by === "name" ? " ↑" : " ↓") : ""}</span>
            </button>
          ) : (
            name || <span class="unseen">picture of the effect</span>
          )}
        </span>
      ))}
    </div>
  );
}

const sense = (by: Order): "ascending" | "descending" => (by === "name" ? "ascending" : "descending");

interface RowProps {
  readonly scaled: Scaled;
  readonly index: number;
  readonly height: number;
  readonly reach: number;
  readonly set: number | undefined;
  readonly isPicked: boolean;
  onPick(): void;
}

function VariableRow({ scaled, index, height, reach, set, isPicked, onPick }: RowProps) {
  const { variable } = scaled;
  const { name, pip, pipError, selected } = variable;
  const classes = ["variable-row", selected && "selected", isPicked && "picked"].filter(Boolean).join(" ");
  const error = pipError >= 0.0005 ? `± ${pipError.toFixed(3)}` : "";
  return (
    <div
      role="row"
      class={classes}
      aria-rowindex={index + 2}
      style={{ height: `${height}px` }}
      title={told(variable)}
    >
      <span role="cell" class="v-name">
        <button type="button" class="plain" aria-pressed={isPicked} onClick={onPick}>
          <Badge set={set} />
          <bdi>{name}</bdi>
        </button>
      </span>
      <span role="cell" class="v-pip">
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${100 * pip}%` }} />
        </span>
        <span class="number">{probability(pip)}</span>
        <small class="number">{error}</small>
      </span>
      <span role="cell" class="v-line">
        <EffectLine scaled={scaled} reach={reach} />
      </span>
      <span role="cell" class="v-effect number">
        {amount(variable.mean)}
      </span>
      <span role="cell" class="v-interval number">
        {amount(variable.lower)} to {amount(variable.upper)}
      </span>
    </div>
  );
}

/** What is said of a variable under the pointer. */
function told({ name, pip, mean, lower, upper, meanIfIncluded, signProbability }: VariableSummary): string {
  return [
    `${name}: in with probability ${probability(pip)}`,
    `effect ${amount(mean)}, 95% interval ${amount(lower)} to ${amount(upper)}`,
    `if it is in: ${amount(meanIfIncluded)}, its sign sure with ${probability(signProbability)}`,
  ].join("\n");
}

const [LINE, MIDDLE] = [96, 12];

function EffectLine({
  scaled: { variable, unit },
  reach,
}: {
  readonly scaled: Scaled;
  readonly reach: number;
}) {
  if (reach === 0) return null;
  const x = (value: number): number =>
    LINE / 2 + (Math.max(-1, Math.min(1, (value * unit) / reach)) * (LINE - 10)) / 2;
  const colour = variable.meanIfIncluded < 0 ? "var(--negative)" : "var(--positive)";
  return (
    <svg viewBox={`0 0 ${LINE} 24`} width={LINE} height="24" aria-hidden="true">
      <line x1={LINE / 2} x2={LINE / 2} y1="2" y2="22" stroke="var(--faint)" />
      <line
        x1={x(variable.lower)}
        x2={x(variable.upper)}
        y1={MIDDLE}
        y2={MIDDLE}
        stroke={colour}
        stroke-width="2"
        opacity="0.6"
      />
      <circle cx={x(variable.mean)} cy={MIDDLE} r="3.5" fill={colour} opacity={0.25 + 0.75 * variable.pip} />
    </svg>
  );
}
