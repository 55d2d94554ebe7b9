/** Where the time of this process went, from its start. */

import { type Moment, type Profile, profiling } from "../profile.js";

/** Since this process began. */
export function processMoment(): Moment {
  const { user, system } = process.cpuUsage();
  return { clock: 1000 * process.uptime(), cpu: (user + system) / 1000 };
}

/** When the first line of the program ran: before that there is Node alone. */
let begun: Moment | undefined;

export function programBegan(moment: Moment): void {
  begun = moment;
}

/** Counts from here on; what was before is the start of Node and of the program. */
export function profileProcess(): () => Profile {
  const now = processMoment();
  return profiling(processMoment, [
    ["starting Node", begun ?? now],
    ["loading the program", now],
  ]);
}

/** Seconds by the clock and of the processor, a line for every part. */
export function profileText(profile: Profile): string {
  const whole = profile[profile.length - 1];
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3).padStart(9);
  const share = (clock: number) => `${((100 * clock) / Math.max(whole.clock, 1e-9)).toFixed(1)}%`.padStart(8);
  const width = Math.max(...profile.map(({ part }) => part.length));
  return [
    `${"Seconds".padEnd(width)}${"clock".padStart(9)}${"CPU".padStart(9)}${"share".padStart(8)}`,
    ...profile.map(
      ({ part, clock, cpu }) => `${part.padEnd(width)}${seconds(clock)}${seconds(cpu)}${share(clock)}`,
    ),
    "",
  ].join("\n");
}
