/**
 * Posteriors of two of lme4's examples by quadrature, with the priors of `mixed` and nothing of its code: random effects
 * integrated out by sums over a grid, fixed effects and standard deviations by Gauss–Hermite around the mode. Stores
 * posterior means and standard deviations of β and of log τ, and the mode of β and τ, which with priors that are nearly
 * flat is where maximum likelihood would be. Takes some minutes; from the root of the project:
 *
 *     node --import tsx test/reference/glmm-posterior.ts
 */

import { readFileSync, writeFileSync } from "node:fs";

const examples = JSON.parse(readFileSync(new URL("./mixed.json", import.meta.url), "utf8"));

/** x = (β, log τ_1, …). */
type LogDensity = (x: readonly number[]) => number;

interface Problem {
  /** Columns without that of ones. */
  readonly columns: readonly (readonly number[])[];
  readonly names: readonly string[];
  readonly spreads: number;
  /** Of every τ: Σ of the null model's information over the rows of each level. */
  readonly information: readonly (readonly number[])[];
  /** log p(y | η without the effects, τ). */
  readonly logLikelihood: (eta: readonly number[], tau: readonly number[]) => number;
  readonly start: readonly number[];
  readonly nodes: number;
}

/** Centres z and weights of a sum over −6 … 6 for an integral with the standard normal density. */
function grid(step: number): { z: number[]; log: number[] } {
  const z = Array.from({ length: 2 * Math.ceil(6 / step) + 1 }, (_, i) => (i - Math.ceil(6 / step)) * step);
  return { z, log: z.map((at) => -0.5 * at * at - 0.5 * Math.log(2 * Math.PI) + Math.log(step)) };
}

const logSum = (logs: readonly number[]): number => {
  const top = Math.max(...logs);
  return top + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - top), 0));
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Rows by the value that they have in common. */
function byValue(values: readonly (string | number)[]): number[][] {
  const found = new Map<string | number, number[]>();
  for (const [i, value] of values.entries()) found.set(value, [...(found.get(value) ?? []), i]);
  return [...found.values()];
}

const indicators = (values: readonly (string | number)[], levels: readonly string[]): number[][] =>
  levels.map((level) => values.map((value) => Number(String(value) === level)));

function cbpp(): Problem {
  const { herd, incidence, size, period } = examples.cbpp.rows;
  const herds = byValue(herd);
  const share = sumOf(incidence) / sumOf(size);
  const { z, log } = grid(0.2);
  return {
    names: ["period=2", "period=3", "period=4"],
    columns: indicators(period, ["2", "3", "4"]),
    spreads: 1,
    information: [herds.map((rows) => sumOf(rows.map((i) => size[i])) * share * (1 - share))],
    start: [-1.4, -1, -1.1, -1.6, Math.log(0.65)],
    nodes: 9,
    logLikelihood: (eta, [tau]) =>
      herds.reduce((sum, rows) => {
        const logs = z.map((at, k) =>
          rows.reduce((own, i) => {
            const value = eta[i] + tau * at;
            return own + incidence[i] * value - size[i] * Math.log1p(Math.exp(value));
          }, log[k]),
        );
        return sum + logSum(logs);
      }, 0),
  };
}

/** A brood sees its rows by Σy and Σe^η alone. */
function grouseticks(): Problem {
  const { TICKS, YEAR, cHEIGHT, BROOD, LOCATION } = examples.grouseticks.rows;
  const places = byValue(LOCATION).map((rows) =>
    byValue(rows.map((i) => BROOD[i])).map((own) => own.map((at) => rows[at])),
  );
  const [outer, inner] = [grid(0.3), grid(0.15)];
  const mean = sumOf(TICKS) / TICKS.length;
  return {
    names: ["YEAR=95", "YEAR=97", "cHEIGHT"],
    columns: [...indicators(YEAR, ["95", "97"]), cHEIGHT],
    spreads: 2,
    information: [BROOD, LOCATION].map((values) => byValue(values).map((rows) => mean * rows.length)),
    start: [1.5, -1, -2, -0.02, Math.log(0.9), Math.log(0.5)],
    nodes: 5,
    logLikelihood(eta, [ofBrood, ofPlace]) {
      const [one, other] = [
        inner.z.map((at) => Math.exp(ofBrood * at)),
        outer.z.map((at) => Math.exp(ofPlace * at)),
      ];
      let sum = 0;
      for (const broods of places) {
        const logs = outer.log.slice();
        for (const rows of broods) {
          const count = rows.reduce((total, i) => total + TICKS[i], 0);
          const mean = rows.reduce((total, i) => total + Math.exp(eta[i]), 0);
          for (let u = 0; u < logs.length; u++) {
            let [top, total] = [Number.NEGATIVE_INFINITY, 0];
            for (let v = 0; v < one.length; v++) {
              const value = inner.log[v] + count * ofBrood * inner.z[v] - mean * other[u] * one[v];
              if (value > top) [total, top] = [total * Math.exp(top - value) + 1, value];
              else if (value > top - 40) total += Math.exp(value - top);
            }
            logs[u] += top + Math.log(total) + count * ofPlace * outer.z[u];
          }
          for (const i of rows) sum += TICKS[i] * eta[i];
        }
        sum += logSum(logs);
      }
      return sum;
    },
  };
}

