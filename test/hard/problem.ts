/** What a hard problem is. Its truth depends on the prior, so the prior is stated and not left to what is usual. */

export type FamilyName = "gaussian" | "binomial" | "poisson";

export interface Data {
  /** Rounded to single precision, as they are kept. */
  readonly columns: readonly Float64Array[];
  readonly y: Float64Array;
}

/** How the truth is worked out (test/hard/truth). */
export type Method =
  /** Every model in closed form. */
  | { readonly kind: "enumeration" }
  /** Every model by importance sampling until its integral is known. */
  | { readonly kind: "integration" }
  /** The models around a core that carries nearly everything, in closed form; up to so many more variables. */
  | { readonly kind: "neighbourhood"; readonly core: readonly number[]; readonly depth: 1 | 2 }
  /** Parallel tempering over all columns. */
  | { readonly kind: "tempering" };

export interface Problem {
  readonly name: string;
  readonly family: FamilyName;
  readonly seed: number;
  /** 1 is part of the tests; 2 is larger and run by bench/hard.ts. */
  readonly tier: 1 | 2;
  readonly make: () => Data;
  readonly method: Method;
  /** λ and v in units of a standard deviation, times σ² where that is: stated to `fit` and to the truth alike. */
  readonly priorInclusion: number;
  readonly slabVariance: number;
  /** The data are not as the family says, and the verdict has to name it. */
  readonly mustSay?: RegExp;
}

/** What is stored: of the variables that matter, by column; no other has a larger probability than `others`. */
export interface Truth {
  readonly variables: Readonly<Record<string, readonly [pip: number, mean: number, sd: number]>>;
  readonly others: number;
  /** How far a probability may be off, by repetition; 0 for closed forms. */
  readonly error: number;
}

/** The options that state the prior in full. */
export function statedOptions({ family, priorInclusion, slabVariance }: Problem) {
  return {
    target: "y",
    family,
    modelPrior: "inclusion",
    priorInclusion,
    slab: "independent",
    slabVariance,
    ...(family === "gaussian" && { noiseVariance: "unknown" as const }),
    scale: "standard",
    intercept: "always",
    threads: 1,
    seed: 1,
  } as const;
}
