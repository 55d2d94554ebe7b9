import { type FigureData, movielensFigures } from "../../experiments/movielens-figures.js";
import { proportional } from "../../experiments/simulated-ratings.js";
import { linePlot, type Panel } from "../../report/page/line-plot.js";
import { type Arguments, type Option, present } from "../command.js";
import type { Effects } from "../effects.js";
import { checkRunFolder, saveRun } from "../run-folder.js";

const FIGURES = ["figure-s1", "figure-s2"] as const;
type Figure = (typeof FIGURES)[number];

export const figureOptions: Readonly<Record<string, Option>> = {
  data: {
    kind: "text",
    value: "DIR",
    help: "figures: a folder with MovieLens 10M; without it, ratings are simulated",
  },
  users: { kind: "integer", value: "N", help: "figures: simulated users (71567, as in MovieLens 10M)" },
  iterations: {
    kind: "integer",
    value: "T",
    help: "figures: iterations of Algorithm S1 (4000, as in the paper)",
  },
  sweeps: { kind: "integer", value: "T", help: "figures: sweeps of Gibbs (500, as in the paper)" },
  seed: { kind: "integer", value: "s", help: "figures: seed of the random numbers" },
  out: { kind: "text", value: "DIR", help: "figures: folder for the figure (SVG) and its numbers (JSON)" },
};

export const isFigure = (name: string): name is Figure => (FIGURES as readonly string[]).includes(name);

export async function reproduceFigure(experiment: Figure, args: Arguments, effects: Effects): Promise<void> {
  const out = args.text("out");
  if (out !== undefined) checkRunFolder(out);
  const quiet = args.flag("quiet");
  const users = args.count("users");
  const given = { seed: args.seed(), iterations: args.count("iterations"), sweeps: args.count("sweeps") };
  const data = await movielensFigures({
    ...present(given),
    data: args.text("data"),
    ...(users !== undefined && { shape: proportional(users) }),
    signal: effects.signal,
    onMessage: (message) => {
      if (!quiet) effects.err(`${message}\n`);
    },
  });
  const json = `${JSON.stringify({ experiment, ...data }, null, 2)}\n`;
  if (out !== undefined) {
    const svg = linePlot(experiment === "figure-s1" ? discrepancy(data) : paths(data));
    await saveRun(out, { [`${experiment}.svg`]: svg, [`${experiment}.json`]: json });
  }
  effects.out(args.flag("json") ? json : text(data));
  if (out !== undefined && !quiet) effects.err(`Written to ${out}\n`);
}

function discrepancy({ methods }: FigureData): Panel[] {
  const series = methods.map(({ method, path }) => ({
    name: method,
    x: path.map(({ seconds }) => seconds),
    y: path.map(({ ksd }) => ksd),
    dashed: method === "gibbs",
  }));
  const title = "Kernel Stein discrepancy of β";
  return [{ title, xLabel: "CPU seconds", yLabel: "KSD (log scale)", logY: true, series }];
}

/** As in the paper: β₁ to the left, the others to the right, Gibbs dotted, by iteration. */
function paths({ methods, names }: FigureData): Panel[] {
  const shown = methods.filter(({ method }) => method !== "anchored");
  const series = (components: readonly number[]) =>
    components.flatMap((j) =>
      shown.map(({ method, path }) => ({
        name: `${names[j]}, ${method}`,
        x: path.map(({ iteration }) => iteration),
        y: path.map(({ beta }) => beta[j]),
        dashed: method === "gibbs",
        colour: j,
      })),
    );
  const axes = { xLabel: "iteration (log scale)", yLabel: "β", logX: true };
  const others = names.map((_, j) => j).slice(1);
  return [
    { title: "Intercept", ...axes, series: series([0]) },
    { title: "Other fixed effects", ...axes, series: series(others) },
  ];
}

function text({ users, ratings, simulated, methods, factors, paper }: FigureData): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  const lines = [
    `${count(ratings)} ${simulated ? "simulated " : ""}ratings of ${count(users)} users`,
    "",
    ...methods.map(({ method, iterations, cpuSeconds, path }) =>
      [
        method.padEnd(13),
        `${count(iterations)} iterations`.padStart(18),
        `${cpuSeconds.toFixed(1)} s of CPU`.padStart(16),
        `KSD ${path.at(-1)!.ksd.toPrecision(3)}`.padStart(16),
      ].join(""),
    ),
    "",
    ...factors.map(
      ({ method, ksd, seconds, gibbsSeconds, factor }) =>
        `To KSD ${ksd.toPrecision(3)}: ${method} ${seconds.toFixed(1)} s, gibbs ${gibbsSeconds.toFixed(1)} s, ${factor.toFixed(1)} times as long.`,
    ),
    `The paper: Gibbs takes about ${paper.factor} times as long as Algorithm S1.`,
  ];
  return `${lines.join("\n")}\n`;
}
