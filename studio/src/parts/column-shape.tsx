/** What a column looks like, in a finger's breadth. */

import type { ColumnDescription } from "sparrow-bayes/browser";
import { brief, count, percent } from "./numbers.js";

const [WIDTH, HEIGHT] = [116, 28];
/** Lines that there is room for. */
const LINES = 3;

export function ColumnShape({ column, rows }: { readonly column: ColumnDescription; readonly rows: number }) {
  if (column.kind === "boolean" && column.mean !== undefined) return <Share share={column.mean} />;
  if (column.histogram) return <Histogram column={column} histogram={column.histogram} />;
  if (column.values && column.values.length > 0) return <Levels column={column} rows={rows} />;
  if (column.least !== undefined) return <span class="soft">always {String(column.least)}</span>;
  return <span class="soft">{column.problem ? "" : "empty"}</span>;
}

function Histogram({
  column,
  histogram,
}: {
  readonly column: ColumnDescription;
  readonly histogram: readonly number[];
}) {
  const most = Math.max(1, ...histogram);
  const width = WIDTH / histogram.length;
  const bars = histogram
    .map((n, i) => {
      if (n === 0) return "";
      const height = Math.max(1, (n / most) * HEIGHT);
      return `M${(i * width).toFixed(1)} ${HEIGHT}v${-height.toFixed(1)}h${(width - 1).toFixed(1)}v${height.toFixed(1)}z`;
    })
    .join("");
  const ends = [column.least, column.most].map((end) => (typeof end === "number" ? brief(end) : (end ?? "")));
  const about =
    column.mean === undefined
      ? ""
      : `, mean ${brief(column.mean)}, standard deviation ${brief(column.sd ?? 0)}`;
  return (
    <span class="shape" title={`${ends[0]} to ${ends[1]}${about}`}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`From ${ends[0]} to ${ends[1]}${about}`}
      >
        <path d={bars} fill="var(--strong)" fill-opacity="0.75" />
      </svg>
      <span class="ends" aria-hidden="true">
        <span>{short(ends[0])}</span>
        <span>{short(ends[1])}</span>
      </span>
    </span>
  );
}

/** Of a date the month is enough, where there is little room. */
const short = (end: string): string => (/^\d{4}-\d{2}-\d{2}/.test(end) ? end.slice(0, 7) : end);

/** Of a column of truth values. */
function Share({ share }: { readonly share: number }) {
  return (
    <span class="levels">
      {[["yes", share] as const, ["no", 1 - share] as const].map(([value, part]) => (
        <span key={value}>
          <i style={{ width: `${Math.max(3, 100 * part)}%` }} />
          <bdi>{value}</bdi>
          <small>{percent(part)}</small>
        </span>
      ))}
    </span>
  );
}

function Levels({ column, rows }: { readonly column: ColumnDescription; readonly rows: number }) {
  const { values = [], different = values.length } = column;
  const filled = Math.max(1, rows - column.missing);
  const shown = different > LINES ? LINES - 1 : LINES;
  return (
    <span
      class="levels"
      title={values.map(({ value, rows: n }) => `${value}: ${count(n, "row")}`).join("\n")}
    >
      {values.slice(0, shown).map(({ value, rows: n }) => (
        <span key={value}>
          <i style={{ width: `${Math.max(3, 100 * (n / filled))}%` }} />
          <bdi>{value}</bdi>
          <small>{percent(n / filled)}</small>
        </span>
      ))}
      {different > shown && <small class="soft">and {count(different - shown, "other")}</small>}
    </span>
  );
}
