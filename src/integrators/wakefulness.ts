/** Which coordinates have just woken: they move in this step and did not in the one before, so what they carried is stale. */

export interface Wakefulness {
  nextStep(): void;
  /** Coordinate j moves in this step; whether it slept until now. */
  wakes(j: number): boolean;
}

export function wakefulness(size: number): Wakefulness {
  const moved = new Float64Array(size).fill(-1);
  let time = 0;
  return {
    nextStep() {
      time += 1;
    },
    wakes(j) {
      const slept = moved[j] !== time - 1;
      moved[j] = time;
      return slept;
    },
  };
}
