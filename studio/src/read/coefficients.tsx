/** The coefficients of one model, given that it is the true one. */

import type { Predictor, PredictorModel, StoredRun } from "sparrow-bayes/browser";
import { amount, percent } from "../parts/numbers.js";
import type { KeptRun } from "../state/past-runs.js";

interface Props {
  readonly run: KeptRun;
  readonly models: NonNullable<StoredRun["models"]>;
  readonly index: number;
}

export function Coefficients({ run, models, index }: Props) {
  const model = models.models[index];
  const names = model.variables.map((j) => models.names[j]);
  const known = modelOf(run.predictor, names);
  const from = known ?? { probability: 0, members: [], mean: [], covariance: [] };
  return (
    <div class="coefficients" data-part="coefficients">
      <h3>
        Model {index + 1}, {percent(model.probability)}
      </h3>
      {names.length === 0 ? (
        <p class="soft">It holds no variable: the target is predicted alike everywhere.</p>
      ) : known ? (
        <table>
          <thead>
            <tr>
              <th scope="col">variable</th>
              <th scope="col">coefficient</th>
              <th scope="col">standard deviation</th>
            </tr>
          </thead>
          <tbody>
            {from.members.map((j, a) => (
              <tr key={j}>
                <td>
                  <bdi>{run.predictor.variables[j]}</bdi>
                </td>
                <td>{amount(from.mean[a])}</td>
                <td>{amount(Math.sqrt(Math.max(0, from.covariance[a * from.members.length + a])))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="soft">
          It holds {names.join(", ")}. Its coefficients were not kept: it is too improbable to predict with.
        </p>
      )}
    </div>
  );
}

/** The model with exactly these variables among those that predictions are made with. */
function modelOf(predictor: Predictor, names: readonly string[]): PredictorModel | undefined {
  const wanted = new Set(names);
  return predictor.average.find(
    ({ members }) =>
      members.length === wanted.size && members.every((j) => wanted.has(predictor.variables[j])),
  );
}
