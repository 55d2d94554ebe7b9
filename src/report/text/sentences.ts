/** What a result says, in sentences. The text and the page share them; names are left as they are in the data. */

import { familyNamed } from "../../families/register.js";
import type { CertifiedGroups, FitResult, OtherPrior } from "../../selection/answer/result.js";
import { count, effect, list, probability, smallProbability, whole } from "./numbers.js";

export type Result = Omit<FitResult, "timing">;

/** How far a number can be relied on. The sentence goes on after the kind and a colon. */
export interface Exactness {
  /** In a word. */
  readonly kind: "exact" | "estimated" | "approximate";
  /** What that rests on. */
  readonly sentence: string;
}

/** The answer to the question that was asked. */
export function conclusion(result: Result, most = 8): string {
  const selected = selectedOnce(result);
  const of = `${whole(selected.length)} of ${count(result.columns, "variable")}`;
  if (selected.length === 0) {
    const strongest = result.variables[0];
    const nearest = strongest
      ? `; the strongest, ${strongest.name}, is in the model with probability ${probability(strongest.pip)}`
      : "";
    return `No variable is selected for ${result.target}${nearest}.${shared(result)}`;
  }
  const verb = selected.length === 1 ? "is" : "are";
  return `${of} ${verb} selected for ${result.target}: ${list(selected, most)}.${shared(result)}`;
}

/** Names of what is selected; of variables that are copies of each other one, with the others behind it. */
export function selectedOnce({ variables, copies = [] }: Result): string[] {
  const selected = variables.filter((variable) => variable.selected).map(({ name }) => name);
  const original = new Map(copies.map(({ name, of }) => [name, of]));
  const rootOf = (name: string): string => {
    const of = original.get(name);
    return of === undefined ? name : rootOf(of);
  };
  const groups = new Map<string, string[]>();
  for (const name of selected) {
    const root = rootOf(name);
    groups.set(root, [...(groups.get(root) ?? []), name]);
  }
  return Array.from(groups, ([root, names]) => {
    const first = names.includes(root) ? root : names[0];
    const others = names.filter((name) => name !== first);
    if (others.length === 0) return first;
    return `${first} (or its ${others.length === 1 ? "copy" : "copies"} ${list(others, 4)})`;
  });
}

/** Effects that are spread over substitutes, none of which is selected. */
function shared({ credibleSets = [], variables }: Result): string {
  const selected = new Set(variables.filter((variable) => variable.selected).map(({ name }) => name));
  return credibleSets
    .filter((set) => !set.variables.some((name) => selected.has(name)))
    .map(({ variables: members, probability: own, group }) => {
      const { count: many, probability: p } = group ?? { count: members.length, probability: own };
      return ` Of ${whole(many)} correlated variables that share an effect, ${members[0]} and others, at least one belongs with probability ${probability(p)}.`;
    })
    .join("");
}

/** A result of any model. */
interface Judged {
  readonly verdict?: string;
  readonly diagnostics: { readonly warnings: readonly string[] };
}

/** Whether the numbers can be trusted, and anything else the run has to say; each sentence once. */
export function judgement({ verdict, diagnostics }: Judged): { verdict: string; notes: string[] } {
  const opening = verdict ?? (diagnostics.warnings.length === 0 ? "" : "Read the warnings below.");
  return { verdict: opening, notes: diagnostics.warnings.filter((warning) => !opening.includes(warning)) };
}

/** What was done to the data on the way in. */
export function dataNotes(result: Result): string[] {
  return "notes" in result && Array.isArray(result.notes) ? result.notes.map(String) : [];
}

export function certificateSentence({ certificate, columns }: Result): string | undefined {
  if (!certificate) return undefined;
  const { complete, candidates, largestOutside } = certificate;
  const others = columns - candidates;
  if (!largestOutside) {
    return complete
      ? columns === 1
        ? "The only variable took part in the comparison of models."
        : `All ${count(columns, "variable")} took part in the comparison of models; none was left out.`
      : `Only ${whole(candidates)} of ${count(columns, "variable")} were compared, and the rest were not checked.`;
  }
  const named = `${largestOutside.name} with ${smallProbability(largestOutside.pip)}`;
  const { massOutside, massOutsideError = 0 } = certificate;
  const error = massOutsideError >= 0.0005 ? ` ± ${smallProbability(massOutsideError)}` : "";
  return complete
    ? `Every one of the ${whole(others)} other variables was checked: the largest probability left outside is ${named}, and the expected number of members among them ${smallProbability(massOutside)}${error}.`
    : `The ${whole(others)} other variables were checked, and some may belong: the largest probability left outside is ${named}.`;
}

