/** Thinned draws of a sparse coefficient vector: draw d holds (variable, value) pairs start[d] … start[d + 1). */
export interface SparseDraws {
  readonly iteration: Uint32Array;
  readonly start: Uint32Array;
  readonly variable: Uint32Array;
  readonly value: Float64Array;
}

/** Collects at most `capacity` draws; past that every second one is dropped and thinning doubles. */
export class SparseDrawSink {
  private readonly draws: { iteration: number; variable: Uint32Array; value: Float64Array }[] = [];
  private every = 1;
  private seen = 0;

  constructor(private readonly capacity: number) {}

  /** Offers a draw: the values of theta at `members[0 … size)`. */
  add(iteration: number, members: Uint32Array, size: number, theta: Float64Array): void {
    if (this.seen++ % this.every !== 0) return;
    const variable = members.slice(0, size);
    this.draws.push({ iteration, variable, value: Float64Array.from(variable, (j) => theta[j]) });
    if (this.draws.length < this.capacity) return;
    let kept = 0;
    for (let i = 0; i < this.draws.length; i += 2) this.draws[kept++] = this.draws[i];
    this.draws.length = kept;
    this.every *= 2;
  }

  finish(): SparseDraws {
    const entries = this.draws.reduce((sum, { variable }) => sum + variable.length, 0);
    const start = new Uint32Array(this.draws.length + 1);
    const variable = new Uint32Array(entries);
    const value = new Float64Array(entries);
    this.draws.forEach((draw, d) => {
      variable.set(draw.variable, start[d]);
      value.set(draw.value, start[d]);
      start[d + 1] = start[d] + draw.variable.length;
    });
    return { iteration: Uint32Array.from(this.draws, (d) => d.iteration), start, variable, value };
  }
}

export function drawCount(draws: SparseDraws): number {
  return draws.iteration.length;
}

/** For every variable, the draws in which it is in the model: a column-wise index over several chains. */
export function drawsByVariable(chains: readonly SparseDraws[]): Map<number, number[]> {
  const values = new Map<number, number[]>();
  for (const { variable, value } of chains) {
    for (let i = 0; i < variable.length; i++) {
      const known = values.get(variable[i]);
      if (known) known.push(value[i]);
      else values.set(variable[i], [value[i]]);
    }
  }
  return values;
}