/** In or out, of x = τ/u, for N levels. */
const inOrOut = (x: number, levels: number): number =>
  x ** 3 / ((x ** 2 + 0.5) * (1 + Math.sqrt(2 / levels) * x ** 2)) +
  0.35 * Math.sqrt(2 / Math.PI) * 10 * Math.exp(-50 * x ** 2);

/** β ~ N(0, 10²) of standard columns, the intercept at their means; τ in or out, times half-t with 2 degrees and scale 7.5. */
function posterior({ columns, spreads, information, logLikelihood }: Problem): LogDensity {
  const units = information.map((levels) => (2 / sumOf(levels.map((each) => each ** 2))) ** 0.25);
  const rows = columns[0].length;
  const moments = columns.map((column) => {
    const mean = column.reduce((sum, x) => sum + x, 0) / rows;
    return { mean, sd: Math.sqrt(column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / rows) };
  });
  return (x) => {
    const beta = x.slice(0, columns.length + 1);
    const tau = x.slice(-spreads).map(Math.exp);
    const eta = Array.from({ length: rows }, (_, i) =>
      columns.reduce((sum, column, j) => sum + column[i] * beta[j + 1], beta[0]),
    );
    const centre = moments.reduce((sum, { mean }, j) => sum + mean * beta[j + 1], beta[0]);
    const square = moments.reduce((sum, { sd }, j) => sum + (sd * beta[j + 1]) ** 2, centre ** 2);
    const ofSpreads = sumOf(
      tau.map(
        (t, k) =>
          Math.log(t) -
          1.5 * Math.log1p((t / 7.5) ** 2 / 2) +
          Math.log(inOrOut(t / units[k], information[k].length)),
      ),
    );
    return logLikelihood(eta, tau) - square / 200 + ofSpreads;
  };
}

/** The mode and the lower factor of the covariance that the curvature there stands for. */
function modeOf(density: LogDensity, start: readonly number[]): { mode: number[]; factor: number[][] } {
  let mode = [...start];
  const n = start.length;
  for (let step = 0; ; step++) {
    const h = 1e-3;
    const at = (...moves: [number, number][]): number => {
      const x = [...mode];
      for (const [j, by] of moves) x[j] += by;
      return density(x);
    };
    const here = density(mode);
    const slope = mode.map((_, j) => (at([j, h]) - at([j, -h])) / (2 * h));
    const bend = mode.map((_, j) =>
      mode.map((__, k) =>
        j === k
          ? (2 * here - at([j, h]) - at([j, -h])) / (h * h)
          : -(at([j, h], [k, h]) - at([j, h], [k, -h]) - at([j, -h], [k, h]) + at([j, -h], [k, -h])) /
            (4 * h * h),
      ),
    );
    const covariance = inverse(bend);
    const move = covariance.map((row) => row.reduce((sum, value, k) => sum + value * slope[k], 0));
    let share = 1;
    while (density(mode.map((value, j) => value + share * move[j])) < here - 1e-9) share /= 2;
    mode = mode.map((value, j) => value + share * move[j]);
    if (step > 3 && Math.max(...move.map(Math.abs)) < 1e-5) return { mode, factor: factorOf(covariance, n) };
  }
}

