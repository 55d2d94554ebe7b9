/**
 * Every integrator on the same three posteriors, out of sample: the step size of each is chosen on data sets of its own,
 * by the kernel Stein discrepancy, and judged on others, against a reference that is as good as exact.
 * `node --import tsx bench/integrators/run.ts [data sets] [iterations]` prints the table of docs/integrators.md.
 */

import { essBulk } from "../../src/diagnostics/ess.js";
import { average } from "../../src/diagnostics/selection-error.js";
import { steinDiscrepancy } from "../../src/diagnostics/stein.js";
import { psgld } from "../../src/integrators/psgld.js";
import { sgfs } from "../../src/integrators/sgfs.js";
import { sgfsFull } from "../../src/integrators/sgfs-full.js";
import { sghmc } from "../../src/integrators/sghmc.js";
import { sgld } from "../../src/integrators/sgld.js";
import { sgnht } from "../../src/integrators/sgnht.js";
import { Rng } from "../../src/math/rng.js";
import { type AnyIntegrator, type Posterior, problems } from "./posteriors.js";
import { type Reference, reference } from "./reference.js";

const dataSets = Number(process.argv[2] ?? 8);
const iterations = Number(process.argv[3] ?? 30_000);
const TUNING = 2;
const REFERENCE_STEPS = 10_000;
/** Draws that the discrepancy is measured on, spread over the whole run after its burn-in. */
const KEPT = 500;

/** Step sizes are multiples of `unit`: u is 1 over the largest curvature, so that they mean the same in every problem. */
const integrators: readonly {
  readonly name: string;
  make(): unknown;
  unit(u: number, weight: number): number;
}[] = [
  { name: "sgld", make: () => sgld(), unit: (u) => u },
  { name: "psgld", make: () => psgld({ decay: 0.999 }), unit: (u, weight) => Math.sqrt(weight * u) },
  { name: "sghmc", make: () => sghmc({ friction: 0.1 }), unit: (u) => 0.1 * u },
  { name: "sgnht", make: () => sgnht({ friction: 0.1 }), unit: (u) => 0.1 * u },
  { name: "sgfs", make: () => sgfs({ relative: true }), unit: () => 10 },
  { name: "sgfsFull", make: () => sgfsFull({ relative: true }), unit: () => 10 },
];
const MULTIPLES = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];

interface Trial {
  readonly target: Posterior;
  readonly exact: Reference;
  readonly rng: Rng;
}

interface Judged {
  readonly cpuSeconds: number;
  readonly ess: number;
  /** Mean over coordinates of the squared error of the mean, in posterior sds. */
  readonly squaredError: number;
  /** Mean over coordinates of sd/(exact sd) − 1. */
  readonly sdExcess: number;
  readonly ksd: number;
}

/** In units of the posterior's sds, so that it does not depend on how θ is measured. */
function discrepancy(draws: readonly Float64Array[], { target, exact: { mean, sd } }: Trial): number {
  const gradients = draws.map((draw) => {
    const gradient = new Float64Array(draw.length);
    target.gradient(gradient, draw);
    return gradient.map((g, j) => g * sd[j]);
  });
  const standard = draws.map((draw) => draw.map((x, j) => (x - mean[j]) / sd[j]));
  return steinDiscrepancy(standard, gradients).total;
}

