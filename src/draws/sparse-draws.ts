/** Thinned draws of a sparse coefficient vector: draw d holds (variable, value) pairs start[d] … start[d + 1). */
export interface SparseDraws {
  readonly iteration: Uint32Array;
  readonly start: Uint32Array;
  readonly variable: Uint32Array;
  readonly value: Float64Array;
  /** How much each draw counts in an average; absent where all count alike. */
  readonly weight?: Float64Array;
}

/** Where a sink stands, as plain data. */
export interface SparseDrawStanding {
  readonly draws: readonly SparseDraw[];
  readonly every: number;
  readonly seen: number;
}

interface SparseDraw {
  readonly iteration: number;
  readonly variable: Uint32Array;
  readonly value: Float64Array;
  readonly weight: number;
}

/** Collects at most `capacity` draws; past that every second one is dropped and thinning doubles. */
export class SparseDrawSink {
  private readonly draws: SparseDraw[] = [];
  private every = 1;
  private seen = 0;

  constructor(private readonly capacity: number) {}

  /** Offers a draw: the values of theta at `members[0 … size)`. */
  add(iteration: number, members: Uint32Array, size: number, theta: Float64Array, weight = 1): void {
    if (this.seen++ % this.every !== 0) return;
    const variable = members.slice(0, size);
    this.draws.push({ iteration, variable, value: Float64Array.from(variable, (j) => theta[j]), weight });
    if (this.draws.length < this.capacity) return;
    let kept = 0;
    for (let i = 0; i < this.draws.length; i += 2) this.draws[kept++] = this.draws[i];
    this.draws.length = kept;
    this.every *= 2;
  }

  save(): SparseDrawStanding {
    return { draws: this.draws, every: this.every, seen: this.seen };
  }

  restore({ draws, every, seen }: SparseDrawStanding): void {
    this.draws.splice(0, this.draws.length, ...draws);
    this.every = every;
    this.seen = seen;
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
    const iteration = Uint32Array.from(this.draws, (draw) => draw.iteration);
    const alike = this.draws.every((draw) => draw.weight === 1);
    const weight = alike ? {} : { weight: Float64Array.from(this.draws, (draw) => draw.weight) };
    return { iteration, start, variable, value, ...weight };
  }
}

export function drawCount(draws: SparseDraws): number {
  return draws.iteration.length;
}

/** What draw d counts in an average. */
export function weightOf(draws: SparseDraws, d: number): number {
  return draws.weight?.[d] ?? 1;
}

export interface WeightedValue {
  readonly value: number;
  readonly weight: number;
}

/** For every variable, the draws in which it is in the model: a column-wise index over several chains. */
export function drawsByVariable(chains: readonly SparseDraws[]): Map<number, WeightedValue[]> {
  const values = new Map<number, WeightedValue[]>();
  for (const draws of chains) {
    const { start, variable, value } = draws;
    for (let d = 0; d < drawCount(draws); d++) {
      const weight = weightOf(draws, d);
      for (let i = start[d]; i < start[d + 1]; i++) {
        const one = { value: value[i], weight };
        const known = values.get(variable[i]);
        if (known) known.push(one);
        else values.set(variable[i], [one]);
      }
    }
  }
  return values;
}
