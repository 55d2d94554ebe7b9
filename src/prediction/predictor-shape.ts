/** What a predictor must look like before it predicts anything: finite numbers, lengths that agree, probabilities. */

import { familyNames } from "../families/register.js";
import {
  and,
  anything,
  covariance,
  every,
  finite,
  list,
  names,
  notNegative,
  object,
  oneOf,
  positions,
  probability,
  type Shape,
  text,
  within,
} from "../shape.js";
import { type Encoding, variableNames } from "../store/layout/encoding.js";
import { encodingShape } from "../store/layout/encoding-shape.js";
import type { FormulaPredictor } from "./formula-predictor.js";
import type { MixedPredictor } from "./mixed-predictor.js";
import type { Predictor, PredictorModel } from "./predictor.js";
import type { PredictorLaw } from "./predictor-law.js";

const positive = within(Number.MIN_VALUE, Number.MAX_VALUE);

function modelShape(variables: number): Shape {
  return and<PredictorModel>(
    object(
      { probability, members: positions(variables), intercept: finite, interceptVariance: notNegative },
      { freedom: positive },
    ),
    (model, name) => {
      const { length } = model.members;
      return object({ mean: list(finite, length), covariance: covariance(length) })(model, name);
    },
  );
}

/** Rounding of two hundred shares. */
const SUM_ERROR = 1e-6;

export const predictorShape: Shape = and<Predictor>(
  object(
    { family: oneOf(...familyNames), target: text, variables: names },
    { encoding: encodingShape, classes: list(finite, 2), noiseVariance: notNegative },
  ),
  (predictor, name) => {
    const { variables, encoding } = predictor;
    const p = variables.length;
    const problem = object(
      { centre: list(finite, p), average: list(modelShape(p)), median: modelShape(p) },
      { law: and<PredictorLaw>(object({ mean: list(finite, p), covariance: covariance(p) }), varying) },
    )(predictor, name);
    if (problem !== undefined) return problem;
    const sum = predictor.average.reduce((total, model) => total + model.probability, 0);
    if (Math.abs(sum - 1) > SUM_ERROR) return `the probabilities of its models add up to ${sum}`;
    return unknownVariable(variables, encoding);
  },
);

export const mixedPredictorShape: Shape = and<MixedPredictor>(
  object(
    { target: text, group: text, variables: names, noiseVariance: notNegative },
    { encoding: encodingShape },
  ),
  (predictor, name) => {
    const { variables, encoding } = predictor;
    const count = variables.length;
    const members = object({ members: positions(count) });
    const first = object({
      centre: list(finite, count),
      fixed: members,
      random: members,
      groups: object({ names }),
    })(predictor, name);
    if (first !== undefined) return first;
    const [p, q] = [predictor.fixed.members.length + 1, predictor.random.members.length + 1];
    const groups = predictor.groups.names.length;
    return (
      object({
        fixed: object({ mean: list(finite, p), covariance: covariance(p) }),
        random: object({ covariance: covariance(q) }),
        groups: object({
          mean: list(finite, groups * q),
          covariance: list(finite, (groups * q * (q + 1)) / 2),
          onFixed: list(finite, groups * q * p),
        }),
      })(predictor, name) ?? unknownVariable(variables, encoding)
    );
  },
);

const formulaVariable = object({ name: text, parts: list(object({ column: text }, { level: text })) });

/** Numbers of every draw, as many of each. */
const drawn = (count: number, length: number): Shape => list(list(finite, length), count);

export const formulaPredictorShape: Shape = and<FormulaPredictor>(
  object(
    {
      family: oneOf(...familyNames),
      target: text,
      fixed: list(formulaVariable),
      beta: list(anything),
      terms: list(object({ columns: names, variables: list(formulaVariable), levels: names })),
    },
    { offset: text, noiseVariance: notNegative, categories: every(names) },
  ),
  ({ fixed, beta, terms }, name) => {
    const draws = beta.length;
    if (draws === 0) return `${name}beta has no draws`;
    return (
      drawn(draws, fixed.length)(beta, "beta") ??
      terms
        .map(({ variables: { length: q }, levels, effects, covariances }) => {
          const problem = drawn(draws, levels.length * q)(effects, "effects");
          return problem ?? list(covariance(q), draws)(covariances, "covariances");
        })
        .find((problem) => problem !== undefined)
    );
  },
);

function varying({ mean, covariance: spread }: PredictorLaw, name: string): string | undefined {
  const p = mean.length;
  return mean.some((_, j) => spread[j * p + j] === 0) ? `${name} has a variance of zero` : undefined;
}

function unknownVariable(variables: readonly string[], encoding: Encoding | undefined): string | undefined {
  if (!encoding) return undefined;
  const known = new Set(variableNames(encoding));
  const stranger = variables.find((variable) => !known.has(variable));
  return stranger === undefined ? undefined : `no column gives its variable "${stranger}"`;
}
