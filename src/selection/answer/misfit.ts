/** What does not fit, given a probable model: one pass over the columns of that model and the target. */

import { familyNamed } from "../../families/register.js";
import type { Predictor, PredictorModel } from "../../prediction/predictor.js";
import { rowsIn } from "../../store/layout/layout.js";
import type { Store } from "../../store/store.js";

/** Sentences for the verdict; none where the family has nothing to check. */
export function misfit(store: Store, predictor: Predictor, model: PredictorModel): string[] {
  const { variables, centre, classes } = predictor;
  const check = familyNamed(predictor.family).check?.(model.members.map((k) => variables[k]));
  if (!check) return [];
  const { layout, kernels, shift } = store;
  const at = new Map(store.names.map((name, j) => [name, j]));
  const terms = model.members.map((k, i) => {
    const column = at.get(variables[k])!;
    return { column, slope: model.mean[i], centre: centre[k] - shift[column] };
  });
  const eta = new Float64Array(layout.stride);
  const values = new Float64Array(terms.length);
  const held = terms.map(() => new Float64Array(layout.stride));
  for (let b = 0; b < layout.blocks; b++) {
    const n = rowsIn(layout, b);
    eta.fill(model.intercept);
    const numbers = new Float32Array(kernels.memory.buffer);
    terms.forEach(({ column, slope, centre: middle }, k) => {
      const from = store.run(b, column) / 4;
      for (let i = 0; i < n; i++) {
        const value = numbers[from + i];
        eta[i] += slope * (value - middle);
        // The next column may be unpacked where this one lies.
        held[k][i] = value + shift[column];
      }
    });
    const from = store.run(b, layout.columns) / 4;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < values.length; k++) values[k] = held[k][i];
      const y = numbers[from + i] + shift[layout.columns];
      check.add(classes ? Number(y === classes[1]) : y, eta[i], values);
    }
  }
  return check.problems(terms.length + 1);
}

/** The model that carries most of the average: unlike the median model, it holds one of several substitutes. */
export function likeliest({ average }: Predictor): PredictorModel {
  return average.reduce((a, b) => (b.probability > a.probability ? b : a));
}