function judge(make: () => unknown, stepSize: number, trial: Trial): Judged | undefined {
  const { target, exact, rng } = trial;
  const d = exact.mean.length;
  const [sum, squares] = [new Float64Array(d), new Float64Array(d)];
  const kept: Float64Array[] = [];
  const burnIn = Math.floor(iterations / 5);
  const every = Math.floor((iterations - burnIn) / KEPT);
  const before = process.cpuUsage();
  try {
    const integrator = make() as AnyIntegrator;
    for (const { t, theta } of target.run({ integrator, stepSize, theta: exact.mode, iterations, rng })) {
      if (t <= burnIn) continue;
      for (let j = 0; j < d; j++) {
        const z = (theta[j] - exact.mean[j]) / exact.sd[j];
        sum[j] += z;
        squares[j] += z * z;
      }
      if (t % every === 0) kept.push(theta.slice());
    }
  } catch {
    return undefined; // diverged
  }
  const { user, system } = process.cpuUsage(before);
  if (!kept.every((draw) => draw.every((x) => Math.abs(x) < 1e6))) return undefined;
  const count = iterations - burnIn;
  const means = sum.map((total) => total / count);
  const sds = squares.map((total, j) => Math.sqrt(total / count - means[j] ** 2));
  const ksd = discrepancy(kept, trial);
  if (!Number.isFinite(ksd)) return undefined;
  return {
    cpuSeconds: (user + system) / 1e6,
    ess: Math.min(...means.map((_, j) => essBulk([Float64Array.from(kept, (draw) => draw[j])]) ?? 0)),
    squaredError: means.reduce((total, m) => total + m * m, 0) / d,
    sdExcess: sds.reduce((total, s) => total + s, 0) / d - 1,
    ksd,
  };
}

function shown(values: readonly number[], digits: number, unit = 1): string {
  const { mean, se = 0 } = average(values);
  return `${(unit * mean).toFixed(digits)} ± ${(unit * se).toFixed(digits)}`;
}

console.log(
  "| posterior | integrator | step size | µs per step | ESS per second | error of the mean | sd off by, % | exact draws that err as much, per second | KSD |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const [p, { name: posteriorName, make: makeData }] of problems.entries()) {
  const trials = Array.from({ length: TUNING + dataSets }, (_, k): Trial => {
    const rng = Rng.seeded(100 * (p + 1) + k);
    const target = makeData(rng.split(0));
    return { target, exact: reference(rng.split(1), target, REFERENCE_STEPS), rng: rng.split(2) };
  });
  const [tuning, judging] = [trials.slice(0, TUNING), trials.slice(TUNING)];
  const baseline = judging.map((trial) => {
    const every = REFERENCE_STEPS / KEPT;
    return discrepancy(
      trial.exact.draws.filter((_, t) => t % every === 0),
      trial,
    );
  });
  const fewest = Math.min(...trials.map(({ exact }) => exact.ess));
  console.log(
    `| ${posteriorName} | exact (${KEPT} draws; the reference has at least ${fewest.toFixed(0)}) | | | | | | | ${shown(baseline, 2)} |`,
  );
  for (const { name, make, unit } of integrators) {
    const sizeOf = (multiple: number, { target, exact }: Trial): number =>
      multiple * unit(1 / exact.stiffest, target.weight);
    const tried = MULTIPLES.flatMap((multiple) => {
      const runs = tuning.map((trial) => judge(make, sizeOf(multiple, trial), trial));
      const ksd = runs.reduce((total, run) => total + (run?.ksd ?? Number.POSITIVE_INFINITY), 0);
      return Number.isFinite(ksd) ? [{ multiple, ksd }] : [];
    }).sort((a, b) => a.ksd - b.ksd);
    const [{ multiple }] = tried;
    const runs = judging.map((trial) => judge(make, sizeOf(multiple, trial), trial));
    const sound = runs.flatMap((run) => run ?? []);
    const perSecond = sound.map(({ ess, cpuSeconds }) => ess / cpuSeconds);
    const error = average(sound.map((run) => run.squaredError));
    const seconds = average(sound.map((run) => run.cpuSeconds)).mean;
    const worth = 1 / error.mean / seconds;
    const columns = [
      `${posteriorName} | ${name}${sound.length < runs.length ? ` (${runs.length - sound.length} diverged)` : ""}`,
      average(judging.map((trial) => sizeOf(multiple, trial))).mean.toPrecision(2),
      shown(
        sound.map((run) => run.cpuSeconds),
        1,
        1e6 / iterations,
      ),
      shown(perSecond, 0),
      shown(
        sound.map((run) => Math.sqrt(run.squaredError)),
        3,
      ),
      shown(
        sound.map((run) => run.sdExcess),
        1,
        100,
      ),
      `${worth.toFixed(0)} ± ${((worth * (error.se ?? 0)) / error.mean).toFixed(0)}`,
      shown(
        sound.map((run) => run.ksd),
        2,
      ),
    ];
    console.log(`| ${columns.join(" | ")} |`);
  }
}