function inverse(a: readonly (readonly number[])[]): number[][] {
  const n = a.length;
  const rows = a.map((row, j) => [...row, ...row.map((_, k) => Number(j === k))]);
  for (let j = 0; j < n; j++) {
    const pivot = rows[j][j];
    rows[j] = rows[j].map((value) => value / pivot);
    for (let k = 0; k < n; k++) {
      if (k === j) continue;
      const times = rows[k][j];
      rows[k] = rows[k].map((value, at) => value - times * rows[j][at]);
    }
  }
  return rows.map((row) => row.slice(n));
}

function factorOf(a: readonly (readonly number[])[], n: number): number[][] {
  const l = a.map((row) => row.map(() => 0));
  for (let j = 0; j < n; j++) {
    for (let k = 0; k <= j; k++) {
      const sum = l[j].slice(0, k).reduce((rest, value, i) => rest - value * l[k][i], a[j][k]);
      l[j][k] = j === k ? Math.sqrt(sum) : sum / l[k][k];
    }
  }
  return l;
}

/** Nodes and weights for the standard normal density, by Newton on the Hermite polynomials that are orthogonal to it. */
function hermite(n: number): { z: number; weight: number }[] {
  const at = (x: number): [number, number] => {
    let [before, now] = [0, 1];
    for (let k = 0; k < n; k++) [before, now] = [now, (x * now - Math.sqrt(k) * before) / Math.sqrt(k + 1)];
    return [now, before];
  };
  const out: { z: number; weight: number }[] = [];
  // A root between every two points where the sign changes.
  for (let left = -2 * Math.sqrt(n); out.length < n; left += 0.01) {
    if (at(left)[0] * at(left + 0.01)[0] > 0) continue;
    let z = left + 0.005;
    for (let step = 0; step < 50; step++) z -= at(z)[0] / (Math.sqrt(n) * at(z)[1]);
    out.push({ z, weight: 1 / (n * at(z)[1] ** 2) });
  }
  return out;
}

function momentsOf(density: LogDensity, { mode, factor }: ReturnType<typeof modeOf>, nodes: number) {
  const rule = hermite(nodes);
  const n = mode.length;
  const top = density(mode);
  const place = new Array<number>(n).fill(0);
  const first = new Array<number>(n).fill(0);
  const second = new Array<number>(n).fill(0);
  let total = 0;
  for (let point = 0; point < nodes ** n; point++) {
    for (let j = 0, rest = point; j < n; j++, rest = Math.floor(rest / nodes)) place[j] = rest % nodes;
    const z = place.map((at) => rule[at].z);
    const weight = place.reduce((product, at) => product * rule[at].weight, 1);
    // So little that no density makes up for it.
    if (weight < 1e-10) continue;
    const x = mode.map((value, j) => value + factor[j].reduce((sum, l, k) => sum + l * z[k], 0));
    const mass = weight * Math.exp(density(x) - top + 0.5 * z.reduce((sum, at) => sum + at * at, 0));
    total += mass;
    for (let j = 0; j < n; j++) {
      first[j] += mass * x[j];
      second[j] += mass * x[j] * x[j];
    }
  }
  const mean = first.map((sum) => sum / total);
  return { mean, sd: second.map((sum, j) => Math.sqrt(sum / total - mean[j] ** 2)) };
}

const out: Record<string, object> = {};
for (const [name, problem] of Object.entries({ cbpp: cbpp(), grouseticks: grouseticks() })) {
  const density = posterior(problem);
  const around = modeOf(density, problem.start);
  // In τ and not in its logarithm: without the Jacobian.
  const plain: LogDensity = (x) =>
    density(x) - x.slice(-problem.spreads).reduce((sum, value) => sum + value, 0);
  const { mode } = modeOf(plain, around.mode);
  for (const nodes of [problem.nodes - 2, problem.nodes]) {
    const { mean, sd } = momentsOf(density, around, nodes);
    console.log(name, nodes, mean, sd);
    const names = [
      "(intercept)",
      ...problem.names,
      ...mode.slice(-problem.spreads).map((_, t) => `log sd ${t + 1}`),
    ];
    out[name] = Object.fromEntries(names.map((own, j) => [own, { mean: mean[j], sd: sd[j], mode: mode[j] }]));
  }
}
writeFileSync(
  new URL("./glmm-posterior.json", import.meta.url),
  `${JSON.stringify(out, (_, v) => (typeof v === "number" ? Number(v.toPrecision(6)) : v), 2)}\n`,
);
