/**
 * Measurements with more columns than rows: parallel tempering over all models (Geyer 1991). Chain t has the posterior
 * with its likelihood to the power β_t; a step adds, removes or exchanges a variable, the last preferably for one that
 * correlates with it, and neighbouring chains exchange models. Four runs from different starts say how far off it is.
 */

import type { Data, Problem, Truth } from "../problem.js";
import { Random } from "../random.js";
import { stored } from "./average.js";
import { standard, worked } from "./gaussian.js";
import { dot } from "./linear.js";

const LADDER = 12;
const COLDEST = 0.08;
const RUNS = 4;
const STEPS = 1_000_000;
/** Of the steps. */
const DISCARDED = 0.1;
const THINNED = 20;

interface State {
  members: number[];
  /** Log likelihood and log prior. */
  fit: number;
  prior: number;
}

/** The first place of a rising list with at least this value. */
function firstAtLeast(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function tempered(data: Data, problem: Problem, steps = STEPS): Truth {
  const known = standard(data);
  const p = known.x.length;
  const products = Float64Array.from({ length: p * p }, () => 0);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) products[a * p + b] = products[b * p + a] = dot(known.x[a], known.x[b]);
  }
  const gram = (a: number, b: number): number => products[a * p + b];
  const logOdds = Math.log(problem.priorInclusion / (1 - problem.priorInclusion));
  // As `worked`, without coefficients and without allocating: this is done millions of times.
  const most = data.y.length;
  const factor = new Float64Array(most * most);
  const z = new Float64Array(most);
  const ridge = 1 / problem.slabVariance;
  const stateOf = (members: number[]): State => {
    const k = members.length;
    let [residual, logs] = [known.yy, k * Math.log(problem.slabVariance)];
    for (let i = 0; i < k; i++) {
      const row = members[i] * p;
      for (let j = 0; j <= i; j++) {
        let sum = products[row + members[j]] + (i === j ? ridge : 0);
        for (let c = 0; c < j; c++) sum -= factor[i * most + c] * factor[j * most + c];
        factor[i * most + j] = i === j ? Math.sqrt(sum) : sum / factor[j * most + j];
      }
      let score = known.cross[members[i]];
      for (let c = 0; c < i; c++) score -= factor[i * most + c] * z[c];
      z[i] = score / factor[i * most + i];
      residual -= z[i] * z[i];
      logs += 2 * Math.log(factor[i * most + i]);
    }
    const fit = -0.5 * logs - 0.5 * (data.y.length - 1) * Math.log(residual);
    return { members, fit, prior: k * logOdds };
  };
  // For exchanges: a partner with probability in proportion to the sixth power of the correlation.
  const cumulative = Array.from({ length: p }, (_, a) => {
    let sum = 0;
    return Float64Array.from({ length: p }, (__, b) => {
      if (a !== b) sum += (gram(a, b) / (data.y.length - 1)) ** 6;
      return sum;
    });
  });
  const betas = Array.from({ length: LADDER }, (_, t) => COLDEST ** (t / (LADDER - 1)));

  function proposed(random: Random, { members }: State): { members: number[]; logRatio: number } | undefined {
    const k = members.length;
    const kind = random.uniform();
    if (kind < 0.5 || k === 0) {
      // Flip any variable: symmetric.
      const j = random.below(p);
      return {
        members: members.includes(j) ? members.filter((i) => i !== j) : [...members, j],
        // An empty model always flips, others half of the time.
        logRatio: k === 0 ? Math.log(0.5) : k === 1 && members[0] === j ? Math.log(2) : 0,
      };
    }
    const out = members[random.below(k)];
    let join = random.below(p);
    let logRatio = 0;
    if (kind < 0.85) {
      const row = cumulative[out];
      const mark = random.uniform() * row[p - 1];
      join = firstAtLeast(row, mark);
      logRatio = Math.log(row[p - 1] / cumulative[join][p - 1]);
    }
    if (members.includes(join)) return undefined;
    return { members: members.map((i) => (i === out ? join : i)), logRatio };
  }

  const runs = Array.from({ length: RUNS }, (_, run) => {
    const random = new Random(problem.seed * 100 + run);
    const states = betas.map(() => stateOf(random.some(run, p)));
    const sums = known.sd.map(() => ({ pip: 0, mean: 0, square: 0 }));
    let kept = 0;
    for (let step = 0; step < steps; step++) {
      for (let t = 0; t < LADDER; t++) {
        const proposal = proposed(random, states[t]);
        if (!proposal || proposal.members.length > data.y.length - 5) continue;
        const next = stateOf(proposal.members);
        const gain = betas[t] * (next.fit - states[t].fit) + next.prior - states[t].prior + proposal.logRatio;
        if (Math.log(random.uniform()) < gain) states[t] = next;
      }
      const t = random.below(LADDER - 1);
      const gain = (betas[t] - betas[t + 1]) * (states[t + 1].fit - states[t].fit);
      if (Math.log(random.uniform()) < gain) [states[t], states[t + 1]] = [states[t + 1], states[t]];
      if (step < DISCARDED * steps) continue;
      for (const j of states[0].members) sums[j].pip += 1;
      if (step % THINNED !== 0) continue;
      kept += 1;
      const { members, mean, variance } = worked(states[0].members, gram, known, problem);
      members.forEach((j, a) => {
        sums[j].mean += mean[a];
        sums[j].square += mean[a] ** 2 + variance[a];
      });
    }
    return sums.map(({ pip, mean, square }) => ({
      pip: pip / ((1 - DISCARDED) * steps),
      mean: mean / kept,
      square: square / kept,
    }));
  });
  const average = (f: (run: (typeof runs)[0]) => number) => runs.reduce((sum, run) => sum + f(run), 0) / RUNS;
  let error = 0;
  const variables = known.sd.map((_, j) => {
    const pip = average((run) => run[j].pip);
    const spread = Math.sqrt(average((run) => (run[j].pip - pip) ** 2) / (RUNS - 1));
    error = Math.max(error, spread);
    const mean = average((run) => run[j].mean);
    return { pip, mean, variance: average((run) => run[j].square) - mean * mean };
  });
  return stored(variables, known.sd, error);
}
