import { SparrowError } from "../../errors.js";
import { type IntegratorName, integratorNames } from "../../integrators/named.js";
import { type ForFiles, run } from "../../node.js";
import type { FitOptions } from "../../options/fit.js";
import { resultText } from "../../report/text/result.js";
import type { StepSizes } from "../../sampling/schedule.js";
import { type Arguments, type Command, type Option, present } from "../command.js";
import { progressBar } from "../progress.js";
import { runFiles } from "../run-files.js";
import { checkRunFolder, saveRun } from "../run-folder.js";

/** Options that decide how a model is fitted; `compare` and `reproduce` share some of them. */
const options: Record<string, Option> = {
  target: { kind: "text", value: "COLUMN", help: "the column to explain" },
  family: {
    kind: "choice",
    choices: ["auto", "gaussian", "binomial", "poisson"],
    help: "the kind of target",
  },
  preset: { kind: "choice", choices: ["auto", "paper"], help: "auto, or the settings of Song et al. (2020)" },
  chains: { kind: "integer", value: "K", help: "independent chains" },
  iterations: { kind: "integer", value: "T", help: "iterations of each chain" },
  "burn-in": { kind: "integer", value: "B", help: "iterations to discard at the start" },
  batch: { kind: "integer", value: "n", help: "rows in a mini-batch" },
  models: { kind: "integer", value: "m", help: "models drawn per iteration" },
  moves: { kind: "integer", value: "k", help: "reversible-jump moves per model" },
  "step-size": {
    kind: "text",
    value: "ε",
    help: "step of the dynamics; polynomial:a,b,κ for a(b + t)^−κ, cyclical:a,length for cycles",
  },
  integrator: { kind: "choice", choices: [...integratorNames], help: "the dynamics of the coefficients" },
  temperature: { kind: "number", value: "τ", help: "1 targets the posterior, 0 switches the noise off" },
  "model-prior": {
    kind: "choice",
    choices: ["inclusion", "beta-binomial", "uniform"],
    help: "prior over models",
  },
  "prior-inclusion": { kind: "number", value: "λ", help: "prior probability that a variable is in" },
  "expected-size": { kind: "number", value: "k", help: "instead: how many variables are expected to be in" },
  slab: {
    kind: "choice",
    choices: ["independent", "zellner"],
    help: "prior of the coefficients that are in",
  },
  "slab-variance": { kind: "number", value: "v", help: "prior variance of a coefficient that is in" },
  g: { kind: "number", value: "G", help: "g of the zellner slab; the number of rows unless told" },
  "prior-c0": { kind: "number", value: "C0", help: "C0 of the paper's prior for classes and counts (10)" },
  "prior-zeta": { kind: "number", value: "ζ", help: "ζ of the paper's prior for classes and counts (0.5)" },
  "noise-variance": { kind: "text", value: "s2|unknown", help: "residual variance, if it is known" },
  "max-size": { kind: "integer", value: "q", help: "largest number of variables in a model" },
  fdr: { kind: "number", value: "rate", help: "Bayesian false-discovery rate of the wider selection (0.05)" },
  scale: { kind: "choice", choices: ["standard", "none"], help: "whether columns are standardised inside" },
  intercept: { kind: "choice", choices: ["always", "select", "none"], help: "how the intercept is treated" },
  always: { kind: "list", value: "COLUMN,...", help: "columns that are in every model" },
  exclude: { kind: "list", value: "COLUMN,...", help: "columns to leave out" },
  columns: { kind: "list", value: "COLUMN,...", help: "columns to consider; * and ? stand for any text" },
  missing: {
    kind: "choice",
    choices: ["impute", "drop", "mean", "error"],
    help: "missing values: draw them along with the model (unless told), leave rows out, use the mean, or refuse",
  },
  memory: { kind: "text", value: "SIZE", help: "memory for the data, like 2GB; larger data stay on disk" },
  threads: { kind: "integer", value: "K", help: "threads to use; the answer does not depend on it" },
  seconds: {
    kind: "number",
    value: "S",
    help: "time for everything after reading; the answer is the best found by then",
  },
  holdout: { kind: "number", value: "SHARE", help: "share of the rows to score predictions on, such as 0.2" },
  seed: {
    kind: "integer",
    value: "s",
    help: "seed of the random numbers; the same seed gives the same answer",
  },
  out: { kind: "text", value: "DIR", help: "folder to write the run to" },
  json: { kind: "flag", help: "print one JSON object instead of the table" },
  quiet: { kind: "flag", help: "no progress" },
};

