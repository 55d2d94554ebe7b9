/**
 * How a message names an option. Users of the library write `missing: "drop"`, users of the command line
 * `--missing drop`. A message holds a mark where it names an option, and whoever shows it spells the mark in the way
 * of those who will read it.
 */

export type OptionValue = string | number | readonly string[];
export type Spelling = (name: string, value?: OptionValue) => string;

const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const MARK = /\ue000([^\ue001]*)\ue001/g;

/** The mark of an option, by its name in the library, with the value that it is said to have. */
export function option(name: string, value?: OptionValue): string {
  return `${OPEN}${JSON.stringify(value === undefined ? [name] : [name, value])}${CLOSE}`;
}

/** The message with every mark spelt out. */
export function spelt(message: string, spelling: Spelling): string {
  return message.replace(MARK, (_, mark: string) => {
    const [name, value] = JSON.parse(mark) as [string, OptionValue?];
    return spelling(name, value);
  });
}

/** `missing: "drop"` */
export const asProperty: Spelling = (name, value) =>
  value === undefined ? name : `${name}: ${JSON.stringify(value)}`;

/** `--missing drop` */
export const asFlag: Spelling = (name, value) => {
  if (value === undefined) return `--${dashed(name)}`;
  const items = typeof value === "object" ? value.map(quoted).join(",") : String(value);
  return `--${dashed(name)} ${items}`;
};

export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** As the command line reads lists: a name that is not plain stands in double quotes. */
function quoted(name: string): string {
  return /^[\w.*?-]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A whole number with its thousands apart. The way of the language itself loads its rules first, which takes 15 ms. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
