import type { AutoProblem, Fitted } from "./candidates.js";
import type { Certified, CertifyJob, Judges } from "./certify.js";
import { subsetStatistics } from "./evidence.js";
import type { Specification } from "./specification.js";

/** Models that judge the outsiders: those that carry this share of the posterior, but not too many. */
const JUDGED = 0.95;
const MAX_JUDGES = 8;

/** What the data say of a variable outside the candidates. */
export interface Verdict {
  readonly pip: number;
  /** One-step estimate of its coefficient. */
  readonly effect: number;
}

/** The certificate's pass: a verdict on every usable column outside the candidates. */
export async function judgeOutsiders(
  problem: AutoProblem,
  spec: Specification,
  fitted: Fitted,
): Promise<Map<number, Verdict>> {
  const { store, team, screen, scaling } = problem;
  const { columns } = store.layout;
  const rows = store.layout.rows;
  const judges = judgesOf(problem, spec, fitted);
  const pieces = Math.min(columns, 4 * team.size);
  const yMean = spec.centred ? 0 : screen.mean[columns] + store.shift[columns];
  const jobs = Array.from({ length: pieces }, (_, i): CertifyJob => {
    const first = Math.floor((i * columns) / pieces);
    const last = Math.floor(((i + 1) * columns) / pieces);
    const diagonal = new Float64Array(last - first);
    const cross = new Float64Array(last - first);
    for (let j = first; j < last; j++) {
      const mean = spec.centred ? 0 : screen.mean[j] + store.shift[j];
      const slope = scaling.slope[j];
      const product = screen.correlation[j] * screen.sd[j] * screen.sd[columns] * (rows - 1);
      diagonal[j - first] = slope * slope * (screen.sd[j] ** 2 * (rows - 1) + rows * mean * mean);
      cross[j - first] = slope * (product + rows * mean * yMean);
    }
    return { kind: "certify", judges, first, last, diagonal, cross };
  });
  const parts: Certified[] = await team.run(jobs, problem.run("certify"));
  return collectVerdicts(problem, fitted, parts);
}

/** Verdicts by column, leaving out the candidates and constant columns. */
export function collectVerdicts(
  { screen }: AutoProblem,
  fitted: Fitted,
  parts: readonly Certified[],
): Map<number, Verdict> {
  const inside = new Set(fitted.candidates);
  const verdicts = new Map<number, Verdict>();
  for (const { first, pip, effect } of parts) {
    for (let i = 0; i < pip.length; i++) {
      const j = first + i;
      if (!inside.has(j) && screen.sd[j] > 0) verdicts.set(j, { pip: pip[i], effect: effect[i] });
    }
  }
  return verdicts;
}

/** The most probable models, on the columns that they use between them. */
export function judgesOf(
  { scaling, screen, store }: AutoProblem,
  spec: Specification,
  fitted: Fitted,
): Judges {
  const { candidates, statistics, space, weights } = fitted;
  const models = [];
  let covered = 0;
  for (const model of weights.models) {
    if (models.length > 0 && (covered >= JUDGED || models.length === MAX_JUDGES)) break;
    models.push(model);
    covered += model.probability;
  }
  const used = [...new Set(models.flatMap(({ members }) => members))].sort((a, b) => a - b);
  const at = new Map(used.map((candidate, i) => [candidate, i]));
  return {
    columns: used.map((i) => candidates[i]),
    statistics: subsetStatistics(statistics, used),
    slab: spec.slab,
    noiseVariance: spec.noiseVariance,
    scaling,
    sums: used.map((i) => {
      const j = candidates[i];
      // Completed columns are centred by the mean of what was observed.
      if (fitted.imputed) return store.layout.rows * fitted.imputed.means[i];
      return spec.centred ? 0 : store.layout.rows * (scaling.slope[j] * screen.mean[j] + scaling.offset[j]);
    }),
    models: models.map(({ members, probability }) => {
      const free = members.length - space.always.length;
      const room = free < spec.maxSize;
      return {
        members: members.map((i) => at.get(i)!),
        weight: probability / covered,
        logPriorOfAdding: room
          ? spec.prior.logModel(free + 1) - spec.prior.logModel(free)
          : Number.NEGATIVE_INFINITY,
        logPriorOfLeaving: free > 0 ? spec.prior.logModel(free - 1) - spec.prior.logModel(free) : 0,
        leaving: members.filter((i) => !space.always.includes(i)).map((i) => at.get(i)!),
      };
    }),
  };
}