/** What was looked at beyond single variables, and what all of them together explain. */
export function beyondSentence({ certificate, columns, settings }: Result): string | undefined {
  if (!certificate) return undefined;
  const { groups, overall, candidates, rowsAtHand } = certificate;
  const everyone = candidates >= columns;
  if (!groups || !overall) {
    return everyone
      ? undefined
      : "Only single variables were checked: some that belong together only may have been missed.";
  }
  const chance = `p ${smallProbability(overall.pValue)}`;
  const within = rowsAtHand === undefined ? "" : ` in the ${whole(rowsAtHand)} rows that came here`;
  const together = overall.somethingLeft
    ? `All variables together explain more than the model does, and more than chance would${within} (${chance}).`
    : `All variables together explain no more beyond the model than chance would${within} (${chance}).`;
  if (everyone) return together;
  const looked =
    settings.maxSize !== undefined && settings.maxSize < 2
      ? `Pairs were not weighed: a model has room for ${settings.maxSize === 1 ? "one variable" : "none"} here.`
      : groupsSentence(groups, within);
  return `${looked} ${together}`;
}

function groupsSentence({ variables, weighed, largestOutside }: CertifiedGroups, within: string): string {
  const looked = `Every pair of ${count(variables, "variable")} was looked at${within}, and triples of those that are alike`;
  if (weighed === 0) return `${looked}; none was worth weighing.`;
  const found = largestOutside
    ? `; the most probable outside is ${list(largestOutside.variables)}, with ${smallProbability(largestOutside.probability)}`
    : "";
  return `${looked}; ${count(weighed, "group")} ${weighed === 1 ? "was" : "were"} weighed${within === "" ? "" : " on all rows"}${found}.`;
}

export function exactness(result: Result): Exactness {
  const { preset, family, settings, variables, diagnostics, certificate, columns } = result;
  if (preset === "paper") {
    return {
      kind: "estimated",
      sentence:
        "mini-batch chains alone were used, whose large probabilities are reliable, but not the small ones and the model size.",
    };
  }
  const worst = variables.reduce((most, { pipError }) => Math.max(most, pipError), 0);
  const error = `The largest Monte Carlo error of an inclusion probability is ${smallProbability(worst)}`;
  const { rhat, ess } = diagnostics;
  const draws = ess === undefined ? "" : `, ${whole(ess)} effective draws`;
  const mixing = rhat === undefined ? "" : ` (R-hat ${rhat.toFixed(3)}${draws})`;
  const sampled = settings.posterior === "sampled";
  const likelihood = settings.likelihood ?? (familyNamed(family).quadratic ? "exact" : "expanded");
  if (likelihood === "expanded") {
    return {
      kind: "approximate",
      sentence: `models are weighed by Laplace's approximation, which is good where there are many rows.${sampled ? ` ${error}${mixing}.` : ""}`,
    };
  }
  if (sampled) {
    return {
      kind: "estimated",
      sentence: `models were sampled, each weighed with all the data. ${error}${mixing}.`,
    };
  }
  const candidates = certificate?.candidates ?? columns;
  const models =
    candidates < columns ? `every model of the ${count(candidates, "candidate")}` : "every model";
  return {
    kind: "exact",
    sentence: `${models} was weighed with all the data, so there is no Monte Carlo error.`,
  };
}

/** How close draws of the coefficients are to their posterior. */
export function steinSentence({ diagnostics, preset }: Result): string | undefined {
  const { stein } = diagnostics;
  if (!stein) return undefined;
  const whose = preset === "paper" ? "that all models held" : "of the median model";
  const ratio = (stein.discrepancy / stein.expected).toFixed(1);
  return `Kernel Stein discrepancy: ${whole(stein.draws)} draws of ${count(stein.coefficients, "coefficient")} ${whose} are ${ratio} times as far from the posterior, judged by gradients over all rows, as perfect draws would be; 1 is perfect.`;
}

