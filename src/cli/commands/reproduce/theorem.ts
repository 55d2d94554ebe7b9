/** Theorems 1 and 2 as figures: the distance between a chain's law and the posterior. */

import { type TheoremData, theorem1, theorem2 } from "../../../experiments/theorems.js";
import { linePlot, type Panel } from "../../../report/page/plots/line-plot.js";
import { aligned } from "../../../report/text/lines.js";
import { type Reproduction, reproduced } from "./reproduced.js";

const THEOREMS = { theorem1, theorem2 } as const;

export async function reproduceTheorem(
  experiment: keyof typeof THEOREMS,
  reproduction: Reproduction,
): Promise<void> {
  const { seed, iterations, quiet = false } = reproduction.asked;
  const { effects } = reproduction;
  await reproduced(reproduction, async () => {
    const data = THEOREMS[experiment]({
      ...(seed !== undefined && { seed }),
      ...(iterations !== undefined && { iterations }),
      signal: effects.signal,
      onMessage: (message) => {
        if (!quiet) effects.err(`${message}\n`);
      },
    });
    return { numbers: data, text: text(data), files: { svg: linePlot(panels(data)) } };
  });
}

const ALONG = { rows: "N", iterations: "t" } as const;

/** Closed forms as lines, simulated chains dashed in the same colour. */
function panels({ along, curves }: TheoremData): Panel[] {
  const axes = { xLabel: `${ALONG[along]} (log scale)`, logX: true, logY: true };
  const line = (value: "distance" | "relative" | "simulated", name: (of: string) => string, dashed = false) =>
    curves.map((curve, colour) => {
      const points = curve.points.filter((point) => point[value] !== undefined);
      const x = points.map(({ at }) => at);
      return { name: name(curve.name), x, y: points.map((point) => point[value]!), dashed, colour };
    });
  return [
    {
      title: "W₂ between the chain's law and the posterior",
      yLabel: "W₂ (log scale)",
      ...axes,
      series: [
        ...line("distance", (name) => name),
        ...line("simulated", (name) => `${name}, simulated`, true),
      ],
    },
    {
      title: "In posterior standard deviations",
      yLabel: "W₂ / sd (log scale)",
      ...axes,
      series: line("relative", (name) => name),
    },
  ];
}

function text({ along, curves }: TheoremData): string {
  const number = (value: number | undefined): string => (value === undefined ? "" : value.toPrecision(3));
  const head = ["", ...curves[0].points.map(({ at }) => `${ALONG[along]} = ${at.toLocaleString("en-US")}`)];
  const body = curves.flatMap(({ name, says, points }) => [
    [name, ...points.map(({ distance }) => number(distance))],
    ["  simulated", ...points.map(({ simulated }) => number(simulated))],
    ["  in posterior sds", ...points.map(({ relative }) => number(relative))],
    [`  the theorem: ${says}`, ...points.map(() => "")],
  ]);
  return `W₂ between the law of the chain and the posterior, in closed form\n\n${aligned([head, ...body]).join("\n")}\n`;
}
