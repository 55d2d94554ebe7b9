/** Years, months, days and times of the day, as numbers in texts. */

const DAY = 86_400_000;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NAMES = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
];

/** "4" for Apr and April; "0", which is no month, for other words. */
export function monthOf(name: string): string {
  const lower = name.toLowerCase();
  const short = lower === "sept" ? "sep" : lower;
  return String((NAMES.includes(short) ? NAMES.indexOf(short) : MONTHS.indexOf(short)) + 1);
}

/** Days since 1970; undefined for a day that no month has. Two digits of a year mean 1970 to 2069. */
export function moment(
  year: string,
  month: string,
  day: string,
  time?: string,
  zone?: string,
): number | undefined {
  const y = year.length === 2 ? (Number(year) < 70 ? 2000 : 1900) + Number(year) : Number(year);
  const at = new Date(0);
  at.setUTCFullYear(y, Number(month) - 1, Number(day));
  // A 30 February would be a day in March.
  if (at.getUTCMonth() !== Number(month) - 1 || at.getUTCDate() !== Number(day)) return undefined;
  const seconds = time === undefined ? 0 : secondsOfDay(time);
  if (seconds === undefined) return undefined;
  return (at.getTime() + Math.round(seconds * 1000) - offsetOf(zone)) / DAY;
}

/** The seconds of a day that have passed at 10:30, 10:30:15.5 or 10:30 pm. */
export function secondsOfDay(text: string): number | undefined {
  const [, h, m, s = "0", half] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?:\s*([AaPp])\.?[Mm]\.?)?$/.exec(text) ?? [];
  if (h === undefined) return undefined;
  const [hour, minute, second] = [Number(h), Number(m), Number(s.replace(",", "."))];
  if (minute > 59 || second >= 61 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined;
  const whole = half ? (hour % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  return whole * 3600 + minute * 60 + second;
}

function offsetOf(zone: string | undefined): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "") ?? [];
  if (hours === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
