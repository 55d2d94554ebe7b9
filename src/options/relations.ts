/**
 * What options must be to each other, each said once for the library and the command line. An option that would change
 * nothing beside another is a misunderstanding: better said than ignored.
 */

import { option } from "../wording.js";
import { FAMILIES_WITHOUT_NOISE } from "./choices.js";
import type { Given } from "./option.js";
import type { options } from "./table.js";

export interface Relation<T> {
  /** For the documentation. */
  readonly rule: string;
  /** A sentence where the rule is broken. */
  broken(asked: T): string | undefined;
}

type Asked = Given<typeof options>;

const PAPER = option("preset", "paper");

/** `name` changes nothing where `idle` holds beside it. */
const idle = (name: string, other: string): string =>
  `${name} has no meaning with ${other}; leave one of them out.`;

export const burnInLeavesSome: Relation<Pick<Asked, "burnIn" | "iterations">> = {
  rule: `${option("burnIn")} is smaller than ${option("iterations")}`,
  broken: ({ burnIn, iterations }) =>
    burnIn === undefined || iterations === undefined || burnIn < iterations
      ? undefined
      : `${option("burnIn", burnIn)} leaves nothing of ${option("iterations", iterations)}; make it smaller.`,
};

const inclusionOfItsPrior: Relation<Asked> = {
  rule: `${option("priorInclusion")} goes with ${option("modelPrior", "inclusion")}`,
  broken: ({ priorInclusion, modelPrior = "inclusion" }) =>
    priorInclusion !== undefined && modelPrior !== "inclusion"
      ? idle(option("priorInclusion"), option("modelPrior", modelPrior))
      : undefined,
};

const sizeOfItsPrior: Relation<Asked> = {
  rule: `${option("expectedSize")} does not go with ${option("modelPrior", "uniform")}`,
  broken: ({ expectedSize, modelPrior }) =>
    expectedSize !== undefined && modelPrior === "uniform"
      ? idle(option("expectedSize"), option("modelPrior", modelPrior))
      : undefined,
};

const inclusionOrSize: Relation<Asked> = {
  rule: `either ${option("priorInclusion")} or ${option("expectedSize")}`,
  broken: ({ priorInclusion, expectedSize }) =>
    priorInclusion !== undefined && expectedSize !== undefined
      ? `${option("priorInclusion")} and ${option("expectedSize")} say the same thing twice; give one of them.`
      : undefined,
};

const gOfZellner: Relation<Asked> = {
  rule: `${option("g")} goes with ${option("slab", "zellner")}`,
  broken: ({ g, slab }) =>
    g !== undefined && slab !== "zellner"
      ? `${option("g")} is of the zellner prior: add ${option("slab", "zellner")}.`
      : undefined,
};

const varianceOfIndependent: Relation<Asked> = {
  rule: `${option("slabVariance")} does not go with ${option("slab", "zellner")}`,
  broken: ({ slabVariance, slab }) =>
    slabVariance !== undefined && slab === "zellner"
      ? `${option("slabVariance")} has no meaning with ${option("slab", slab)}; give ${option("g")} instead.`
      : undefined,
};

const priorOfLearnedScale: Relation<Asked> = {
  rule: `${option("scalePrior")} does not go with ${option("slabVariance")} or ${option("g")}`,
  broken: ({ scalePrior, slabVariance, g }) => {
    const given = slabVariance === undefined ? g !== undefined && option("g") : option("slabVariance");
    return scalePrior !== undefined && scalePrior !== "fixed" && given
      ? idle(option("scalePrior"), given)
      : undefined;
  },
};

const noiseOfItsFamily: Relation<Asked> = {
  rule: `${option("noiseVariance")} does not go with a ${option("family")} without noise (${FAMILIES_WITHOUT_NOISE.join(", ")})`,
  broken: ({ noiseVariance, family }) =>
    typeof noiseVariance === "number" && family !== undefined && FAMILIES_WITHOUT_NOISE.includes(family)
      ? `${option("noiseVariance")} has no meaning with ${option("family", family)}; leave it out.`
      : undefined,
};

const selectedInterceptOfPaper: Relation<Asked> = {
  rule: `${option("intercept", "select")} goes with ${PAPER}`,
  broken: ({ intercept, preset }) =>
    intercept === "select" && preset !== "paper"
      ? `${option("intercept", intercept)} is of the paper's settings: add ${PAPER}, or let it be always in or out (always, none).`
      : undefined,
};

const priorOfPaper: Relation<Asked> = {
  rule: `${option("priorC0")} and ${option("priorZeta")} go with ${PAPER}`,
  broken: ({ preset, priorC0, priorZeta }) => {
    if (preset === "paper" || (priorC0 === undefined && priorZeta === undefined)) return undefined;
    const given = option(priorC0 === undefined ? "priorZeta" : "priorC0");
    return `${given} is of the paper's settings: add ${PAPER}.`;
  },
};

const idleWithPaper: Relation<Asked> = {
  rule: `${option("slab", "zellner")}, ${option("scalePrior")}, ${option("modelPrior")} other than inclusion, ${option("expectedSize")}, ${option("fdr")} and ${option("scale", "standard")} do not go with ${PAPER}`,
  broken: ({ preset, slab, scalePrior, modelPrior = "inclusion", expectedSize, fdr, scale }) => {
    if (preset !== "paper") return undefined;
    const given = [
      slab === "zellner" && option("slab", slab),
      scalePrior !== undefined && option("scalePrior"),
      modelPrior !== "inclusion" && option("modelPrior", modelPrior),
      expectedSize !== undefined && option("expectedSize"),
      fdr !== undefined && option("fdr"),
      scale === "standard" && option("scale", scale),
    ].find((each) => each !== false);
    return given && idle(given, PAPER);
  },
};

export const fitRelations: readonly Relation<Asked>[] = [
  burnInLeavesSome,
  inclusionOfItsPrior,
  sizeOfItsPrior,
  inclusionOrSize,
  gOfZellner,
  varianceOfIndependent,
  priorOfLearnedScale,
  noiseOfItsFamily,
  selectedInterceptOfPaper,
  priorOfPaper,
  idleWithPaper,
];
