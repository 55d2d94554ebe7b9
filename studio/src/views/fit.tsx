/** The search as it goes: where it is, what the chains hold, which variables settle. */

import { useEffect, useState } from "preact/hooks";
import { count, probability, seconds, whole } from "../parts/numbers.js";
import { ProgressLine } from "../parts/progress.js";
import { StopButton } from "../read/verdict.js";
import { go } from "../state/route.js";
import { fit, halted, search, setup, stages, table, work } from "../state/session.js";

type Stage = (typeof stages.value)[number];

const STAGES: readonly (readonly [Stage, string])[] = [
  ["read", "Read"],
  ["screen", "Screen"],
  ["search", "Search"],
  ["certify", "Certify"],
  ["polish", "Weigh"],
];

const WORDS: Readonly<Partial<Record<Stage, string>>> = {
  read: "The rows are shuffled and laid out in memory.",
  screen: "One pass over the data: means, scales, correlations.",
  search: "Chains walk from model to model on small batches of rows, and meet the variables that may matter.",
  certify: "Every variable that the search left out is checked on all rows.",
  polish: "The models of the candidates are weighed with all the data.",
  check: "The answer is checked against the data.",
};

export function FitView() {
  const now = work.value;
  if (now?.kind !== "fit") return halted.value ? <Halted /> : <p class="soft">One moment …</p>;
  const stage = stages.value.at(-1);
  return (
    <div class="watch">
      <header>
        <div>
          <p class="about">{table.value?.name}</p>
          <h1>
            Explaining <bdi>{setup.value.target}</bdi>
          </h1>
        </div>
        <StopButton />
      </header>
      <StageList />
      <ProgressLine />
      <p class="soft" aria-live="polite">
        {(stage && WORDS[stage]) ?? ""}
      </p>
      <Clock began={now.began} />
      <Live />
    </div>
  );
}

function Live() {
  if (!search.value) return null;
  return (
    <div class="live">
      <Sizes />
      <Settling />
    </div>
  );
}

/** Stopped in the burn-in: no answer can be made of it, but where the chains were can be seen. */
function Halted() {
  return (
    <div class="watch" data-part="halted">
      <p class="about">{table.value?.name}</p>
      <h1>Stopped before anything counted</h1>
      <p class="soft">
        The chains were still settling in, and models count from then on, so there are no probabilities yet.
        This is where the chains were.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void fit()}>
          Begin again
        </button>
        <button type="button" onClick={() => go({ view: "look" })}>
          Back to the columns
        </button>
      </div>
      <Live />
    </div>
  );
}

function StageList() {
  const seen = stages.value;
  const now = seen.at(-1);
  return (
    <ol class="stage-list">
      {STAGES.map(([stage, name]) => (
        <li
          key={stage}
          class={stage === now ? "now" : seen.includes(stage) ? "done" : ""}
          aria-current={stage === now ? "step" : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}

function Clock({ began }: { readonly began: number }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(ticking);
  }, []);
  const soFar = (now - began) / 1000;
  const said = leftWords(soFar);
  return (
    <p class="note number">
      {seconds(soFar)} so far{said && `, ${said}`}
    </p>
  );
}

/** What is known of the time that is left; chains that agree end the search before its last iteration. */
function leftWords(soFar: number): string | undefined {
  const { left, stage } = work.value?.progress ?? {};
  const { seconds: limit, iterations, preset } = setup.value.fit;
  const allowed = limit === undefined ? Number.POSITIVE_INFINITY : limit - soFar;
  if (left === undefined || left >= allowed)
    return allowed > 1 && limit !== undefined ? `at most ${seconds(allowed)} left` : undefined;
  if (left <= 1) return undefined;
  const mayEnd = stage === "search" && iterations === undefined && preset !== "paper";
  return `${mayEnd ? "at most" : "about"} ${seconds(left)} to the end of this stage`;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [440, 310, 34, 22];
/** Points of a line; more cannot be told apart. */
const POINTS = 220;

function Sizes() {
  const chains = search.value?.sizes ?? [];
  const longest = chains.reduce((most, sizes) => Math.max(most, sizes.length), 1);
  const highest = Math.max(
    4,
    ...chains.map((sizes) => sizes.reduce((most, size) => Math.max(most, size), 0)),
  );
  const last = chains.map((sizes) => sizes.at(-1) ?? 0);
  const path = (sizes: readonly number[]): string => {
    const step = Math.max(1, Math.ceil(sizes.length / POINTS));
    const points: string[] = [];
    for (let i = 0; i < sizes.length; i += step) {
      const x = LEFT + (i / Math.max(1, longest - 1)) * (WIDTH - LEFT - 6);
      const y = HEIGHT - BOTTOM - (sizes[i] / highest) * (HEIGHT - BOTTOM - 8);
      points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
    }
    return points.length > 0 ? `M${points.join("L")}` : "";
  };
  return (
    <section class="card" aria-label="Model size by chain">
      <h2>How many variables the chains hold</h2>
      <p class="note number">{last.length > 0 ? `Now ${last.join(" and ")}` : ""}&nbsp;</p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Model sizes of ${count(chains.length, "chain")}`}
      >
        {[0, highest].map((tick) => (
          <g key={tick}>
            <text
              x={LEFT - 6}
              y={HEIGHT - BOTTOM - (tick / highest) * (HEIGHT - BOTTOM - 8)}
              dy="0.32em"
              text-anchor="end"
            >
              {whole(tick)}
            </text>
          </g>
        ))}
        <line x1={LEFT} x2={WIDTH} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} stroke="var(--faint)" />
        {chains.map((sizes, chain) => (
          <path
            key={chain}
            d={path(sizes)}
            fill="none"
            stroke={`var(--chain${(chain % 4) + 1})`}
            stroke-width="1.5"
            stroke-linejoin="round"
          />
        ))}
        <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 5} text-anchor="middle">
          iterations
        </text>
      </svg>
    </section>
  );
}

/** Variables that are shown as they settle. */
const SETTLING = 12;

function Settling() {
  const shown = (search.value?.inclusion ?? []).slice(0, SETTLING);
  return (
    <section class="card" aria-label="Inclusion of late">
      <h2>Which variables they meet</h2>
      <p class="note">
        {shown.length === 0 || search.value?.settling
          ? "Share of the models held of late; they count once the chains have settled in."
          : "Share of the models visited of late; noise comes and goes, what matters stays."}
      </p>
      <ul class="settling">
        {shown.map(({ name, probability: p }) => (
          <li key={name}>
            <bdi>{name}</bdi>
            <span class="meter" aria-hidden="true">
              <i style={{ width: `${100 * p}%` }} />
            </span>
            <span class="number">{probability(p)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
