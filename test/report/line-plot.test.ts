import { expect, it } from "vitest";
import { linePlot } from "../../src/report/page/plots/line-plot.js";

const panel = {
  title: "a < b & c",
  xLabel: "x",
  yLabel: "y",
  series: [{ name: "s", x: [0, 1, 2], y: [1, 10, 100] }],
};

it("puts equal ratios at equal distances on a log scale", () => {
  const points = /points="([^"]+)"/.exec(linePlot([{ ...panel, logY: true }]))![1];
  const [a, b, c] = points.split(" ").map((point) => Number(point.split(",")[1]));
  expect(a).toBeGreaterThan(b);
  expect(a - b).toBeCloseTo(b - c, 1);
});

it("escapes what it is told to write, and draws every panel and series", () => {
  const svg = linePlot([
    panel,
    { ...panel, series: [...panel.series, { ...panel.series[0], dashed: true }] },
  ]);
  expect(svg).toContain("a &lt; b &amp; c");
  expect(svg.match(/<polyline/g)).toHaveLength(3);
  expect(svg.match(/stroke-dasharray/g)).toHaveLength(2);
});

it("survives a line that does not move", () => {
  expect(linePlot([{ ...panel, series: [{ name: "flat", x: [1], y: [5] }] }])).not.toMatch(/NaN|Infinity/);
});
