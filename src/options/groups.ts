/** Options by what they are about, in the order in which help shows them. One that is in no group is among the first. */

import { READING } from "./reading.js";

export const OPTION_GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: "What is asked",
    names: ["target", "family", "always", "exclude", "columns", "fdr", "holdout", "group", "fixed", "random"],
  },
  { title: "The data", names: ["missing", "imputations", "memory", "engine", "where", "query"] },
  { title: "How files and values are read (judged by column unless told)", names: READING },
  {
    title: "What is assumed beforehand",
    names: [
      "modelPrior",
      "priorInclusion",
      "expectedSize",
      "maxSize",
      "slab",
      "slabVariance",
      "g",
      "scalePrior",
      "priorC0",
      "priorZeta",
      "noiseVariance",
      "intercept",
      "scale",
    ],
  },
  {
    title: "The search (chosen from the data unless told)",
    names: [
      "preset",
      "chains",
      "iterations",
      "burnIn",
      "batch",
      "sampling",
      "models",
      "moves",
      "stepSize",
      "integrator",
      "temperature",
    ],
  },
  {
    title: "The run",
    names: [
      "seconds",
      "threads",
      "seed",
      "out",
      "imputedAs",
      "json",
      "quiet",
      "open",
      "explain",
      "profile",
      "help",
    ],
  },
];
