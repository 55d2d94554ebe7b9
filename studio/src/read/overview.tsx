/** Every variable at its place in the data, as high as it is probable; what is under the pointer says its numbers. */

import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { VariableSummary } from "sparrow-bayes/browser";
import { amount, probability } from "../parts/numbers.js";
import { useWidth } from "../parts/width.js";
import type { KeptRun } from "../state/past-runs.js";
import { scaledVariables } from "./variables.js";

const HEIGHT = 200;
const MARGIN = { left: 34, right: 12, top: 12, bottom: 24 };
/** Names that are written beside their dots, at most. */
const LABELLED = 12;
/** How near the pointer must be to a dot, in pixels. */
const NEAR = 18;

interface Dot {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly variable: VariableSummary;
}

interface Props {
  readonly run: KeptRun;
  readonly picked: Signal<string | undefined>;
}

export function Overview({ run, picked }: Props) {
  const [box, width] = useWidth<HTMLElement>(704);
  const under = useSignal<Dot | undefined>(undefined);
  const dots = useMemo(() => dotsOf(scaledVariables(run), width), [run, width]);
  const still = useMemo(() => <Still dots={dots} width={width} />, [dots, width]);
  const nearest = (event: PointerEvent): Dot | undefined => {
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    return closest(dots, event.clientX - frame.left, event.clientY - frame.top);
  };
  return (
    <figure class="overview" ref={box}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label="Inclusion probability of every variable, in the order of the data"
        onPointerMove={(event) => {
          under.value = nearest(event);
        }}
        onPointerLeave={() => {
          under.value = undefined;
        }}
        onClick={(event) => {
          picked.value = nearest(event as unknown as PointerEvent)?.name ?? picked.value;
        }}
      >
        {still}
        {under.value && (
          <circle
            cx={under.value.x}
            cy={under.value.y}
            r="7"
            fill="none"
            stroke="var(--ink)"
            stroke-width="1.5"
          />
        )}
      </svg>
      {under.value && <Tip dot={under.value} width={width} />}
    </figure>
  );
}

/** What the pointer does not change is drawn once: there may be thousands of dots. */
function Still({ dots, width }: { readonly dots: readonly Dot[]; readonly width: number }) {
  const small = dots.filter(({ variable }) => !variable.selected);
  return (
    <>
      {[0, 0.5, 1].map((tick) => (
        <g key={tick}>
          <line
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={heightOf(tick)}
            y2={heightOf(tick)}
            stroke="var(--faint)"
            stroke-dasharray={tick === 0.5 ? "4 3" : undefined}
          />
          <text x={MARGIN.left - 8} y={heightOf(tick)} dy="0.32em" text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <text x={(width + MARGIN.left) / 2} y={HEIGHT - 6} text-anchor="middle">
        variables in the order of the data
      </text>
      <path
        d={small.map((dot) => `M${dot.x.toFixed(1)} ${dot.y.toFixed(1)}h0`).join("")}
        class="small-dots"
      />
      {dots
        .filter(({ variable }) => variable.selected)
        .map((dot) => (
          <circle key={dot.name} cx={dot.x} cy={dot.y} r="4.5" fill="var(--strong)" />
        ))}
      <Labels dots={dots} width={width} />
    </>
  );
}

const heightOf = (pip: number): number => MARGIN.top + (1 - pip) * (HEIGHT - MARGIN.bottom - MARGIN.top);

function dotsOf(all: ReturnType<typeof scaledVariables>, width: number): readonly Dot[] {
  const span = Math.max(1, all.reduce((most, { at }) => Math.max(most, at), 0) + 1);
  const inner = width - MARGIN.left - MARGIN.right - 12;
  const high = HEIGHT - MARGIN.bottom - MARGIN.top;
  return all.map(({ variable, at }) => ({
    name: variable.name,
    x: MARGIN.left + 6 + ((Math.max(0, at) + 0.5) / span) * inner,
    y: MARGIN.top + (1 - variable.pip) * high,
    variable,
  }));
}

function closest(dots: readonly Dot[], x: number, y: number): Dot | undefined {
  let [best, least]: [Dot | undefined, number] = [undefined, NEAR * NEAR];
  for (const dot of dots) {
    const away = (dot.x - x) ** 2 + (dot.y - y) ** 2;
    if (away < least) [best, least] = [dot, away];
  }
  return best;
}

/** Where a name may stand: from x1 to x2, around y. */
interface Place {
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
}

/** Beside its dot, on either side, else below or above it. */
function placesOf({ x, y }: Dot, wide: number): readonly Place[] {
  const at = (x1: number, height: number): Place => ({ x1, x2: x1 + wide, y: height });
  const middle = x - wide / 2;
  return [at(x + 9, y), at(x - 9 - wide, y), at(middle, y + 15), at(middle, y - 15)];
}

/** Names of the most probable, where they do not lie on each other. */
function Labels({ dots, width }: { readonly dots: readonly Dot[]; readonly width: number }) {
  const placed: Place[] = [];
  const named = dots.slice(0, LABELLED).filter(({ variable }) => variable.pip >= 0.05);
  const isFree = (dot: Dot, { x1, x2, y }: Place): boolean =>
    x1 >= MARGIN.left - 4 &&
    x2 <= width - 6 &&
    y >= 8 &&
    y <= HEIGHT - MARGIN.bottom - 4 &&
    !placed.some((other) => x1 < other.x2 + 4 && x2 > other.x1 - 4 && Math.abs(other.y - y) < 13) &&
    !named.some(
      (other) => other !== dot && other.x > x1 - 6 && other.x < x2 + 6 && Math.abs(other.y - y) < 9,
    );
  const shown = named.flatMap((dot) => {
    const name = dot.name.length > 18 ? `${dot.name.slice(0, 17)}…` : dot.name;
    const place = placesOf(dot, name.length * 7.1).find((one) => isFree(dot, one));
    if (!place) return [];
    placed.push(place);
    return [{ name, dot, place }];
  });
  return (
    <>
      {shown.map(({ name, dot, place: { x1, x2, y } }) => (
        <text
          key={dot.name}
          class="dot-name"
          x={y !== dot.y ? dot.x : x1 > dot.x ? x1 : x2}
          y={y}
          dy="0.32em"
          text-anchor={y !== dot.y ? "middle" : x1 > dot.x ? "start" : "end"}
        >
          {name}
        </text>
      ))}
    </>
  );
}

function Tip({ dot, width }: { readonly dot: Dot; readonly width: number }) {
  const { name, pip, mean, lower, upper } = dot.variable;
  const away = dot.x > width / 2 ? { right: `${width - dot.x + 12}px` } : { left: `${dot.x + 12}px` };
  return (
    <div class="tip" style={{ ...away, top: `${dot.y - 8}px` }}>
      <strong>{name}</strong> {probability(pip)}, effect {amount(mean)} ({amount(lower)} to {amount(upper)})
    </div>
  );
}
