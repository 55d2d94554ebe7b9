/** Lines over a common axis as an SVG file that needs nothing else. Pure. */

export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly dashed?: boolean;
  /** Series with the same number share a colour; its own unless told. */
  readonly colour?: number;
}

export interface Panel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly series: readonly Series[];
}

const WIDTH = 660;
const HEIGHT = 360;
const MARGIN = { left: 68, right: 200, top: 34, bottom: 48 };
const COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#444444"];

/** Panels side by side. */
export function linePlot(panels: readonly Panel[]): string {
  const body = panels.map((panel, i) => `<g transform="translate(${i * WIDTH} 0)">${drawn(panel)}</g>`);
  const width = WIDTH * panels.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${HEIGHT}" fill="white"/>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ title, xLabel, yLabel, logX = false, logY = false, series }: Panel): string {
  const x = axis(
    series.flatMap((s) => Array.from(s.x)),
    logX,
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = axis(
    series.flatMap((s) => Array.from(s.y)),
    logY,
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const bottom = HEIGHT - MARGIN.bottom;
  const parts = [
    `<text x="${MARGIN.left}" y="18" font-weight="bold">${escaped(title)}</text>`,
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text transform="translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>`,
    `<path d="M${MARGIN.left} ${MARGIN.top}V${bottom}H${WIDTH - MARGIN.right}" fill="none" stroke="#888"/>`,
    ...x.ticks.map(
      (t) =>
        `<path d="M${px(x.at(t))} ${bottom}v4" stroke="#888"/><text x="${px(x.at(t))}" y="${bottom + 17}" text-anchor="middle">${label(t)}</text>`,
    ),
    ...y.ticks.map(
      (t) =>
        `<path d="M${MARGIN.left} ${px(y.at(t))}h-4" stroke="#888"/><text x="${MARGIN.left - 7}" y="${px(y.at(t) + 4)}" text-anchor="end">${label(t)}</text>`,
    ),
  ];
  for (const [i, s] of series.entries()) {
    const style = `stroke="${COLOURS[(s.colour ?? i) % COLOURS.length]}"${s.dashed ? ' stroke-dasharray="5 3"' : ""}`;
    const points = Array.from(s.x, (value, j) => `${px(x.at(value))},${px(y.at(s.y[j]))}`);
    parts.push(`<polyline points="${points.join(" ")}" fill="none" stroke-width="1.4" ${style}/>`);
    const top = MARGIN.top + 8 + 16 * i;
    parts.push(`<path d="M${WIDTH - MARGIN.right + 12} ${top}h22" stroke-width="2" ${style}/>`);
    parts.push(`<text x="${WIDTH - MARGIN.right + 40}" y="${top + 4}">${escaped(s.name)}</text>`);
  }
  return parts.join("\n");
}

interface Axis {
  at(value: number): number;
  readonly ticks: readonly number[];
}

function axis(values: readonly number[], log: boolean, from: number, to: number): Axis {
  const usable = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  const scale = (value: number): number => (log ? Math.log10(value) : value);
  let low = scale(usable.reduce((a, b) => Math.min(a, b), Infinity));
  let high = scale(usable.reduce((a, b) => Math.max(a, b), -Infinity));
  if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
  const pad = 0.03 * (high - low);
  const at = (value: number): number =>
    from + ((scale(value) - low + pad) / (high - low + 2 * pad)) * (to - from);
  const step = log ? Math.max(1, Math.ceil((high - low) / 6)) : niceStep((high - low) / 5);
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9; k++)
    ticks.push(log ? 10 ** (k * step) : k * step);
  return { at, ticks };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}

const px = (value: number): string => String(Math.round(100 * value) / 100);
const label = (value: number): string => {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e4 || size < 1e-3)
    ? value.toExponential(0).replace("+", "")
    : String(Number(value.toPrecision(6)));
};
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