export const fitCommand: Command = {
  name: "fit",
  summary: "Which columns of a table explain the target, how much, and how sure that is.",
  positionals: ["DATA"],
  options,
  examples: [
    "sparrow fit examples/crime.csv --target y",
    "sparrow fit data.parquet --target y --exclude id,date --out run1",
    "sparrow fit data.csv --target y --preset paper --moves 5 --json",
  ],
  async run(args, effects) {
    const out = args.text("out");
    if (out !== undefined) checkRunFolder(out);
    const bar = progressBar(effects, args.flag("quiet"));
    const asked = fitOptions(args);
    const fitted = await run(args.positionals[0], {
      ...asked,
      signal: effects.signal,
      onProgress: (progress) => bar.show(progress),
    }).finally(() => bar.done());
    if (out !== undefined) {
      const { target } = fitted.result;
      await saveRun(out, runFiles(fitted, { ...asked, target }));
    }
    const { result } = fitted;
    effects.out(args.flag("json") ? `${JSON.stringify(result, null, 2)}\n` : resultText(result));
    if (out !== undefined && !args.flag("quiet")) {
      effects.err(`Written to ${out}; sparrow report ${out} makes a page of it\n`);
    }
  },
};

/** A number, or the name of a schedule, a colon and its numbers. */
function stepSizes(args: Arguments): StepSizes | undefined {
  const given = args.text("step-size");
  const [, name, list] = /^\s*(polynomial|cyclical):(.*)$/.exec(given ?? "") ?? [];
  if (name === undefined) return args.number("step-size");
  const numbers = list.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [a, second, third] = numbers;
  const counts = name === "polynomial" ? [3] : [2, 3];
  if (!counts.includes(numbers.length) || !numbers.every(Number.isFinite)) {
    const wanted = name === "polynomial" ? "a,b,κ" : "a,length or cyclical:a,length,exploration";
    throw new SparrowError(`--step-size must be a number or ${name}:${wanted}, not "${given}".`, "option");
  }
  if (name === "polynomial") return { a, b: second, kappa: third };
  return { a, length: second, ...(third !== undefined && { exploration: third }) };
}

function fitOptions(args: Arguments): ForFiles<FitOptions> {
  const noise = args.text("noise-variance");
  const given = {
    family: args.choice<"auto">("family"),
    preset: args.choice<"auto" | "paper">("preset"),
    chains: args.number("chains"),
    iterations: args.number("iterations"),
    burnIn: args.number("burn-in"),
    batch: args.number("batch"),
    models: args.number("models"),
    moves: args.number("moves"),
    stepSize: stepSizes(args),
    integrator: args.choice<IntegratorName>("integrator"),
    temperature: args.number("temperature"),
    priorInclusion: args.number("prior-inclusion"),
    modelPrior: args.choice<"inclusion">("model-prior"),
    expectedSize: args.number("expected-size"),
    slab: args.choice<"independent" | "zellner">("slab"),
    slabVariance: args.number("slab-variance"),
    priorC0: args.number("prior-c0"),
    priorZeta: args.number("prior-zeta"),
    g: args.number("g"),
    fdr: args.number("fdr"),
    scale: args.choice<"standard" | "none">("scale"),
    noiseVariance: noise === "unknown" ? noise : args.number("noise-variance"),
    maxSize: args.number("max-size"),
    intercept: args.choice<"always" | "select" | "none">("intercept"),
    always: args.list("always"),
    exclude: args.list("exclude"),
    columns: args.list("columns"),
    missing: args.choice<"error" | "drop" | "mean" | "impute">("missing"),
    memory: args.bytes("memory"),
    threads: args.number("threads"),
    seconds: args.number("seconds"),
    holdout: args.number("holdout"),
    seed: args.number("seed"),
  };
  return present({ ...given, target: args.text("target") }) as ForFiles<FitOptions>;
}
