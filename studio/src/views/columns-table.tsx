/** The columns, and the part that each plays. */

import { useSignal } from "@preact/signals";
import type { ColumnDescription } from "sparrow-bayes/browser";
import { ColumnShape } from "../parts/column-shape.js";
import { isNarrow } from "../parts/media.js";
import { percent, whole } from "../parts/numbers.js";
import { inSight, VirtualRows } from "../parts/virtual-rows.js";
import { change, setup, table } from "../state/session.js";
import { type KindWish, type Part, partOf, type Wish } from "../state/setup.js";

type Order = "data" | "correlation" | "missing";
/** From how many columns on a search helps. */
const MANY = 12;

export function ColumnsTable() {
  const query = useSignal("");
  const order = useSignal<Order>("data");
  const { description } = table.value!;
  const shown = sorted(
    description.columns.filter(({ name }) => name.toLowerCase().includes(query.value.toLowerCase())),
    order.value,
  );
  const hasCorrelation = description.columns.some(({ correlation }) => correlation !== undefined);
  const height = isNarrow.value ? 118 : 62;
  return (
    <>
      {description.columns.length > MANY && (
        <div class="tools">
          <label>
            <span class="unseen">Find a column</span>
            <input
              type="search"
              placeholder="Find a column"
              value={query.value}
              onInput={(event) => {
                query.value = event.currentTarget.value;
              }}
            />
          </label>
          <label>
            Order{" "}
            <select
              value={order.value}
              onChange={(event) => {
                order.value = event.currentTarget.value as Order;
              }}
            >
              <option value="data">as in the data</option>
              {hasCorrelation && <option value="correlation">by correlation</option>}
              <option value="missing">by missing values</option>
            </select>
          </label>
        </div>
      )}
      {shown.length === 0 ? (
        <p class="soft">No column has that in its name.</p>
      ) : (
        <VirtualRows
          count={shown.length}
          height={height}
          label="Columns"
          most={isNarrow.value ? inSight(shown.length, 6, 8) : inSight(shown.length, 12, 20)}
          part="columns"
          head={<Head />}
          row={(i) => <ColumnRow key={shown[i].name} column={shown[i]} index={i} height={height} />}
        />
      )}
    </>
  );
}

function sorted(columns: readonly ColumnDescription[], order: Order): readonly ColumnDescription[] {
  if (order === "data") return columns;
  const by = (column: ColumnDescription): number =>
    order === "missing" ? column.missing : Math.abs(column.correlation ?? -1);
  return [...columns].sort((a, b) => by(b) - by(a));
}

function Head() {
  return (
    <div role="row" class="column-row" aria-rowindex={1}>
      {["column", "holds", "values", "missing", "correlation", "part"].map((name) => (
        <span role="columnheader" key={name} class={`c-${name}`}>
          {name}
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  readonly column: ColumnDescription;
  readonly index: number;
  readonly height: number;
}

function ColumnRow({ column, index, height }: RowProps) {
  const { rows } = table.value!.description;
  const part = partOf(column, setup.value);
  const holes =
    isNarrow.value && column.missing > 0 ? `${percent(column.missing / rows)} missing` : undefined;
  const said = column.problem ?? holes ?? column.odd[0];
  return (
    <div role="row" class={`column-row ${part}`} aria-rowindex={index + 2} style={{ height: `${height}px` }}>
      <Cell of="column">
        <bdi title={column.name}>{column.name}</bdi>
        {said && <small title={[column.problem, ...column.odd].filter(Boolean).join("\n")}>{said}</small>}
      </Cell>
      <Cell of="holds">
        <KindChoice column={column} />
      </Cell>
      <Cell of="values">
        <ColumnShape column={column} rows={rows} />
      </Cell>
      <Cell of="missing">
        {column.missing > 0 ? (
          <span title={`${whole(column.missing)} of ${whole(rows)} rows`}>
            {percent(column.missing / rows)}
          </span>
        ) : (
          <span class="quiet">none</span>
        )}
      </Cell>
      <Cell of="correlation">
        <Correlation value={part === "target" ? undefined : column.correlation} />
      </Cell>
      <Cell of="part">
        <PartChoice column={column} part={part} />
      </Cell>
    </div>
  );
}

function Cell({ of, children }: { readonly of: string; readonly children: preact.ComponentChildren }) {
  return (
    <span role="cell" class={`c-${of}`}>
      {children}
    </span>
  );
}

function Correlation({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return <span class="quiet">–</span>;
  const width = 50 * Math.abs(value);
  return (
    <span class="correlation">
      <span class="axis" aria-hidden="true">
        <i
          class={value < 0 ? "negative" : "positive"}
          style={value < 0 ? { right: "50%", width: `${width}%` } : { left: "50%", width: `${width}%` }}
        />
      </span>
      <span class="number">{value.toFixed(2).replace("-", "−").replace("−0.00", "0.00")}</span>
    </span>
  );
}

const PARTS: Readonly<Record<Part, string>> = {
  target: "target",
  variable: "variable",
  always: "always in",
  out: "left out",
  aside: "set aside",
  unusable: "unusable",
};

function PartChoice({ column, part }: { readonly column: ColumnDescription; readonly part: Part }) {
  const choices = choicesFor(column, part);
  return (
    <select
      class="pill"
      aria-label={`Part of ${column.name}`}
      value={part}
      onChange={(event) => choose(column, event.currentTarget.value as Part)}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {PARTS[choice]}
        </option>
      ))}
    </select>
  );
}

function choicesFor(column: ColumnDescription, part: Part): readonly Part[] {
  if (column.role === "unusable") return ["unusable", "out"];
  const usual: readonly Part[] = ["variable", "always", "out", "target"];
  return part === "aside" ? ["aside", ...usual] : usual;
}

function choose({ name, role }: ColumnDescription, part: Part): void {
  const { [name]: _, ...wishes } = setup.value.wishes;
  if (part === "target") return void change({ target: name, wishes });
  const target = setup.value.target === name ? undefined : setup.value.target;
  const wish: Wish | undefined =
    part === "always" || part === "out" ? part : part === "variable" && role === "aside" ? "keep" : undefined;
  void change({ target, wishes: wish ? { ...wishes, [name]: wish } : wishes });
}

const KINDS: Readonly<Record<string, string>> = {
  number: "number",
  boolean: "yes or no",
  date: "date",
  text: "category",
};

function KindChoice({ column }: { readonly column: ColumnDescription }) {
  const wish = setup.value.kinds[column.name];
  if (column.kind === "date" || column.kind === "boolean") return <>{KINDS[column.kind]}</>;
  if (column.kind === undefined && wish === undefined) return <span class="quiet">–</span>;
  const kind: KindWish = wish ?? (column.kind === "number" ? "number" : "category");
  return (
    <select
      class="pill"
      aria-label={`What ${column.name} holds`}
      value={kind}
      onChange={(event) => {
        const { [column.name]: __, ...kinds } = setup.value.kinds;
        const wanted = event.currentTarget.value as KindWish;
        void change({ kinds: { ...kinds, [column.name]: wanted } });
      }}
    >
      <option value="number">number</option>
      <option value="category">category</option>
    </select>
  );
}
