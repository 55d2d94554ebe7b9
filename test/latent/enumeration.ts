/**
 * The exact transition matrix of a kernel that draws random numbers, by running it once for every outcome of every
 * draw. The kernel asks an oracle instead of a generator; the oracle follows a script of outcomes, extends it where
 * it ends, and knows the probability of each outcome.
 */

import type { Rng } from "../../src/math/rng.js";

export class Oracle {
  /** Probability of the choices made so far, acceptance apart. */
  probability = 1;
  private taken = 0;
  private readonly widths: number[] = [];

  private constructor(
    private readonly script: number[],
    /** Outcomes of `uniform()`: probabilities in the order of the unit interval. */
    private readonly intervals: () => readonly number[],
    /** What `uniformOpen()` returns, which decides on acceptance. */
    private readonly acceptance: number,
  ) {}

  choose(probabilities: readonly number[]): number {
    if (this.taken === this.script.length) this.script.push(0);
    const outcome = this.script[this.taken++];
    this.widths.push(probabilities.length);
    this.probability *= probabilities[outcome];
    return outcome;
  }

  below(bound: number): number {
    return this.choose(new Array(bound).fill(1 / bound));
  }

  uint32(): number {
    return this.choose([0.5, 0.5]);
  }

  uniform(): number {
    const intervals = this.intervals();
    const chosen = this.choose(intervals);
    let below = 0;
    for (let i = 0; i < chosen; i++) below += intervals[i];
    return below + intervals[chosen] / 2;
  }

  uniformOpen(): number {
    return this.acceptance;
  }

  get rng(): Rng {
    return this as unknown as Rng;
  }

  /** The script of the next path, or nothing after the last one. */
  private next(): number[] | undefined {
    const script = this.script.slice(0, this.taken);
    while (script.length > 0) {
      const last = script.length - 1;
      if (++script[last] < this.widths[last]) return script;
      script.pop();
    }
    return undefined;
  }

  /**
   * P(from, ·) by enumeration. `run` sets up the state `from`, makes one move with the oracle and returns the state
   * it ends in. The acceptance probability of a path is where its outcome changes, found by bisection.
   */
  static row(
    intervals: () => readonly number[],
    from: number,
    run: (oracle: Oracle) => number,
  ): Map<number, number> {
    const row = new Map<number, number>();
    const add = (state: number, mass: number) => row.set(state, (row.get(state) ?? 0) + mass);
    let script: number[] | undefined = [];
    while (script) {
      const at = (u: number): [number, Oracle] => {
        const oracle = new Oracle(script!, intervals, u);
        return [run(oracle), oracle];
      };
      const [proposed, oracle] = at(Number.MIN_VALUE);
      let accepted = 1;
      if (proposed === from) accepted = 0;
      else if (at(1)[0] !== proposed) {
        let [low, high] = [0, 1];
        for (let i = 0; i < 60; i++) {
          const middle = (low + high) / 2;
          if (at(middle)[0] === proposed) low = middle;
          else high = middle;
        }
        accepted = low;
      }
      add(proposed, oracle.probability * accepted);
      add(from, oracle.probability * (1 - accepted));
      script = oracle.next();
    }
    return row;
  }
}
