/**
 * A hidden Markov model: z_t ∈ {0 … K − 1} is the state at step t, θ the logits of the K rows of the transition matrix
 * A and K emission blocks. On a stretch of the chain whose steps [from, to) count,
 *
 *     log π(θ, z | stretch) = weight·Σ_{t ∈ [from, to)} [log A_{z_{t−1} z_t} + log p(x_t | block z_t)]
 *                             + c·Σ log A + Σ_k log prior(block k)
 *
 * The first state of a sequence is uniform and has no term, or, of many sequences, has a law of its own, whose logits
 * come last in θ and whose term belongs to the steps marked as starts. Each transition belongs to the step that it
 * enters, so the stretches of a partition count every term of the chain once (Ma, Foti and Fox 2017).
 */

import type { Model, Stretch } from "../types.js";
import type { Block, Emission } from "./emissions.js";
import { addSimplexGrad, logSimplex, rowsOf, sumOf } from "./simplex.js";

export interface Hmm extends Model<{ readonly path: ArrayLike<number> }, Stretch> {
  readonly states: number;
  readonly emission: Emission;
  readonly blocks: readonly Block[];
  /** Where the block of state k starts in θ. */
  block(k: number): number;
  /** Where the logits of the law of first states start in θ; undefined where that law is uniform. */
  readonly initialAt?: number;
  /** Writes the law of first states. */
  initial(out: Float64Array, theta: Float64Array): void;
  /** Writes A row after row. */
  transitions(out: Float64Array, theta: Float64Array): void;
  /** Writes log p(x_t | block k) at out[t·K + k] for every step of the stretch, buffers included. */
  logEmissions(out: Float64Array, theta: Float64Array, batch: Stretch): void;
}

export interface HmmSettings {
  readonly states: number;
  readonly emission: Emission;
  readonly concentration?: number;
  /** The law of first states: uniform unless told. */
  readonly initial?: "uniform" | "learned";
}

export function hmm(settings: HmmSettings): Hmm {
  const { states, emission, concentration = 1 } = settings;
  const learned = settings.initial === "learned";
  const length = emission.names.length;
  const logs = new Float64Array(states * states);
  const counts = new Float64Array(states * states);
  const [rowsOfLogs, rowsOfCounts] = [rowsOf(logs), rowsOf(counts)];
  const block = (k: number): number => states * (states - 1) + k * length;
  const initialAt = block(states);
  const firstLogs = new Float64Array(states).fill(-Math.log(states));
  const firstCounts = new Float64Array(states);

  const every = Array.from({ length: states }, (_, k) => k);
  const blocks = every.map((k) => emission.block(block(k)));

  function unpack(theta: Float64Array): void {
    for (let k = 0; k < states; k++) {
      logSimplex(rowsOfLogs[k], theta, k * (states - 1));
      blocks[k].unpack(theta);
    }
    if (learned) logSimplex(firstLogs, theta, initialAt);
  }

  return {
    states,
    emission,
    blocks,
    block,
    ...(learned && { initialAt }),
    names: [
      ...every.flatMap((k) => every.slice(1).map((l) => `transition logit ${k + 1} to ${l}`)),
      ...every.flatMap((k) => emission.names.map((name) => `state ${k + 1}: ${name}`)),
      ...(learned ? every.slice(1).map((k) => `initial logit ${k}`) : []),
    ],
    initial(out, theta) {
      if (learned) logSimplex(firstLogs, theta, initialAt);
      for (let k = 0; k < states; k++) out[k] = learned ? Math.exp(firstLogs[k]) : 1 / states;
    },
    transitions(out, theta) {
      unpack(theta);
      for (let i = 0; i < logs.length; i++) out[i] = Math.exp(logs[i]);
    },
    logEmissions(out, theta, batch) {
      unpack(theta);
      for (let k = 0; k < states; k++) blocks[k].logDensities(out, k, states, batch, 0);
    },
    logJoint(theta, z, batch) {
      unpack(theta);
      let sum = 0;
      for (let t = batch.from; t < batch.to; t++) {
        const k = z.path[t];
        sum += blocks[k].logDensity(batch.values, t * batch.columns);
        if (batch.starts?.[t] === 1) sum += learned ? firstLogs[k] : 0;
        else if (t > 0) sum += logs[z.path[t - 1] * states + k];
      }
      let prior = concentration * (sumOf(logs) + (learned ? sumOf(firstLogs) : 0));
      for (let k = 0; k < states; k++) prior += blocks[k].logPrior();
      return batch.weight * sum + prior;
    },
    addGrad(out, scale, theta, z, batch) {
      unpack(theta);
      const weight = scale * batch.weight;
      counts.fill(concentration / batch.weight);
      firstCounts.fill(concentration / batch.weight);
      for (let t = batch.from; t < batch.to; t++) {
        const k = z.path[t];
        blocks[k].addGrad(out, weight, batch.values, t * batch.columns);
        if (batch.starts?.[t] === 1) firstCounts[k] += 1;
        else if (t > 0) counts[z.path[t - 1] * states + k] += 1;
      }
      if (learned) addSimplexGrad(out, initialAt, weight, firstCounts, firstLogs);
      for (let k = 0; k < states; k++) {
        addSimplexGrad(out, k * (states - 1), weight, rowsOfCounts[k], rowsOfLogs[k]);
        blocks[k].addPriorGrad(out, scale);
      }
    },
  };
}