/** How the search went, where there was one that chose its own settings. */
export function searchSentences({ settings }: Result): string[] {
  return Array.isArray(settings.chosen) ? settings.chosen.map(String) : [];
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

export function sizeSentence({ modelSize }: Result): string {
  const { mean, lower, upper } = modelSize;
  const range =
    lower === upper ? `almost surely ${whole(lower)}` : `95% interval ${whole(lower)} to ${whole(upper)}`;
  return `The model holds ${mean.toFixed(1)} variables on average (${range}).`;
}

/** Groups of substitutes: sets of one are no news. */
export function substituteSentences({ credibleSets = [] }: Result): string[] {
  return credibleSets
    .filter(({ variables }) => variables.length > 1)
    .map(({ variables, probability: p, group }) => {
      const these = variables.length > NAMED ? `these ${whole(variables.length)}` : "them";
      const all = group ? ` (of all ${whole(group.count)} like them, ${probability(group.probability)})` : "";
      return `${list(variables, NAMED)} are correlated: at least one of ${these} is in, with probability ${probability(p)}${all}.`;
    });
}

/** Members of a set that are named. */
const NAMED = 12;

export function discoverySentence({ falseDiscovery, variables }: Result): string | undefined {
  if (!falseDiscovery) return undefined;
  const selected = variables.filter((variable) => variable.selected).map(({ name }) => name);
  const { rate, expected } = falseDiscovery;
  const rated = `At a false-discovery rate of ${rate}`;
  if (falseDiscovery.variables.length === 0) return `${rated} no variable can be named.`;
  const same =
    selected.length === falseDiscovery.variables.length &&
    falseDiscovery.variables.every((name) => selected.includes(name));
  const named = same
    ? "the same variables are named"
    : `the selection is ${list(falseDiscovery.variables, 12)}`;
  return `${rated} ${named} (expected share of false ones ${smallProbability(expected)}).`;
}

/**
 * What was assumed before the data, and what else the data would allow under other assumptions; `marked` says how a table
 * beside it tells whose selection that would change.
 */
export function priorSentence({ prior, columns, settings }: Result, marked = ""): string | undefined {
  if (!prior) return undefined;
  const { scalePrior, slabVariance, g } = settings;
  const from = scalePrior ? "learned from the data" : "fixed";
  const scale = g === undefined ? `v = ${effect(Number(slabVariance))}` : `g = ${effect(g)}`;
  const assumed = `${prior.expectedSize.toFixed(1)} of ${count(columns, "variable")} were expected before the data; the scale of effects is ${scale} (${from}).`;
  const untold = new Set(prior.untold);
  const asked = otherPriors((kind) => !untold.has(kind));
  const unknown = untold.size > 0 ? ` ${unknownSentence(otherPriors((kind) => untold.has(kind)))}` : "";
  if (asked === "") return assumed + unknown;
  const flipping = prior.variables.filter(({ flips }) => flips);
  if (flipping.length === 0) {
    const far = prior.variables.length;
    const most =
      far > 0 ? `, but move ${far === 1 ? "one probability" : `${far} probabilities`} by 0.05 or more` : "";
    return `${assumed} ${capital(asked)} would select the same variables${most}.${unknown}`;
  }
  const moves = flipping.map((v) => {
    const others = [v.halfOdds, v.twiceOdds, v.halfScale, v.twiceScale].filter((p) => p !== undefined);
    return `${v.name} (${probability(v.pip)}, between ${probability(Math.min(...others))} and ${probability(Math.max(...others))})`;
  });
  return `${assumed} ${capital(asked)} would change the selection of ${list(moves, 5)}${marked}.${unknown}`;
}

const unknownSentence = (priors: string): string =>
  `What ${priors} would change is not known: hardly any of the models that would matter then were drawn.`;

/** Those that are asked for, in words. */
function otherPriors(isAsked: (kind: OtherPrior) => boolean): string {
  const howMuch = (half: OtherPrior, twice: OtherPrior): string =>
    [isAsked(half) && "half", isAsked(twice) && "twice"].filter(Boolean).join(" or ");
  const [odds, scale] = [howMuch("halfOdds", "twiceOdds"), howMuch("halfScale", "twiceScale")];
  if (odds === scale) return odds && `${odds} the prior odds or the scale of effects`;
  return [odds && `${odds} the prior odds`, scale && `${scale} the scale of effects`]
    .filter(Boolean)
    .join(" or ");
}
