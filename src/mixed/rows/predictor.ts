/** What predictions need of a fit by a formula: some draws, in the units of the data. */

import type { Family } from "../../families/family.js";
import { nameOf } from "../../families/register.js";
import { packedSize, placeOf } from "../../math/packed.js";
import type { FormulaPredictor, FormulaVariable } from "../../prediction/formula-predictor.js";
import type { MixedOptions } from "../options.js";
import type { Frame } from "./frame.js";
import type { Prepared } from "./prepare.js";
import type { RowsState } from "./problem.js";

export interface FormulaSource {
  readonly frame: Frame;
  readonly prepared: Prepared;
  readonly family: Family;
  readonly options: Partial<MixedOptions> & { readonly target: string };
  readonly states: readonly RowsState[];
}

/** The sixth digit of an effect is far below its error; all that a number has. */
const DIGITS = { least: 6, most: 17 };
/** Numbers that a predictor holds at most: fewer draws where there are very many levels. */
const MOST = 20e6;

export function formulaPredictor({
  frame,
  prepared,
  family,
  options,
  states,
}: FormulaSource): FormulaPredictor {
  const size = states[0].effects.reduce((sum, effects) => sum + effects.length, 0);
  const every = Math.max(1, Math.ceil((states.length * size) / MOST));
  const used = states.filter((_, d) => d % every === 0);
  const numbers = used.map((state) => prepared.read(state));
  const p = frame.fixed.length;
  let from = p + Number(family.quadratic);
  return {
    format: "sparrow-formula-predictor",
    version: 1,
    family: nameOf(family),
    target: options.target,
    ...(options.offset !== undefined && { offset: options.offset }),
    fixed: frame.fixed.map(plain),
    ...(Object.keys(frame.categories).length > 0 && { categories: frame.categories }),
    beta: numbers.map((draw) => [...draw.subarray(0, p)]),
    ...(family.quadratic && {
      noiseVariance: numbers.reduce((sum, draw) => sum + draw[p], 0) / numbers.length,
    }),
    terms: frame.terms.map(({ columns, variables, levels }, t) => {
      const start = from;
      from += packedSize(variables.length);
      // Effects of columns far from zero, such as dates, are large and cancel: so many digits more.
      const cancelled = Math.ceil(Math.log10(1 + prepared.farthest(t)));
      const digits = Math.min(DIGITS.most, DIGITS.least + cancelled);
      return {
        columns,
        variables: variables.map(plain),
        levels,
        effects: used.map((state) => {
          const effects = state.effects[t].slice();
          prepared.toData(effects, t);
          return Array.from(effects, (value) => Number(value.toPrecision(digits)));
        }),
        covariances: numbers.map((draw) =>
          variables.flatMap((_, j) => variables.map((__, k) => draw[start + placeOf(j, k)])),
        ),
      };
    }),
  };
}

const plain = ({ name, parts }: FormulaVariable): FormulaVariable => ({ name, parts });
