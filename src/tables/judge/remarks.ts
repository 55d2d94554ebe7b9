/** What is said of the way in which columns were read: one sentence for one cause, however many columns it has. */

import { option } from "../../wording.js";

export interface Remark {
  readonly about: keyof typeof SENTENCES | "missing" | "value";
  readonly column: string;
  /** What differs between columns: an example, a word, a number. */
  readonly detail: string;
}

/** Why a column is no variable unless somebody asks for it. */
export interface Aside {
  /** Whether it names its row, or has too many values. */
  readonly why: "identifier" | "levels";
  /** The same in words. */
  readonly words: string;
}

const SENTENCES = {
  comma: (names, one, [example]) => `${names} ${one ? "has" : "have"} decimal commas, as in ${example}.`,
  thousands: (names, one, [example]) =>
    `${names} ${one ? "has" : "have"} signs between thousands: ${example}.`,
  currency: (names, one, signs) => `${names} ${one ? "is" : "are"} read without ${list(signs)}.`,
  percent: (names, one) => `${names} ${one ? "is" : "are"} in percent: 45% counts as 45.`,
  order: (names, one, [order]) => `${names} ${one ? "is a date" : "are dates"} with the ${order}.`,
  pattern: (names, one, [format]) => `${names} ${one ? "is a date" : "are dates"} of the form ${format}.`,
  time: (names, one) => `${names} ${one ? "is a time" : "are times"} of the day: counted in hours.`,
  epoch: (names, one, [unit]) =>
    `${names} ${one ? "counts" : "count"} ${unit} since 1970: taken as ${one ? "a date" : "dates"}.`,
  digits: (names, one, [example]) =>
    `${names} ${one ? "is a date" : "are dates"} in eight digits, as ${example}.`,
  code: (names, one, [example]) =>
    `${names} ${one ? "holds" : "hold"} codes with leading zeros, such as ${example}: taken as words; ${option("number")} counts them.`,
  case: (names, one, [example]) =>
    `${names} ${one ? "has" : "have"} values that differ only in case, such as ${example}: they count as different.`,
  gap: (names, one) => `Missing values of ${names} are a level of ${one ? "its" : "their"} own.`,
} satisfies Record<string, (names: string, one: boolean, details: readonly string[]) => string>;

/** Columns that a sentence names. */
const NAMED = 5;

export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  return shown.join(", ") + (names.length > NAMED ? ` and ${names.length - NAMED} more columns` : "");
}

export function remarkSentences(remarks: readonly Remark[]): string[] {
  const sentences: string[] = [];
  for (const about of Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]) {
    const own = remarks.filter((remark) => remark.about === about);
    // Dates in different orders are different things.
    const apart = about === "order" || about === "pattern" || about === "epoch";
    const groups = apart ? [...grouped(own, ({ detail }) => detail).values()] : own.length > 0 ? [own] : [];
    for (const group of groups) {
      const columns = [...new Set(group.map(({ column }) => column))];
      const details = [...new Set(group.map(({ detail }) => detail))];
      sentences.push(SENTENCES[about](namesText(columns), columns.length === 1, details));
    }
  }
  return [...sentences, ...missingSentence(remarks), ...valueSentence(remarks)];
}

/** `"?" counts as missing in "a", "b"; "none" in "c".` */
function missingSentence(remarks: readonly Remark[]): string[] {
  const byWord = grouped(
    remarks.filter(({ about }) => about === "missing"),
    ({ detail }) => detail,
  );
  if (byWord.size === 0) return [];
  const parts = [...byWord].map(
    ([word, group]) => [word, namesText(group.map(({ column }) => column))] as const,
  );
  const byColumns = grouped(parts, ([, names]) => names);
  const said = [...byColumns].map(([names, group], i) => {
    const words = list(group.map(([word]) => `"${word}"`));
    return i === 0
      ? `${words} ${group.length === 1 ? "counts" : "count"} as missing in ${names}`
      : `${words} in ${names}`;
  });
  return [
    `${said.slice(0, NAMED).join("; ")}${said.length > NAMED ? `; and ${said.length - NAMED} more words` : ""}.`,
  ];
}

function valueSentence(remarks: readonly Remark[]): string[] {
  const own = remarks.filter(({ about }) => about === "value");
  if (own.length === 0) return [];
  const words = [...new Set(own.map(({ detail }) => detail))].slice(0, 3);
  const names = namesText([...new Set(own.map(({ column }) => column))]);
  const quoted = list(words.map((word) => `"${word}"`));
  return [
    `${quoted} in ${names} ${words.length === 1 ? "is a value" : "are values"} like any other; ${option("na", words)} makes missing ones of them.`,
  ];
}

/** What was set aside, and how to have it all the same. */
export function asideSentences(
  columns: readonly { readonly name: string; readonly aside?: Aside }[],
): string[] {
  const sentences: string[] = [];
  for (const [why, end] of [
    ["identifier", ["names its row", "name their rows"]],
    ["levels", ["has too many values to be categories", "have too many values to be categories"]],
  ] as const) {
    const own = columns.filter(({ aside }) => aside?.why === why);
    if (own.length === 0) continue;
    const shown = own.slice(0, NAMED).map(({ name, aside }) => `"${name}" (${aside!.words})`);
    const more = own.length > NAMED ? ` and ${own.length - NAMED} more columns` : "";
    const keep = option(
      "keep",
      own.slice(0, NAMED).map(({ name }) => name),
    );
    sentences.push(
      `${shown.join(", ")}${more} ${end[own.length === 1 ? 0 : 1]}: set aside; ${keep} takes ${own.length === 1 ? "it" : "them"} in.`,
    );
  }
  return sentences;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function list(words: readonly string[]): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
