/** When a run has to stop: when its user says so, or when its time is up. */

export interface TimeBudget {
  /** Aborts when the run has to stop. */
  readonly signal: AbortSignal;
  /** The same for the search, which has to leave time for certificate and polish. */
  readonly search: AbortSignal;
  /** Lets go of the clock: a timer would keep a program from ending. */
  end(): void;
}

const SEARCH_SHARE = 0.4;
/** A timer set for longer would go off at once. */
const LONGEST = 2 ** 31 - 1;

/** The clock starts now. Without `seconds` only the user's signal counts. */
export function timeBudget(seconds: number | undefined, user: AbortSignal | undefined): TimeBudget {
  const stops: (() => void)[] = [];
  const signalAfter = (milliseconds: number): AbortSignal => {
    const controller = new AbortController();
    const follow = () => controller.abort(user?.reason);
    if (user?.aborted) follow();
    user?.addEventListener("abort", follow, { once: true });
    stops.push(() => user?.removeEventListener("abort", follow));
    if (milliseconds <= LONGEST) {
      const timer = setTimeout(() => controller.abort(), milliseconds);
      stops.push(() => clearTimeout(timer));
    }
    return controller.signal;
  };
  const whole = seconds === undefined ? Number.POSITIVE_INFINITY : 1000 * seconds;
  return {
    signal: signalAfter(whole),
    search: signalAfter(SEARCH_SHARE * whole),
    end() {
      for (const stop of stops) stop();
    },
  };
}
