import { type FigureData, movielensFigures } from "../../../experiments/movielens-figures.js";
import { proportional } from "../../../experiments/simulated-ratings.js";
import type { Keeping } from "../../../experiments/simulation-study.js";
import { linePlot, type Panel } from "../../../report/page/plots/line-plot.js";
import { asFlag, spelt } from "../../../wording.js";
import { type Reproduction, reproduced } from "./reproduced.js";

export async function reproduceFigure(reproduction: Reproduction): Promise<void> {
  await reproduced(reproduction, async (keeping) => {
    const data = await figureData(reproduction, keeping);
    const svg = linePlot(reproduction.experiment === "figure-s1" ? discrepancy(data) : paths(data));
    return { numbers: data, text: text(data), files: { svg } };
  });
}

function figureData({ asked, effects }: Reproduction, { part }: Keeping): Promise<FigureData> {
  const { users, data: folder, seed, iterations, sweeps, quiet = false } = asked;
  return movielensFigures({
    ...(seed !== undefined && { seed }),
    ...(iterations !== undefined && { iterations }),
    ...(sweeps !== undefined && { sweeps }),
    ...(users !== undefined && { shape: proportional(users) }),
    data: folder,
    part,
    signal: effects.signal,
    onMessage: (message) => {
      if (!quiet) effects.err(`${spelt(message, asFlag)}\n`);
    },
  });
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
