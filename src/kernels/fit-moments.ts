/** How targets lie about their predictors, in one look at every row: what checks and scores of measurements are made of. */

import { chainBuffer, chainKernels, Region } from "./chain-memory.js";

const [ROWS, SQUARES, FOURTHS, MEAN, AROUND, LEAST, AT_LEAST, MOST, AT_MOST, SUM, LARGEST] = Array(11).keys();
/** Squared errors that are kept, the largest. */
const KEPT = 5;
const SIZE = LARGEST + KEPT;

/** Rows that are looked at in one go. */
const STRETCH = 4096;
const room = new Region();

export class FitMoments {
  private readonly state = new Float64Array(SIZE);

  constructor() {
    this.state.fill(Number.NaN, LEAST, SUM);
    this.state.fill(-1, LARGEST);
  }

  /** The first `count` of each: targets and linear predictors. */
  add(y: ArrayLike<number>, eta: ArrayLike<number>, count: number): void {
    const pointer = room.hold(8 * (SIZE + 2 * STRETCH));
    const [ofY, ofEta] = [pointer + 8 * SIZE, pointer + 8 * (SIZE + STRETCH)];
    const held = new Float64Array(chainBuffer(), pointer, SIZE + 2 * STRETCH);
    held.set(this.state);
    for (let from = 0; from < count; from += STRETCH) {
      const n = Math.min(STRETCH, count - from);
      held.set(stretch(y, from, n), SIZE);
      held.set(stretch(eta, from, n), SIZE + STRETCH);
      chainKernels().fitMoments(pointer, ofY, ofEta, n);
    }
    this.state.set(held.subarray(0, SIZE));
  }

  get rows(): number {
    return this.state[ROWS];
  }

  /** Σy */
  get sum(): number {
    return this.state[SUM];
  }

  /** Σ(y − η)² and Σ(y − η)⁴. */
  get squares(): number {
    return this.state[SQUARES];
  }
  get fourths(): number {
    return this.state[FOURTHS];
  }

  /** Σ(y − ȳ)² */
  get around(): number {
    return this.state[AROUND];
  }

  /** The smallest target and the largest, and how many rows have each. */
  get least(): End {
    return { value: this.state[LEAST], count: this.state[AT_LEAST] };
  }
  get most(): End {
    return { value: this.state[MOST], count: this.state[AT_MOST] };
  }

  /** The largest squared errors, falling. */
  get largest(): Float64Array {
    return this.state.slice(LARGEST, LARGEST + Math.min(KEPT, this.rows));
  }
}

export interface End {
  readonly value: number;
  readonly count: number;
}

function stretch(values: ArrayLike<number>, from: number, count: number): ArrayLike<number> {
  if (values instanceof Float64Array) return values.subarray(from, from + count);
  return Float64Array.from({ length: count }, (_, i) => values[from + i]);
}

/** The kernel's plain form. */
export function plainFitMoments(state: Float64Array, y: Float64Array, eta: Float64Array): void {
  for (let i = 0; i < y.length; i++) {
    const square = (y[i] - eta[i]) ** 2;
    state[SQUARES] += square;
    state[FOURTHS] += square * square;
    state[SUM] += y[i];
    state[ROWS] += 1;
    const away = y[i] - state[MEAN];
    state[MEAN] += away / state[ROWS];
    state[AROUND] += away * (y[i] - state[MEAN]);
    if (y[i] === state[LEAST]) state[AT_LEAST] += 1;
    else if (!(y[i] > state[LEAST])) {
      state[LEAST] = y[i];
      state[AT_LEAST] = 1;
    }
    if (y[i] === state[MOST]) state[AT_MOST] += 1;
    else if (!(y[i] < state[MOST])) {
      state[MOST] = y[i];
      state[AT_MOST] = 1;
    }
    const kept = [...state.subarray(LARGEST), square].filter((value) => !Number.isNaN(value));
    state.set(kept.sort((a, b) => b - a).slice(0, KEPT), LARGEST);
  }
}
