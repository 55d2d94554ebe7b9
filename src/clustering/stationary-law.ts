/**
 * The stationary law of a Markov chain, by taking states out one by one (Grassmann, Taksar and Heyman 1985): nothing is
 * subtracted, so nothing is lost, however rare a state is. `transitions` is spoilt.
 */
export function stationaryLaw(transitions: Float64Array, size: number): Float64Array {
  for (let n = size - 1; n > 0; n--) {
    let out = 0;
    for (let j = 0; j < n; j++) out += transitions[n * size + j];
    for (let i = 0; i < n; i++) {
      const into = transitions[i * size + n] / out;
      transitions[i * size + n] = into;
      for (let j = 0; j < n; j++) transitions[i * size + j] += into * transitions[n * size + j];
    }
  }
  const law = new Float64Array(size);
  law[0] = 1;
  let total = 1;
  for (let n = 1; n < size; n++) {
    for (let i = 0; i < n; i++) law[n] += law[i] * transitions[i * size + n];
    total += law[n];
  }
  return law.map((share) => share / total);
}
